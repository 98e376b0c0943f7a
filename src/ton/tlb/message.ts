import { type Builder, beginCell, sliceToCell } from '../builder.ts'
import type { Cell } from '../cell.ts'
import { beginParse, type Slice } from '../slice.ts'
import { type CurrencyCollection, loadCurrencyCollection, storeCurrencyCollection } from './currency.ts'
import {
  loadMsgAddressExt,
  loadMsgAddressInt,
  type MsgAddressExt,
  type MsgAddressInt,
  storeMsgAddressExt,
  storeMsgAddressInt,
} from './msg-address.ts'
import { loadStateInit, stateInitCell } from './state-init.ts'

/** TL-B CommonMsgInfo; amounts in nano-units, `created_at` in unix seconds. */
export type CommonMsgInfo = IntMsgInfo | ExtInMsgInfo | ExtOutMsgInfo

export interface IntMsgInfo {
  _: 'int_msg_info'
  ihr_disabled: boolean
  bounce: boolean
  bounced: boolean
  src: MsgAddressInt
  dest: MsgAddressInt
  value: CurrencyCollection
  /** Bit flags since global version 12; before, the same place held `ihr_fee`. */
  extra_flags: bigint
  fwd_fee: bigint
  created_lt: bigint
  created_at: number
}

export interface ExtInMsgInfo {
  _: 'ext_in_msg_info'
  src: MsgAddressExt
  dest: MsgAddressInt
  import_fee: bigint
}

export interface ExtOutMsgInfo {
  _: 'ext_out_msg_info'
  src: MsgAddressInt
  dest: MsgAddressExt
  created_lt: bigint
  created_at: number
}

/** TL-B Message Any. What stands in line in the message's cell is given as a cell of its own. */
export interface Message {
  info: CommonMsgInfo
  /** parseStateInit */
  init: Cell | null
  /** True when `init` stood in a referred cell. */
  init_in_ref: boolean
  body: Cell
  /** True when `body` stood in a referred cell. */
  body_in_ref: boolean
}

/** TL-B CommonMsgInfo. Throws `malformed`. */
const loadCommonMsgInfo = (slice: Slice): CommonMsgInfo => {
  if (!slice.bit()) {
    return {
      _: 'int_msg_info',
      ihr_disabled: slice.bit(),
      bounce: slice.bit(),
      bounced: slice.bit(),
      src: loadMsgAddressInt(slice),
      dest: loadMsgAddressInt(slice),
      value: loadCurrencyCollection(slice),
      extra_flags: slice.varUint(16),
      fwd_fee: slice.coins(),
      created_lt: slice.uintBig(64),
      created_at: slice.uint(32),
    }
  }
  if (!slice.bit()) {
    return {
      _: 'ext_in_msg_info',
      src: loadMsgAddressExt(slice),
      dest: loadMsgAddressInt(slice),
      import_fee: slice.coins(),
    }
  }
  return {
    _: 'ext_out_msg_info',
    src: loadMsgAddressInt(slice),
    dest: loadMsgAddressExt(slice),
    created_lt: slice.uintBig(64),
    created_at: slice.uint(32),
  }
}

/** TL-B ^(Message Any). A referred StateInit or body stays closed. Throws `malformed`. */
export const parseMessage = (cell: Cell): Message => {
  const slice = beginParse(cell)
  const info = loadCommonMsgInfo(slice)
  let init: Cell | null = null
  let init_in_ref = false
  if (slice.bit()) {
    init_in_ref = slice.bit()
    init = init_in_ref ? slice.ref() : stateInitCell(loadStateInit(slice))
  }
  const body_in_ref = slice.bit()
  const body = body_in_ref ? slice.ref() : sliceToCell(slice)
  if (body_in_ref) slice.expectEnd()
  return { info, init, init_in_ref, body, body_in_ref }
}

/** TL-B CommonMsgInfo of ^(Message Any): reads the head of the message only. Throws `malformed`. */
export const parseMessageInfo = (cell: Cell): CommonMsgInfo => loadCommonMsgInfo(beginParse(cell))

const storeCommonMsgInfo = (builder: Builder, info: CommonMsgInfo): Builder => {
  switch (info._) {
    case 'int_msg_info':
      builder.bit(false).bit(info.ihr_disabled).bit(info.bounce).bit(info.bounced)
      storeMsgAddressInt(builder, info.src)
      storeMsgAddressInt(builder, info.dest)
      return storeCurrencyCollection(builder, info.value)
        .varUint(info.extra_flags, 16)
        .coins(info.fwd_fee)
        .uint(info.created_lt, 64)
        .uint(info.created_at, 32)
    case 'ext_in_msg_info':
      storeMsgAddressExt(builder.uint(0b10, 2), info.src)
      return storeMsgAddressInt(builder, info.dest).coins(info.import_fee)
    case 'ext_out_msg_info':
      storeMsgAddressInt(builder.uint(0b11, 2), info.src)
      return storeMsgAddressExt(builder, info.dest).uint(info.created_lt, 64).uint(info.created_at, 32)
  }
}

/** TL-B ^(Message Any); `init_in_ref` and `body_in_ref` say where both stand. Throws `limit` when they do not fit there. */
export const buildMessage = ({ info, init, init_in_ref, body, body_in_ref }: Message): Cell => {
  const builder = storeCommonMsgInfo(beginCell(), info).bit(init !== null)
  if (init) {
    builder.bit(init_in_ref)
    if (init_in_ref) builder.ref(init)
    else builder.slice(beginParse(init))
  }
  builder.bit(body_in_ref)
  return (body_in_ref ? builder.ref(body) : builder.slice(beginParse(body))).endCell()
}
