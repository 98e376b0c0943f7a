import type { Address } from '../ton/address.ts'
import type { Cell } from '../ton/cell.ts'
import { beginParse } from '../ton/slice.ts'
import { accountOf, loadMsgAddress } from '../ton/tlb/msg-address.ts'
import { readTaggedBody } from './transfer-bodies.ts'

const FUND_ACCOUNT = 0x4468de77
const SWAP = 0xa7fb58f8
/** More pools than one transaction can go through. */
const MAX_POOLS = 64

/**
 * The router's wallet of the other asset of a pool, as the payload of a deposit names it (POOLV3_FUND_ACCOUNT). Undefined
 * for another payload.
 */
export const readToncoOtherWallet = (payload: Cell): Address | null | undefined =>
  readTaggedBody(payload, FUND_ACCOUNT, (slice) => accountOf(loadMsgAddress(slice)))

/** What a swap is to give. */
export interface ToncoTarget {
  /** The router's wallet of the asset. */
  wallet: Address | null
  min_out_amount: bigint
}

interface ToncoStep extends ToncoTarget {
  next: Cell | null
}

const readStep = (payload: Cell): ToncoStep | undefined =>
  readTaggedBody(payload, SWAP, (slice) => {
    const wallet = accountOf(loadMsgAddress(slice))
    const min_out_amount = slice.skip(160).coins()
    loadMsgAddress(slice)
    return { wallet, min_out_amount, next: slice.maybeRef() }
  })

/** The last asset that the payload of a swap asks for (POOLV3_SWAP, one in the other). Undefined for another payload. */
export const readToncoTarget = (payload: Cell): ToncoTarget | undefined => {
  let step = readStep(payload)
  for (let pools = 1; step?.next && pools < MAX_POOLS; pools++) {
    const next = readStep(step.next)
    if (!next) break
    step = next
  }
  return step && { wallet: step.wallet, min_out_amount: step.min_out_amount }
}

const POSITION_INIT = 0xd5ecca2a

/** The index of the position's item in what makes it: behind the two fee growths in its reference. */
export const readToncoPositionIndex = (body: Cell): bigint | undefined =>
  readTaggedBody(body, POSITION_INIT, (slice) =>
    beginParse(slice.ref())
      .skip(256 + 256)
      .uintBig(64),
  )
