import type { Cell } from '../../../src/ton/cell.ts'
import type { Slice } from '../../../src/ton/slice.ts'
import { addCurrencies, type CurrencyCollection, currencyAug, NO_CURRENCY } from '../../../src/ton/tlb/currency.ts'
import {
  type ImportFees,
  type InMsg,
  importFeesAug,
  inMsgEntries,
  loadInMsg,
  parseInMsgDescr,
} from '../../../src/ton/tlb/in-msg.ts'
import { parseMessageInfo } from '../../../src/ton/tlb/message.ts'
import { parseMsgEnvelope } from '../../../src/ton/tlb/msg-envelope.ts'
import { loadOutMsg, type OutMsg, outMsgEntries, parseOutMsgDescr } from '../../../src/ton/tlb/out-msg.ts'
import { checkAugDict } from './augmented.ts'
import type { ReadBlock } from './checked-block.ts'
import { type BlockTransactions, sentMessages } from './checked-transactions.ts'
import type { Need } from './fault.ts'

const hex = (hash: Buffer): string => hash.toString('hex')

/** What an envelope carries: the message's value and the forward fees that are left. */
export const carriedValue = (envelope: Cell): CurrencyCollection => {
  const { msg, fwd_fee_remaining } = parseMsgEnvelope(envelope)
  const info = parseMessageInfo(msg)
  const value = info._ === 'int_msg_info' ? info.value : NO_CURRENCY
  return addCurrencies(value, { grams: fwd_fee_remaining, other: null })
}

const importFees = (message: InMsg): ImportFees => {
  switch (message._) {
    case 'msg_import_imm':
      return { fees_collected: message.fwd_fee, value_imported: NO_CURRENCY }
    case 'msg_import_fin':
    case 'msg_import_deferred_fin':
      return { fees_collected: message.fwd_fee, value_imported: carriedValue(message.in_msg) }
    case 'msg_import_tr':
      return { fees_collected: message.transit_fee, value_imported: carriedValue(message.in_msg) }
    case 'msg_import_deferred_tr':
      return { fees_collected: 0n, value_imported: carriedValue(message.in_msg) }
    default:
      return importFeesAug.empty
  }
}

const exportedValue = (message: OutMsg): CurrencyCollection => {
  switch (message._) {
    case 'msg_export_new':
    case 'msg_export_tr':
    case 'msg_export_tr_req':
    case 'msg_export_new_defer':
    case 'msg_export_deferred_tr':
      return carriedValue(message.out_msg)
    default:
      return NO_CURRENCY
  }
}

/** The hash that an entry is about; undefined where only the hash of its envelope is there. */
const messageOf = (entry: InMsg | OutMsg): Buffer | undefined => {
  if ('msg' in entry) return entry.msg.hash()
  if ('in_msg' in entry) return parseMsgEnvelope(entry.in_msg).msg.hash()
  return 'out_msg' in entry ? parseMsgEnvelope(entry.out_msg).msg.hash() : undefined
}

/** What a block does with internal messages. */
export interface BlockMessages {
  fees: ImportFees
  exported: CurrencyCollection
  /** Hashes of the internal messages that its transactions sent, and that its transactions took. */
  sent: Set<string>
  taken: Set<string>
  external: { in: number; out: number }
}

/** Each transaction took the message that InMsgDescr says, and sent those that OutMsgDescr says: all of them, once. */
export const checkMessages = (
  { extra }: ReadBlock,
  transactions: BlockTransactions,
  special: ReadonlySet<string>,
  need: Need,
): BlockMessages => {
  const found: BlockMessages = {
    fees: importFeesAug.empty,
    exported: NO_CURRENCY,
    sent: new Set(),
    taken: new Set(),
    external: { in: 0, out: 0 },
  }
  const imports = parseInMsgDescr(extra.in_msg_descr)
  const exports = parseOutMsgDescr(extra.out_msg_descr)
  const importExtra = (value: Slice): ImportFees => importFees(loadInMsg(value))
  const exportExtra = (value: Slice): CurrencyCollection => exportedValue(loadOutMsg(value))
  checkAugDict(imports, { keyBits: 256, aug: importFeesAug, extraOf: importExtra, what: 'InMsgDescr' })
  checkAugDict(exports, { keyBits: 256, aug: currencyAug, extraOf: exportExtra, what: 'OutMsgDescr' })
  found.fees = imports.extra
  found.exported = exports.extra

  const served = new Set<string>()
  for (const [key, message] of inMsgEntries(extra.in_msg_descr)) {
    const name = `${message._} ${hex(key)}`
    need(messageOf(message)?.equals(key) === true, `${name} is about another message`)
    if (!('transaction' in message)) continue
    const by = hex(message.transaction.hash())
    const transaction = transactions.get(by)
    need(transaction !== undefined, `${name} names a transaction that the block lacks`)
    need(transaction!.in_msg?.hash().equals(key) === true, `${name} names a transaction that took another message`)
    need(!served.has(by), `${name}: its transaction took two messages`)
    served.add(by)
    if (message._ === 'msg_import_ext') found.external.in++
    else if (!special.has(hex(key))) found.taken.add(hex(key))
  }
  for (const [by, { in_msg }] of transactions)
    need(in_msg === null || served.has(by), `transaction ${by} took a message that InMsgDescr lacks`)

  const sent = sentMessages(transactions)
  const listed = new Set<string>()
  for (const [key, message] of outMsgEntries(extra.out_msg_descr)) {
    const name = `${message._} ${hex(key)}`
    const about = messageOf(message)
    need(about === undefined || about.equals(key), `${name} is about another message`)
    if (!('transaction' in message)) continue
    need(sent.get(hex(key))?.by === hex(message.transaction.hash()), `${name} names a transaction that did not send it`)
    listed.add(hex(key))
  }
  for (const [key, { message }] of sent) {
    need(listed.has(key), `message ${key} was sent and OutMsgDescr lacks it`)
    if (parseMessageInfo(message)._ === 'int_msg_info') found.sent.add(key)
    else found.external.out++
  }
  return found
}
