import type { Address } from '../ton/address.ts'
import type { Cell } from '../ton/cell.ts'
import { accountOf, loadMsgAddress } from '../ton/tlb/msg-address.ts'
import { readTaggedBody } from './transfer-bodies.ts'

/** Opcode of all messages of a withdrawal from a staking pool of swap.coffee. */
export const COFFEE_STAKING_WITHDRAW = 0xcb03bfaf

/** What a position tells its pool when its owner takes the stake back. */
export interface CoffeeStakingWithdrawal {
  nft_index: bigint
  owner: Address | null
  points: bigint
}

/** Undefined for another body. */
export const readCoffeeStakingWithdrawal = (body: Cell): CoffeeStakingWithdrawal | undefined =>
  readTaggedBody(body, COFFEE_STAKING_WITHDRAW, (slice) => {
    slice.skip(64)
    return { nft_index: slice.uintBig(64), owner: accountOf(loadMsgAddress(slice)), points: slice.coins() }
  })
