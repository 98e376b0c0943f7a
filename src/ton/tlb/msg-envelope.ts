import type { Builder } from '../builder.ts'
import type { Cell } from '../cell.ts'
import type { Slice } from '../slice.ts'
import { type IntermediateAddress, loadIntermediateAddress, storeIntermediateAddress } from './intermediate-address.ts'
import { loadMsgAddressInt, type MsgAddressInt, storeMsgAddressInt } from './msg-address.ts'
import { buildCell, expectTag, malformed, maybe, parseCell, storeMaybe } from './tag.ts'

/** TL-B MsgMetadata: where the chain of messages began, and how many steps ago. */
export interface MsgMetadata {
  depth: number
  initiator_addr: MsgAddressInt
  initiator_lt: bigint
}

/** TL-B MsgEnvelope; the first form has neither `emitted_lt` nor `metadata`. Amounts in nano-units. */
export interface MsgEnvelope {
  _: 'msg_envelope' | 'msg_envelope_v2'
  cur_addr: IntermediateAddress
  next_addr: IntermediateAddress
  fwd_fee_remaining: bigint
  /** parseMessage */
  msg: Cell
  emitted_lt: bigint | null
  metadata: MsgMetadata | null
}

/** TL-B MsgMetadata. Throws `malformed`. */
const loadMsgMetadata = (slice: Slice): MsgMetadata => {
  expectTag(slice, 4, 0, 'MsgMetadata')
  return {
    depth: slice.uint(32),
    initiator_addr: loadMsgAddressInt(slice),
    initiator_lt: slice.uintBig(64),
  }
}

const loadMsgEnvelope = (slice: Slice): MsgEnvelope => {
  const tag = slice.uint(4)
  if (tag !== 4 && tag !== 5) throw malformed('MsgEnvelope')
  const envelope = {
    cur_addr: loadIntermediateAddress(slice),
    next_addr: loadIntermediateAddress(slice),
    fwd_fee_remaining: slice.coins(),
    msg: slice.ref(),
  }
  if (tag === 4) return { _: 'msg_envelope', ...envelope, emitted_lt: null, metadata: null }
  return {
    _: 'msg_envelope_v2',
    ...envelope,
    emitted_lt: maybe(slice, (s) => s.uintBig(64)),
    metadata: maybe(slice, loadMsgMetadata),
  }
}

/** TL-B ^MsgEnvelope, both forms. The message stays closed. Throws `malformed`. */
export const parseMsgEnvelope = (cell: Cell): MsgEnvelope => parseCell(cell, loadMsgEnvelope)

const storeMsgMetadata = (builder: Builder, { depth, initiator_addr, initiator_lt }: MsgMetadata): Builder =>
  storeMsgAddressInt(builder.uint(0, 4).uint(depth, 32), initiator_addr).uint(initiator_lt, 64)

const storeMsgEnvelope = (builder: Builder, envelope: MsgEnvelope): void => {
  const v2 = envelope._ === 'msg_envelope_v2'
  storeIntermediateAddress(builder.uint(v2 ? 5 : 4, 4), envelope.cur_addr)
  storeIntermediateAddress(builder, envelope.next_addr)
  builder.coins(envelope.fwd_fee_remaining).ref(envelope.msg)
  if (!v2) return
  storeMaybe(builder, envelope.emitted_lt, (b, lt) => b.uint(lt, 64))
  storeMaybe(builder, envelope.metadata, storeMsgMetadata)
}

/** TL-B ^MsgEnvelope of the form that it names. */
export const buildMsgEnvelope = (envelope: MsgEnvelope): Cell => buildCell(storeMsgEnvelope, envelope)
