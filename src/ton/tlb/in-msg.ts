import type { Builder } from '../builder.ts'
import type { Cell } from '../cell.ts'
import { type DictWalk, dictEntries, dictLookup } from '../dictionary.ts'
import type { Augmentation } from '../dictionary-node.ts'
import { beginParse, type Slice } from '../slice.ts'
import { type AugDict, loadAugDict } from './aug-dict.ts'
import {
  addCurrencies,
  type CurrencyCollection,
  loadCurrencyCollection,
  NO_CURRENCY,
  skipCurrencyCollection,
  storeCurrencyCollection,
} from './currency.ts'
import { buildCell, malformed, parseCell } from './tag.ts'

/**
 * TL-B InMsg. Cells stay closed: `msg` is for parseMessage, `transaction` for parseTransaction, `in_msg` and `out_msg`
 * for parseMsgEnvelope. Fees in nano-units.
 */
export type InMsg =
  | { _: 'msg_import_ext'; msg: Cell; transaction: Cell }
  | { _: 'msg_import_ihr'; msg: Cell; transaction: Cell; ihr_fee: bigint; proof_created: Cell }
  | { _: 'msg_import_imm'; in_msg: Cell; transaction: Cell; fwd_fee: bigint }
  | { _: 'msg_import_fin'; in_msg: Cell; transaction: Cell; fwd_fee: bigint }
  | { _: 'msg_import_tr'; in_msg: Cell; out_msg: Cell; transit_fee: bigint }
  | { _: 'msg_discard_fin'; in_msg: Cell; transaction_id: bigint; fwd_fee: bigint }
  | { _: 'msg_discard_tr'; in_msg: Cell; transaction_id: bigint; fwd_fee: bigint; proof_delivered: Cell }
  | { _: 'msg_import_deferred_fin'; in_msg: Cell; transaction: Cell; fwd_fee: bigint }
  | { _: 'msg_import_deferred_tr'; in_msg: Cell; out_msg: Cell }

/** TL-B ImportFees, the augmentation of InMsgDescr. */
export interface ImportFees {
  fees_collected: bigint
  value_imported: CurrencyCollection
}

const loadImportFees = (slice: Slice): ImportFees => ({
  fees_collected: slice.coins(),
  value_imported: loadCurrencyCollection(slice),
})

const storeImportFees = (builder: Builder, { fees_collected, value_imported }: ImportFees): Builder =>
  storeCurrencyCollection(builder.coins(fees_collected), value_imported)

/** Augmentation of InMsgDescr: the sum of fees and values. */
export const importFeesAug: Augmentation<ImportFees> = {
  load: loadImportFees,
  store: storeImportFees,
  combine: (a, b) => ({
    fees_collected: a.fees_collected + b.fees_collected,
    value_imported: addCurrencies(a.value_imported, b.value_imported),
  }),
  empty: { fees_collected: 0n, value_imported: NO_CURRENCY },
}

const skipImportFees = (slice: Slice): void => {
  slice.coins()
  skipCurrencyCollection(slice)
}

const loadDeferred = (slice: Slice): InMsg => {
  switch (slice.uint(2)) {
    case 0:
      return {
        _: 'msg_import_deferred_fin',
        in_msg: slice.ref(),
        transaction: slice.ref(),
        fwd_fee: slice.coins(),
      }
    case 1:
      return { _: 'msg_import_deferred_tr', in_msg: slice.ref(), out_msg: slice.ref() }
    default:
      throw malformed('InMsg')
  }
}

/** TL-B InMsg. Throws `malformed`. */
export const loadInMsg = (slice: Slice): InMsg => {
  switch (slice.uint(3)) {
    case 0:
      return { _: 'msg_import_ext', msg: slice.ref(), transaction: slice.ref() }
    case 1:
      return loadDeferred(slice)
    case 2:
      return {
        _: 'msg_import_ihr',
        msg: slice.ref(),
        transaction: slice.ref(),
        ihr_fee: slice.coins(),
        proof_created: slice.ref(),
      }
    case 3:
      return { _: 'msg_import_imm', in_msg: slice.ref(), transaction: slice.ref(), fwd_fee: slice.coins() }
    case 4:
      return { _: 'msg_import_fin', in_msg: slice.ref(), transaction: slice.ref(), fwd_fee: slice.coins() }
    case 5:
      return { _: 'msg_import_tr', in_msg: slice.ref(), out_msg: slice.ref(), transit_fee: slice.coins() }
    case 6:
      return {
        _: 'msg_discard_fin',
        in_msg: slice.ref(),
        transaction_id: slice.uintBig(64),
        fwd_fee: slice.coins(),
      }
    default:
      return {
        _: 'msg_discard_tr',
        in_msg: slice.ref(),
        transaction_id: slice.uintBig(64),
        fwd_fee: slice.coins(),
        proof_delivered: slice.ref(),
      }
  }
}

/** TL-B ^InMsg. Throws `malformed`. */
export const parseInMsg = (cell: Cell): InMsg => parseCell(cell, loadInMsg)

/** Writes TL-B InMsg. */
export const storeInMsg = (builder: Builder, message: InMsg): Builder => {
  switch (message._) {
    case 'msg_import_ext':
      return builder.uint(0, 3).ref(message.msg).ref(message.transaction)
    case 'msg_import_deferred_fin':
      return builder.uint(0b00100, 5).ref(message.in_msg).ref(message.transaction).coins(message.fwd_fee)
    case 'msg_import_deferred_tr':
      return builder.uint(0b00101, 5).ref(message.in_msg).ref(message.out_msg)
    case 'msg_import_ihr':
      return builder
        .uint(2, 3)
        .ref(message.msg)
        .ref(message.transaction)
        .coins(message.ihr_fee)
        .ref(message.proof_created)
    case 'msg_import_imm':
      return builder.uint(3, 3).ref(message.in_msg).ref(message.transaction).coins(message.fwd_fee)
    case 'msg_import_fin':
      return builder.uint(4, 3).ref(message.in_msg).ref(message.transaction).coins(message.fwd_fee)
    case 'msg_import_tr':
      return builder.uint(5, 3).ref(message.in_msg).ref(message.out_msg).coins(message.transit_fee)
    case 'msg_discard_fin':
      return builder.uint(6, 3).ref(message.in_msg).uint(message.transaction_id, 64).coins(message.fwd_fee)
    case 'msg_discard_tr':
      return builder
        .uint(7, 3)
        .ref(message.in_msg)
        .uint(message.transaction_id, 64)
        .coins(message.fwd_fee)
        .ref(message.proof_delivered)
  }
}

/** TL-B ^InMsg. */
export const buildInMsg = (message: InMsg): Cell => buildCell(storeInMsg, message)

/** TL-B InMsgDescr: the dictionary's root and the fees of all of it. */
export const parseInMsgDescr = (cell: Cell): AugDict<ImportFees> =>
  parseCell(cell, (slice) => loadAugDict(slice, loadImportFees))

/** The entry of the message with this cell hash in an `in_msg_descr` cell, or null. Opens only the path to it. */
export const inMsg = (in_msg_descr: Cell, hash: Buffer): InMsg | null => {
  const value = dictLookup(beginParse(in_msg_descr).maybeRef(), 256, hash)
  if (!value) return null
  skipImportFees(value)
  return loadInMsg(value)
}

/** All entries of an `in_msg_descr` cell by message hash, ascending. Throws `malformed`. */
export function* inMsgEntries(in_msg_descr: Cell, walk: DictWalk = {}): Generator<[hash: Buffer, message: InMsg]> {
  const root = beginParse(in_msg_descr).maybeRef()
  for (const [hash, value] of dictEntries(root, 256, { ...walk, skipExtra: skipImportFees })) {
    skipImportFees(value)
    yield [hash, loadInMsg(value)]
  }
}
