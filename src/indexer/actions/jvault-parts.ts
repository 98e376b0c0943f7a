import { JVAULT_OPS, readJvaultLockWallet, readJvaultStakeWallet } from '../../contracts/jvault.ts'
import type { Facts } from '../../model/known-account.ts'
import type { Address } from '../../ton/address.ts'
import { calls, type Part } from '../classify/part.ts'
import { call } from '../classify/pattern.ts'
import { withAppended } from './dex-parts.ts'

/** The pool tells the wallet of a stake what it earned; what is left goes to the owner. */
export const rewardsUpdated = call(JVAULT_OPS.update_rewards)

/** What a pool asks of those who invited the owner of a stake, as far as they were asked in turn. */
export const referralsOf = (request: Part): Part[] => {
  const found = request.next.filter((next) => calls(next, JVAULT_OPS.request_update_referrer))
  for (let i = 0; i < found.length; i++)
    found.push(
      ...found[i]!.next.filter((next) => calls(next, JVAULT_OPS.request_update_referrer, JVAULT_OPS.update_referrer)),
    )
  return withAppended(found)
}

/** What is known of a stake by the data of its wallet and of its pool. */
export interface KnownStake {
  pool: Address | null
  /** What is staked. */
  asset: Address | null
  /** What stands for the stake. */
  staking_asset: Address | null
}

/** What is known of a stake, told by its wallet. */
export const stakeIn = (wallet: Address | null, facts: Facts): KnownStake => {
  const known = wallet ? facts(wallet) : {}
  const stake = known.data && readJvaultStakeWallet(known.data)
  const pool = stake?.staking_pool_address ?? null
  const data = pool ? facts(pool).data : undefined
  const lock = data && readJvaultLockWallet(data)
  return {
    pool,
    asset: (lock && facts(lock).jetton_wallet?.jetton) ?? null,
    staking_asset: stake?.minter_address ?? known.jetton_wallet?.jetton ?? null,
  }
}
