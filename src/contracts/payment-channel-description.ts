import type { PaymentChannelState } from '../model/account-state.ts'

const byteLength = (amount: bigint): number => (amount === 0n ? 0 : (amount.toString(16).length + 1) >> 1)

/** A field of type Grams on a line of its own, in the way of the node's TL-B printer. */
const gramsLine = (name: string, amount: bigint): string =>
  `\n  ${name}:(nanograms\n    amount:(var_uint len:${byteLength(amount)} value:${amount}))`

/** A payment channel's state as the node's TL-B printer shows it (contracts/v2.md 13.3). */
export const describeChannel = (state: PaymentChannelState): string => {
  const paid = `${gramsLine('A', state.A)}${gramsLine('B', state.B)})\n`
  if (state._ === 'pchan.statePayout') return `(chan_state_payout${paid}`
  const init = state._ === 'pchan.stateInit'
  const [name, least] = init ? ['chan_state_init', 'min'] : ['chan_state_close', 'promise']
  const signed = ` signed_A:${Number(state.signed_A)} signed_B:${Number(state.signed_B)}`
  const minimum = `${gramsLine(`${least}_A`, state.min_A)}${gramsLine(`${least}_B`, state.min_B)}`
  return `(${name}${signed}${minimum} expire_at:${state.expire_at}${paid}`
}
