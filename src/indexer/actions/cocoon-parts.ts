import { accountIn, needInteger } from '../../contracts/fields.ts'
import type { Address } from '../../ton/address.ts'
import { messageOf, type Part } from '../classify/part.ts'
import { call, type PartPattern } from '../classify/pattern.ts'
import { saidBy } from './dex-parts.ts'

const PAYOUT = 0xc59a7cd3
const CLIENT_PROXY_REQUEST = 0x65448ff4

/** What is left of what was sent along, given back: contracts of Cocoon have an opcode of their own for it. */
export const cocoonExcess = call(0x2565934c)

export const cocoonPayout = call(PAYOUT, { as: 'payout' })

/** What a client tells its proxy. */
export const clientRequest = (children?: PartPattern['children']): PartPattern =>
  call(CLIENT_PROXY_REQUEST, { as: 'request', ...(children ? { children } : {}) })

/** A request of a client's owner, and to whom what is left of it goes: the owner, as a rule. */
export const ownersRequest = (
  start: Part,
): { query_id: bigint; source: Address | null; destination: Address | null } => {
  const said = saidBy(start)
  return {
    query_id: needInteger(said, 'query_id'),
    source: accountIn(said, 'send_excess_to'),
    destination: messageOf(start).destination,
  }
}
