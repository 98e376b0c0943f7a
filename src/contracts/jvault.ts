import type { Address } from '../ton/address.ts'
import type { Cell } from '../ton/cell.ts'
import { beginParse, type Slice } from '../ton/slice.ts'
import { accountOf, loadMsgAddress } from '../ton/tlb/msg-address.ts'
import { readOrNone } from './get-methods.ts'
import { readTaggedBody } from './transfer-bodies.ts'

/** What jVault's pools, the wallets of stakes and those of referrers tell each other; names as in jVault's TL-B. */
export const JVAULT_OPS = {
  receive_jettons: 0xd68a4ac1,
  cancel_stake: 0x9eada1d9,
  request_update_rewards: 0xf5c5baa3,
  update_rewards: 0xae9307ce,
  request_update_referrer: 0x55c35b40,
  update_referrer: 0x076ee4e0,
  set_data: 0x383411ea,
  claim_rewards: 0x78d9f109,
  send_claimed_rewards: 0x44bc1fe3,
  unstake_jettons: 0x499a9262,
  unstake_request: 0x0168d4b7,
} as const

const STAKE_PAYLOAD = 0xe3a06989

const loadAccount = (slice: Slice): Address | null => accountOf(loadMsgAddress(slice))

/** lock_period, in seconds, of stake_payload: what jettons are sent to a pool with. Undefined for another payload. */
export const readStakePeriod = (payload: Cell): number | undefined =>
  readTaggedBody(payload, STAKE_PAYLOAD, (slice) => slice.uint(32))

/** jettons_to_stake of receive_jettons: what a stake's wallet is credited with. Undefined for another body. */
export const readStaked = (body: Cell): bigint | undefined =>
  readTaggedBody(body, JVAULT_OPS.receive_jettons, (slice) => {
    slice.skip(64).coins()
    slice.coins()
    slice.skip(16).coins()
    slice.maybeRef()
    return slice.coins()
  })

/** jettons_to_unstake of unstake_jettons and of unstake_request; undefined for another body. */
export const readUnstaked = (body: Cell, opcode: number): bigint | undefined =>
  readTaggedBody(body, opcode, (slice) => slice.skip(64).coins())

/** TL-B StakeWalletStorage, as far as it is read. */
export interface JvaultStakeWallet {
  staking_pool_address: Address
  /** Of the jetton that stands for the stake. */
  minter_address: Address
}

const ADDRESS_BITS = 267

/** Three addresses, and the rest in a reference. */
export const readJvaultStakeWallet = (data: Cell): JvaultStakeWallet | undefined =>
  readOrNone(() => {
    const slice = beginParse(data)
    if (slice.remainingBits !== 3 * ADDRESS_BITS || slice.remainingRefs !== 1) return undefined
    const [staking_pool_address, minter_address] = [loadAccount(slice), loadAccount(slice)]
    return staking_pool_address && minter_address ? { staking_pool_address, minter_address } : undefined
  })

/** init, pool_id, three addresses and nft_content's bit. */
const POOL_BITS = 1 + 32 + 3 * ADDRESS_BITS + 1

/** lock_wallet_address of TL-B StakingPoolStorage: the pool's wallet of what is staked. Undefined for other data. */
export const readJvaultLockWallet = (data: Cell): Address | undefined =>
  readOrNone(() => {
    const slice = beginParse(data)
    if (slice.remainingBits !== POOL_BITS || slice.remainingRefs < 2) return undefined
    loadAccount(slice.skip(1 + 32))
    loadAccount(slice)
    return loadAccount(slice) ?? undefined
  })
