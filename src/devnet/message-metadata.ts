import { TonlithError } from '../common/errors.ts'
import type { Bare } from '../ton/tl/types.ts'
import type { MsgMetadata } from '../ton/tlb/msg-envelope.ts'

const INVALID_WORKCHAIN = -0x80000000

/** TL form of a message's metadata. Throws `malformed` when the initiator's id has not 256 bits. */
export const metadataOf = ({
  depth,
  initiator_addr,
  initiator_lt,
}: MsgMetadata): Bare<'liteServer.transactionMetadata'> => {
  if (initiator_addr._ !== 'addr_std') throw new TonlithError('malformed', 'initiator of another address form')
  const initiator = { workchain: initiator_addr.workchain_id, id: initiator_addr.address }
  return { mode: 0, depth, initiator, initiator_lt: BigInt.asIntN(64, initiator_lt) }
}

/** TL form of "the message has no metadata". */
export const NO_METADATA: Bare<'liteServer.transactionMetadata'> = {
  mode: 0,
  depth: -1,
  initiator: { workchain: INVALID_WORKCHAIN, id: Buffer.alloc(32) },
  initiator_lt: -1n,
}
