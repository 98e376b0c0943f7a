import type { Address } from '../../ton/address.ts'
import { MASTERCHAIN } from '../../ton/block-id.ts'
import type { Made, Matcher } from '../classify/family.ts'
import { messageOf, type Part } from '../classify/part.ts'
import { call, maybe } from '../classify/pattern.ts'

const NEW_STAKE = 0x4e73744b
const NEW_STAKE_DONE = 0xf374484c
const RECOVER = 0x47657424
const RECOVER_DONE = 0xf96f7324

/** Elector of every network: `-1:3333…33`. */
const isElector = (address: Address | null): boolean =>
  address?.workchain === MASTERCHAIN && address.hash.every((byte) => byte === 0x33)

const told = (
  type: 'election_deposit' | 'election_recover',
  start: Part,
  amount: bigint | null,
  failed: boolean,
): Made => {
  const { source } = messageOf(start)
  const content = { type, details: { stake_holder: source, amount } } as const
  return { btype: type, content, columns: { source, amount }, failed }
}

/** A stake for an election, which the elector confirms when it takes it. */
export const electionDeposit: Matcher = {
  name: 'stake of an election',
  pattern: call(NEW_STAKE, { bare: true, child: maybe(call(NEW_STAKE_DONE, { as: 'done', bare: true })) }),
  build: (start, match) => {
    const { destination, value } = messageOf(start)
    return isElector(destination) ? told('election_deposit', start, value, !match.one('done')) : undefined
  },
}

/** A stake that the elector gives back. */
export const electionRecover: Matcher = {
  name: 'recovery of a stake',
  pattern: call(RECOVER, { bare: true, child: maybe(call(RECOVER_DONE, { as: 'done', bare: true })) }),
  build: (start, match) => {
    if (!isElector(messageOf(start).destination)) return undefined
    const done = match.one('done')
    return told('election_recover', start, done ? messageOf(done).value : null, !done)
  },
}
