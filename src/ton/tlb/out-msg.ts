import type { Builder } from '../builder.ts'
import type { Cell } from '../cell.ts'
import { type DictWalk, dictEntries, dictLookup } from '../dictionary.ts'
import { beginParse, type Slice } from '../slice.ts'
import { type AugDict, loadAugDict } from './aug-dict.ts'
import { type CurrencyCollection, loadCurrencyCollection, skipCurrencyCollection } from './currency.ts'
import { buildCell, malformed, parseCell } from './tag.ts'

/**
 * TL-B OutMsg. Cells stay closed: `msg` is for parseMessage, `out_msg` for parseMsgEnvelope, `transaction` for
 * parseTransaction, `reimport` and `imported` for parseInMsg.
 */
export type OutMsg =
  | { _: 'msg_export_ext'; msg: Cell; transaction: Cell }
  | { _: 'msg_export_imm'; out_msg: Cell; transaction: Cell; reimport: Cell }
  | { _: 'msg_export_new'; out_msg: Cell; transaction: Cell }
  | { _: 'msg_export_tr'; out_msg: Cell; imported: Cell }
  | { _: 'msg_export_deq'; out_msg: Cell; import_block_lt: bigint }
  | {
      _: 'msg_export_deq_short'
      msg_env_hash: Buffer
      next_workchain: number
      next_addr_pfx: bigint
      import_block_lt: bigint
    }
  | { _: 'msg_export_tr_req'; out_msg: Cell; imported: Cell }
  | { _: 'msg_export_deq_imm'; out_msg: Cell; reimport: Cell }
  | { _: 'msg_export_new_defer'; out_msg: Cell; transaction: Cell }
  | { _: 'msg_export_deferred_tr'; out_msg: Cell; imported: Cell }

const loadDequeued = (slice: Slice): OutMsg =>
  slice.bit()
    ? {
        _: 'msg_export_deq_short',
        msg_env_hash: slice.bytes(32),
        next_workchain: slice.int(32),
        next_addr_pfx: slice.uintBig(64),
        import_block_lt: slice.uintBig(64),
      }
    : { _: 'msg_export_deq', out_msg: slice.ref(), import_block_lt: slice.uintBig(63) }

const loadDeferred = (slice: Slice): OutMsg => {
  switch (slice.uint(2)) {
    case 0:
      return { _: 'msg_export_new_defer', out_msg: slice.ref(), transaction: slice.ref() }
    case 1:
      return { _: 'msg_export_deferred_tr', out_msg: slice.ref(), imported: slice.ref() }
    default:
      throw malformed('OutMsg')
  }
}

/** TL-B OutMsg. Throws `malformed`. */
export const loadOutMsg = (slice: Slice): OutMsg => {
  switch (slice.uint(3)) {
    case 0:
      return { _: 'msg_export_ext', msg: slice.ref(), transaction: slice.ref() }
    case 1:
      return { _: 'msg_export_new', out_msg: slice.ref(), transaction: slice.ref() }
    case 2:
      return { _: 'msg_export_imm', out_msg: slice.ref(), transaction: slice.ref(), reimport: slice.ref() }
    case 3:
      return { _: 'msg_export_tr', out_msg: slice.ref(), imported: slice.ref() }
    case 4:
      return { _: 'msg_export_deq_imm', out_msg: slice.ref(), reimport: slice.ref() }
    case 5:
      return loadDeferred(slice)
    case 6:
      return loadDequeued(slice)
    default:
      return { _: 'msg_export_tr_req', out_msg: slice.ref(), imported: slice.ref() }
  }
}

/** Writes TL-B OutMsg. */
export const storeOutMsg = (builder: Builder, message: OutMsg): Builder => {
  switch (message._) {
    case 'msg_export_ext':
      return builder.uint(0, 3).ref(message.msg).ref(message.transaction)
    case 'msg_export_new':
      return builder.uint(1, 3).ref(message.out_msg).ref(message.transaction)
    case 'msg_export_imm':
      return builder.uint(2, 3).ref(message.out_msg).ref(message.transaction).ref(message.reimport)
    case 'msg_export_tr':
      return builder.uint(3, 3).ref(message.out_msg).ref(message.imported)
    case 'msg_export_deq_imm':
      return builder.uint(4, 3).ref(message.out_msg).ref(message.reimport)
    case 'msg_export_new_defer':
      return builder.uint(0b10100, 5).ref(message.out_msg).ref(message.transaction)
    case 'msg_export_deferred_tr':
      return builder.uint(0b10101, 5).ref(message.out_msg).ref(message.imported)
    case 'msg_export_deq':
      return builder.uint(0b1100, 4).ref(message.out_msg).uint(message.import_block_lt, 63)
    case 'msg_export_deq_short':
      return builder
        .uint(0b1101, 4)
        .bytes(message.msg_env_hash)
        .int(message.next_workchain, 32)
        .uint(message.next_addr_pfx, 64)
        .uint(message.import_block_lt, 64)
    case 'msg_export_tr_req':
      return builder.uint(7, 3).ref(message.out_msg).ref(message.imported)
  }
}

/** TL-B ^OutMsg. */
export const buildOutMsg = (message: OutMsg): Cell => buildCell(storeOutMsg, message)

/** TL-B OutMsgDescr: the dictionary's root and the value exported by all of it. */
export const parseOutMsgDescr = (cell: Cell): AugDict<CurrencyCollection> =>
  parseCell(cell, (slice) => loadAugDict(slice, loadCurrencyCollection))

/** The entry of the message with this cell hash in an `out_msg_descr` cell, or null. Opens only the path to it. */
export const outMsg = (out_msg_descr: Cell, hash: Buffer): OutMsg | null => {
  const value = dictLookup(beginParse(out_msg_descr).maybeRef(), 256, hash)
  if (!value) return null
  skipCurrencyCollection(value)
  return loadOutMsg(value)
}

/** All entries of an `out_msg_descr` cell by message hash, ascending. Throws `malformed`. */
export function* outMsgEntries(out_msg_descr: Cell, walk: DictWalk = {}): Generator<[hash: Buffer, message: OutMsg]> {
  const root = beginParse(out_msg_descr).maybeRef()
  for (const [hash, value] of dictEntries(root, 256, { ...walk, skipExtra: skipCurrencyCollection })) {
    skipCurrencyCollection(value)
    yield [hash, loadOutMsg(value)]
  }
}
