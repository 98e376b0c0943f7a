import { sliceToCell } from '../builder.ts'
import type { Cell } from '../cell.ts'
import { beginParse, type Slice } from '../slice.ts'
import { type CurrencyCollection, loadCurrencyCollection } from './currency.ts'
import {
  loadMsgAddress,
  loadMsgAddressExt,
  loadMsgAddressInt,
  type MsgAddressExt,
  type MsgAddressInt,
} from './msg-address.ts'
import { loadStateInit } from './state-init.ts'
import { malformed } from './tag.ts'

/** TL-B CommonMsgInfoRelaxed: where a message is to go, before the node fills in the rest. */
type CommonMsgInfoRelaxed =
  | { _: 'int_msg_info'; dest: MsgAddressInt; value: CurrencyCollection }
  | { _: 'ext_out_msg_info'; dest: MsgAddressExt }

/** TL-B MessageRelaxed Any. A body that stands in line is given as a cell of its own. */
export interface MessageRelaxed {
  info: CommonMsgInfoRelaxed
  body: Cell
}

const INTERNAL_FLAGS = 3
const LT_AND_TIME = 64 + 32

const loadInfo = (slice: Slice): CommonMsgInfoRelaxed => {
  if (!slice.bit()) {
    loadMsgAddress(slice.skip(INTERNAL_FLAGS))
    const dest = loadMsgAddressInt(slice)
    const value = loadCurrencyCollection(slice)
    slice.varUint(16)
    slice.coins()
    slice.skip(LT_AND_TIME)
    return { _: 'int_msg_info', dest, value }
  }
  if (!slice.bit()) throw malformed('CommonMsgInfoRelaxed')
  loadMsgAddress(slice)
  const dest = loadMsgAddressExt(slice)
  slice.skip(LT_AND_TIME)
  return { _: 'ext_out_msg_info', dest }
}

/** TL-B ^(MessageRelaxed Any), as contracts write messages that they send. Throws `malformed`. */
export const parseMessageRelaxed = (cell: Cell): MessageRelaxed => {
  const slice = beginParse(cell)
  const info = loadInfo(slice)
  if (slice.bit()) {
    if (slice.bit()) slice.skipRefs()
    else loadStateInit(slice)
  }
  return { info, body: slice.bit() ? slice.ref() : sliceToCell(slice) }
}
