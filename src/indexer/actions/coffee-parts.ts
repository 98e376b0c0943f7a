import { needInteger } from '../../contracts/fields.ts'
import type { DexTransfer } from '../../model/actions/dex.ts'
import { calls, messageOf, type Part } from '../classify/part.ts'
import { jettonMoved, nextCall, saidBy, transfersBehind } from './dex-parts.ts'

export const COFFEE_PAYOUT_INTERNAL = 0xc0ffee21
export const COFFEE_DEPLOY = 0xc0ffee22
/** What a pool tells the outside of liquidity that it took. */
export const COFFEE_DEPOSITED = 0xc0ffee33
/** TON that a vault pays out. */
export const COFFEE_PAYOUT = 0xc0ffee32
const NOTIFICATION = 0xc0ffee36

/**
 * What a vault of swap.coffee took in, told by the part that it acts upon: jettons, or TON with one of these requests,
 * whose amount stands in `field`. Undefined for another cause.
 */
export const coffeeTaken = (
  cause: Part | null,
  requests: readonly number[],
  field: string,
): DexTransfer | undefined => {
  if (cause?.btype === 'jetton_transfer') return jettonMoved(cause)
  if (!cause || !calls(cause, ...requests)) return undefined
  const { source, destination } = messageOf(cause)
  const amount = needInteger(saidBy(cause), field)
  return { asset: null, source, destination, source_jetton_wallet: null, destination_jetton_wallet: null, amount }
}

/**
 * What a vault pays out as a pool tells it to, and the part that it is. With a notification the vault sends all that it
 * has of it; without, it is the pool's payment.
 */
export const coffeePayout = (told: Part): { transfer: DexTransfer; part: Part } | undefined => {
  const part = nextCall(told, COFFEE_PAYOUT, NOTIFICATION)
  if (part) {
    const { source: vault, destination, value } = messageOf(part)
    const isNotified = calls(part, NOTIFICATION)
    const source = isNotified ? vault : messageOf(told).source
    const amount = isNotified ? value : needInteger(saidBy(told), 'amount')
    const wallets = { source_jetton_wallet: null, destination_jetton_wallet: null }
    return { transfer: { asset: null, source, destination, ...wallets, amount }, part }
  }
  const [jettons] = transfersBehind(told)
  return jettons && { transfer: jettonMoved(jettons), part: jettons }
}
