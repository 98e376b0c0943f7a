import type { AccountStatus } from '../model/account.ts'
import type { Batch, BatchAccount, BatchMessage, BatchTransaction, MessageKind } from '../model/batch.ts'
import { bagOf } from '../ton/boc.ts'
import type { Cell } from '../ton/cell.ts'
import { makeCell } from '../ton/data-cell.ts'
import { type WireReader, type WireStreams, type WireWriter, wireReader, wireWriter } from './wire.ts'

/**
 * The transactions and accounts of a parsed batch as flat streams, to cross to another thread with the bags of cells of its
 * blocks. A cell is its place in the bag of a block; the body of a message that has no cell of its own is written out.
 */

const KINDS: readonly MessageKind[] = ['ext_in', 'internal', 'ext_out']
const KIND = 3
const HAS_NORM = 4
const HAS_SOURCE = 8
const HAS_DESTINATION = 16
const IS_CREATED = 32
const HAS_OPCODE = 64

const STATUSES: readonly AccountStatus[] = ['nonexist', 'uninit', 'active', 'frozen']
const HAS_FROZEN = 4
const HAS_CODE_HASH = 8
const HAS_DATA_HASH = 16
const HAS_CODE = 32
const HAS_DATA = 64
const HAS_HIDDEN = 128

/** Where the cells of a batch are: block by block, and the way back. */
export type CellsOfBlocks = readonly ((place: number) => Cell)[]

/** Of a built cell in place of its place: its bits stand above. */
const BUILT = 0x80000000
const REF_COUNT_BITS = 3

const writeBody = (wire: WireWriter, body: Cell): void => {
  const held = bagOf(body)
  if (held) {
    wire.word(held.place)
    return
  }
  const { bits, refCount, start } = body
  wire.word((BUILT | (bits << REF_COUNT_BITS) | refCount) >>> 0)
  for (let i = 0; i < refCount; i++) wire.word(bagOf(body.ref(i))!.place)
  wire.bytes(body.bytes.subarray(start, start + ((bits + 7) >> 3)))
}

/** A cell is made when it is asked for. */
const readBody = (wire: WireReader, cellAt: (place: number) => Cell): (() => Cell) => {
  const head = wire.word()
  if (head < BUILT) return () => cellAt(head)
  const bits = (head & ~BUILT) >>> REF_COUNT_BITS
  const places = Array.from({ length: head & ((1 << REF_COUNT_BITS) - 1) }, wire.word)
  const bytes = wire.bytes((bits + 7) >> 3)
  let made: Cell | undefined
  return () => (made ??= makeCell(bytes, bits, places.map(cellAt)))
}

const writeMessage = (wire: WireWriter, message: BatchMessage): void => {
  const { kind, hash, hash_norm, source, destination, created_lt, created_at, opcode, body_hash, body } = message
  const isCreated = created_lt !== null && created_at !== null
  wire.word(
    KINDS.indexOf(kind) |
      (hash_norm ? HAS_NORM : 0) |
      (source ? HAS_SOURCE : 0) |
      (destination ? HAS_DESTINATION : 0) |
      (isCreated ? IS_CREATED : 0) |
      (opcode === null ? 0 : HAS_OPCODE),
  )
  wire.bytes(hash)
  if (hash_norm) wire.bytes(hash_norm)
  if (source) wire.address(source)
  if (destination) wire.address(destination)
  if (isCreated) {
    wire.long(created_lt)
    wire.word(created_at)
  }
  if (opcode !== null) wire.word(opcode)
  wire.bytes(body_hash)
  writeBody(wire, body)
}

const readMessage = (wire: WireReader, cellAt: (place: number) => Cell): BatchMessage => {
  const head = wire.word()
  const hash = wire.hash()
  const hash_norm = head & HAS_NORM ? wire.hash() : null
  const source = head & HAS_SOURCE ? wire.address() : null
  const destination = head & HAS_DESTINATION ? wire.address() : null
  const created_lt = head & IS_CREATED ? wire.long() : null
  const created_at = head & IS_CREATED ? wire.word() : null
  const opcode = head & HAS_OPCODE ? wire.word() : null
  const body_hash = wire.hash()
  const bodyOf = readBody(wire, cellAt)
  return {
    kind: KINDS[head & KIND]!,
    hash,
    hash_norm,
    source,
    destination,
    created_lt,
    created_at,
    opcode,
    body_hash,
    get body() {
      return bodyOf()
    },
  }
}

const STATUS_BITS = 2
const STATUS = (1 << STATUS_BITS) - 1

const writeTransaction = (wire: WireWriter, transaction: BatchTransaction): void => {
  const { account, id, now, orig_status, end_status, block, cell, in_msg, out_msgs } = transaction
  wire.address(account)
  wire.long(id.lt)
  wire.bytes(id.hash)
  wire.word(now)
  wire.word(STATUSES.indexOf(orig_status) | (STATUSES.indexOf(end_status) << STATUS_BITS))
  wire.word(block)
  wire.word(bagOf(cell)!.place)
  wire.word(out_msgs.length * 2 + (in_msg ? 1 : 0))
  if (in_msg) writeMessage(wire, in_msg)
  for (const message of out_msgs) writeMessage(wire, message)
}

const readTransaction = (wire: WireReader, index: number, cells: CellsOfBlocks): BatchTransaction => {
  const account = wire.address()
  const id = { lt: wire.long(), hash: wire.hash() }
  const now = wire.word()
  const statuses = wire.word()
  const block = wire.word()
  const cellAt = cells[block]!
  const place = wire.word()
  const messages = wire.word()
  const in_msg = messages & 1 ? readMessage(wire, cellAt) : null
  const out_msgs = Array.from({ length: messages >>> 1 }, () => readMessage(wire, cellAt))
  return {
    account,
    id,
    now,
    orig_status: STATUSES[statuses & STATUS]!,
    end_status: STATUSES[statuses >> STATUS_BITS]!,
    block,
    index,
    cell: cellAt(place),
    in_msg,
    out_msgs,
  }
}

const writeCell = (wire: WireWriter, cell: Cell, blocks: ReadonlyMap<object, number>): void => {
  const { bag, place } = bagOf(cell)!
  wire.word(blocks.get(bag)!)
  wire.word(place)
}

const writeAccount = (wire: WireWriter, account: BatchAccount, blocks: ReadonlyMap<object, number>): void => {
  const { address, state_hash, status, balance, extra_currencies, hidden_extra, last_transaction } = account
  const { frozen_hash, code_hash, data_hash, code, data } = account
  wire.word(
    STATUSES.indexOf(status) |
      (frozen_hash ? HAS_FROZEN : 0) |
      (code_hash ? HAS_CODE_HASH : 0) |
      (data_hash ? HAS_DATA_HASH : 0) |
      (code ? HAS_CODE : 0) |
      (data ? HAS_DATA : 0) |
      (hidden_extra ? HAS_HIDDEN : 0),
  )
  wire.address(address)
  wire.bytes(state_hash)
  wire.big(balance)
  wire.word(extra_currencies.length)
  for (const [id, amount] of extra_currencies) {
    wire.word(id)
    wire.big(amount)
  }
  wire.long(last_transaction.lt)
  wire.bytes(last_transaction.hash)
  for (const hash of [frozen_hash, code_hash, data_hash]) if (hash) wire.bytes(hash)
  for (const cell of [code, data, hidden_extra]) if (cell) writeCell(wire, cell, blocks)
}

const readAccount = (wire: WireReader, cells: CellsOfBlocks): BatchAccount => {
  const head = wire.word()
  const cell = (): Cell => cells[wire.word()]!(wire.word())
  const address = wire.address()
  const state_hash = wire.hash()
  const balance = wire.big()
  const extra_currencies = Array.from({ length: wire.word() }, (): [number, bigint] => [wire.word(), wire.big()])
  const last_transaction = { lt: wire.long(), hash: wire.hash() }
  const frozen_hash = head & HAS_FROZEN ? wire.hash() : null
  const code_hash = head & HAS_CODE_HASH ? wire.hash() : null
  const data_hash = head & HAS_DATA_HASH ? wire.hash() : null
  const code = head & HAS_CODE ? cell() : null
  const data = head & HAS_DATA ? cell() : null
  return {
    address,
    state_hash,
    status: STATUSES[head & STATUS]!,
    balance,
    extra_currencies,
    ...(head & HAS_HIDDEN ? { hidden_extra: cell() } : {}),
    last_transaction,
    frozen_hash,
    code_hash,
    data_hash,
    code,
    data,
  }
}

/** The transactions and accounts of a batch that parseBatch gave, with all its transactions. */
export const encodeBatch = ({ blocks, transactions, accounts }: Batch): WireStreams => {
  const wire = wireWriter()
  const places = new Map(blocks.map(({ root }, place) => [bagOf(root)!.bag, place]))
  wire.word(transactions.length)
  for (const transaction of transactions) writeTransaction(wire, transaction)
  wire.word(accounts.length)
  for (const account of accounts) writeAccount(wire, account, places)
  return wire.end()
}

/** Reads what encodeBatch wrote. Bytes are views of the streams, bodies of messages are made when they are asked for. */
export const decodeBatch = (streams: WireStreams, cells: CellsOfBlocks): Pick<Batch, 'transactions' | 'accounts'> => {
  const wire = wireReader(streams)
  const transactions = Array.from({ length: wire.word() }, (_, index) => readTransaction(wire, index, cells))
  return { transactions, accounts: Array.from({ length: wire.word() }, () => readAccount(wire, cells)) }
}
