import { createHash } from 'node:crypto'
import type { Batch, BatchAccount, BatchBlock, BatchTransaction } from '../../src/model/batch.ts'
import { messageCells, readBatchMessages } from '../../src/model/batch-message.ts'
import { type BlockIdExt, MASTERCHAIN } from '../../src/ton/block-id.ts'
import { beginCell } from '../../src/ton/builder.ts'
import type { Cell } from '../../src/ton/cell.ts'
import { makeCell, withRefs } from '../../src/ton/data-cell.ts'
import { beginParse } from '../../src/ton/slice.ts'
import { loadCurrencyCollection } from '../../src/ton/tlb/currency.ts'
import { parseMessage } from '../../src/ton/tlb/message.ts'
import { loadMsgAddressExt, loadMsgAddressInt } from '../../src/ton/tlb/msg-address.ts'

/** Where a batch is moved to: its masterchain seqno, and what is added to every lt and time. */
export interface Shift {
  seqno: number
  lt: bigint
  seconds: number
}

/** The cell with a number of `size` bits changed in place. */
const changed = (cell: Cell, at: number, size: number, change: (value: bigint) => bigint): Cell => {
  const slice = beginParse(cell)
  const head = slice.bits(at)
  const value = BigInt.asUintN(size, change(slice.uintBig(size)))
  const tail = slice.bits(slice.remainingBits)
  const built = beginCell().bits(head)
  for (let left = size; left > 0; left -= 32) built.uint(Number(BigInt.asUintN(32, value >> BigInt(left - 32))), 32)
  const { bytes, bits } = built.bits(tail).endCell()
  const refs = Array.from({ length: cell.refCount }, (_, i) => cell.ref(i))
  return makeCell(bytes, bits, refs, false)
}

const createdLtAt = (cell: Cell): number => {
  const slice = beginParse(cell)
  if (slice.bit()) {
    slice.skip(1)
    loadMsgAddressInt(slice)
    loadMsgAddressExt(slice)
  } else {
    slice.skip(3)
    loadMsgAddressInt(slice)
    loadMsgAddressInt(slice)
    loadCurrencyCollection(slice)
    slice.varUint(16)
    slice.coins()
  }
  return cell.bits - slice.remainingBits
}

const LAST_BITS = 32

/** An external message with another end of its body. */
const otherBody = (cell: Cell, { seqno }: Shift): Cell => {
  const { body, body_in_ref } = parseMessage(cell)
  const end = (of: Cell): Cell => changed(of, of.bits - LAST_BITS, LAST_BITS, (value) => value ^ BigInt(seqno))
  if (body.bits < 2 * LAST_BITS) return cell
  if (!body_in_ref) return end(cell)
  const refs = Array.from({ length: cell.refCount }, (_, i) => cell.ref(i))
  return withRefs(cell, [...refs.slice(0, -1), end(body)])
}

const shiftedMessage = (cell: Cell, shift: Shift): Cell => {
  const { info } = parseMessage(cell)
  if (info._ === 'ext_in_msg_info') return otherBody(cell, shift)
  const at = createdLtAt(cell)
  const later = changed(cell, at, 64, (lt) => lt + shift.lt)
  return changed(later, at + 64, 32, (time) => time + BigInt(shift.seconds))
}

/** The tree with some cells exchanged, by their hash. */
const exchanged = (cell: Cell, others: ReadonlyMap<string, Cell>): Cell => {
  const other = others.get(cell.hash().toString('latin1'))
  if (other) return other
  const refs = Array.from({ length: cell.refCount }, (_, i) => exchanged(cell.ref(i), others))
  return refs.every((ref, i) => ref === cell.ref(i)) ? cell : withRefs(cell, refs)
}

const shiftedTransaction = (transaction: BatchTransaction, shift: Shift): BatchTransaction => {
  const { in_msg, out_msgs } = messageCells(transaction.cell)
  const all = [...(in_msg ? [in_msg] : []), ...out_msgs]
  const others = new Map(all.map((cell) => [cell.hash().toString('latin1'), shiftedMessage(cell, shift)]))
  const later = changed(exchanged(transaction.cell, others), 260, 64, (lt) => lt + shift.lt)
  const cell = changed(later, 644, 32, (now) => now + BigInt(shift.seconds))
  return {
    ...transaction,
    ...readBatchMessages(cell),
    id: { lt: transaction.id.lt + shift.lt, hash: cell.hash() },
    now: transaction.now + shift.seconds,
    cell,
  }
}

/** Seqnos that the blocks of a shard have in a batch: no two batches share one, whichever samples they are made of. */
const SHARD_SEQNOS = 32

const otherHash = (hash: Buffer, { seqno }: Shift): Buffer =>
  createHash('sha256').update(`${seqno}`).update(hash).digest()

const shiftedAccount = (account: BatchAccount, shift: Shift): BatchAccount => {
  const data = account.data_hash && beginCell().uint(shift.seqno, 32).bytes(account.data_hash).endCell()
  return {
    ...account,
    state_hash: otherHash(account.state_hash, shift),
    last_transaction: { ...account.last_transaction, lt: account.last_transaction.lt + shift.lt },
    balance: account.balance + BigInt(shift.seqno),
    data,
    data_hash: data?.hash() ?? null,
    code: null,
  }
}

/** Bits in front of gen_utime in TL-B BlockInfo; start_lt and end_lt follow it. */
const GEN_UTIME_AT = 80 + 64 + 104

const shiftedInfo = ({ info, info_cell }: BatchBlock, shift: Shift): Cell => {
  const later = changed(info_cell, GEN_UTIME_AT, 32, () => BigInt(info.gen_utime + shift.seconds))
  const begun = changed(later, GEN_UTIME_AT + 32, 64, () => info.start_lt + shift.lt)
  return changed(begun, GEN_UTIME_AT + 96, 64, () => info.end_lt + shift.lt)
}

/**
 * A batch that happens later: other lts, times and hashes in the very cells, so that it is stored beside the first as
 * real ones are. `previous` is the masterchain block before it.
 */
export const shiftedBatch = (batch: Batch, shift: Shift, previous: BlockIdExt | undefined): Batch => {
  const newest = Math.max(...batch.blocks.map(({ id }) => (id.workchain === MASTERCHAIN ? 0 : id.seqno)))
  const idOf = (id: BlockIdExt): BlockIdExt => ({
    ...id,
    seqno: id.workchain === MASTERCHAIN ? shift.seqno : shift.seqno * SHARD_SEQNOS - newest + id.seqno,
    root_hash: otherHash(id.root_hash, shift),
    file_hash: otherHash(id.file_hash, shift),
  })
  return {
    ...batch,
    mc: idOf(batch.mc),
    gen_utime: batch.gen_utime + shift.seconds,
    blocks: batch.blocks.map((block) => ({
      ...block,
      id: idOf(block.id),
      info: {
        ...block.info,
        gen_utime: block.info.gen_utime + shift.seconds,
        start_lt: block.info.start_lt + shift.lt,
        end_lt: block.info.end_lt + shift.lt,
      },
      info_cell: shiftedInfo(block, shift),
      prev: block.id.workchain === MASTERCHAIN && previous ? [previous] : block.prev,
    })),
    transactions: batch.transactions.map((transaction) => shiftedTransaction(transaction, shift)),
    accounts: batch.accounts.map((account) => shiftedAccount(account, shift)),
  }
}
