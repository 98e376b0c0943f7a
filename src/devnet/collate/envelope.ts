import type { Cell } from '../../ton/cell.ts'
import type { MsgEnvelope, MsgMetadata } from '../../ton/tlb/msg-envelope.ts'
import { hopAddress, type Route } from './routing.ts'

/** A message on its way; `route` in bits of the destination. It has the second form where it says more than the first can. */
export const envelopeOf = (
  msg: Cell,
  { cur, next }: Route,
  fwd_fee_remaining: bigint,
  metadata: MsgMetadata | null,
  emitted_lt: bigint | null = null,
): MsgEnvelope => ({
  _: metadata || emitted_lt !== null ? 'msg_envelope_v2' : 'msg_envelope',
  cur_addr: hopAddress(cur),
  next_addr: hopAddress(next),
  fwd_fee_remaining,
  msg,
  emitted_lt,
  metadata,
})

/** The route of a message that has arrived, and of one that waits in a dispatch queue. */
export const ARRIVED: Route = { cur: 96, next: 96 }
export const NOT_SENT: Route = { cur: 0, next: 0 }
