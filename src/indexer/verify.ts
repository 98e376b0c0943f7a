import type { Batch, BatchAccount, BatchMessage, BatchTransaction } from '../model/batch.ts'
import type { MessageRecord, StateRecord, TransactionRecord } from '../model/index-records.ts'
import type { IndexReader } from '../store/queries/index-reader.ts'
import { rawAddress, sameAddress } from '../ton/address.ts'
import { blockIdText, sameBlock } from '../ton/block-id.ts'
import type { Cell } from '../ton/cell.ts'

const PAGE = 1_000

const isSame = (a: Buffer | null, b: Buffer | null): boolean => (a && b ? a.equals(b) : a === b)

const text = (hash: Buffer): string => hash.toString('hex')

function* storedTransactions(reader: IndexReader, mc_seqno: number): Generator<TransactionRecord> {
  let after: Buffer | undefined
  for (;;) {
    const { records, next } = reader.transactions({ mc_seqno }, { limit: PAGE, offset: 0, sort: 'asc', after })
    yield* records
    if (!next) return
    after = next
  }
}

function* blockDifferences(reader: IndexReader, { mc, blocks }: Batch): Generator<string> {
  const page = { limit: blocks.length + 1, offset: 0, sort: 'asc' } as const
  const stored = reader.blocks({ mc_seqno: mc.seqno }, page).records
  if (stored.length !== blocks.length) yield `${stored.length} blocks instead of ${blocks.length}`
  for (const block of blocks) {
    const found = stored.find(({ id }) => sameBlock(id, block.id))
    const right =
      found &&
      found.global_id === block.global_id &&
      found.tx_count === block.tx_count &&
      found.rand_seed.equals(block.rand_seed) &&
      found.created_by.equals(block.created_by) &&
      found.info.end_lt === block.info.end_lt &&
      found.info.prev_ref.hash().equals(block.info.prev_ref.hash())
    if (!right) yield `block ${blockIdText(block.id)} ${found ? 'differs' : 'is missing'}`
  }
}

/** An index may hold more than what is wanted of a block, of accounts that were chosen once, but nothing else than that. */
function* transactionDifferences(reader: IndexReader, batch: Batch, whole: Batch): Generator<string> {
  const { mc, blocks, transactions } = batch
  const stored = new Map(Array.from(storedTransactions(reader, mc.seqno), (one) => [text(one.id.hash), one] as const))
  const inOrder = whole.transactions.map(({ id }) => text(id.hash)).filter((hash) => stored.has(hash))
  if (inOrder.length !== stored.size) yield `${stored.size - inOrder.length} transactions that are not in it`
  else if (![...stored.keys()].every((hash, i) => hash === inOrder[i])) yield 'its transactions are in another order'
  for (const wanted of transactions) {
    const found = stored.get(text(wanted.id.hash))
    const block = blocks[wanted.block]!.id
    const right =
      found?.cell.hash().equals(wanted.id.hash) &&
      found.id.hash.equals(wanted.id.hash) &&
      found.id.lt === wanted.id.lt &&
      found.now === wanted.now &&
      sameAddress(found.account, wanted.account) &&
      found.block.workchain === block.workchain &&
      found.block.shard === block.shard &&
      found.block.seqno === block.seqno
    if (!right) yield `transaction ${text(wanted.id.hash)} ${found ? 'differs' : 'is missing'}`
    else yield* messageDifferences(reader, wanted)
  }
}

/** The record of a message among those that were found by its hash, on the side that a transaction has it. */
const sideOf = (records: readonly MessageRecord[], hash: Buffer, side: 'in_tx' | 'out_tx'): MessageRecord | undefined =>
  records.find((record) => isSame(record[side], hash))

/**
 * The cell of a message as the index tells it of one side, from 0 for the one that came in. Many transactions can have
 * taken the same message from outside: only the one that is asked about is looked at.
 */
const storedMessage = (
  reader: IndexReader,
  transaction: Buffer,
  message: BatchMessage,
  n: number,
): Cell | undefined => {
  if (message.kind !== 'internal') return reader.messageOf(transaction, message.hash, n)
  const page = { limit: PAGE, offset: 0, sort: 'asc' } as const
  const { records } = reader.messages({ hashes: [message.hash] }, page)
  return sideOf(records, transaction, n === 0 ? 'in_tx' : 'out_tx')?.cell
}

function* messageDifferences(reader: IndexReader, { id, in_msg, out_msgs }: BatchTransaction): Generator<string> {
  const sides = out_msgs.map((message, i): [BatchMessage, number] => [message, i + 1])
  if (in_msg) sides.push([in_msg, 0])
  for (const [message, n] of sides) {
    const found = storedMessage(reader, id.hash, message, n)
    if (!found) yield `message ${text(message.hash)} of transaction ${text(id.hash)} is missing`
    else if (!found.hash().equals(message.hash)) yield `message ${text(message.hash)} differs`
  }
}

const sameState = (found: StateRecord, wanted: BatchAccount): boolean =>
  found.status === wanted.status &&
  found.balance === wanted.balance &&
  isSame(found.code_hash, wanted.code_hash) &&
  isSame(found.data_hash, wanted.data_hash) &&
  isSame(found.frozen_hash, wanted.frozen_hash)

function* accountDifferences(reader: IndexReader, { mc, accounts }: Batch): Generator<string> {
  for (const account of accounts) {
    const state = reader.stateByHash(account.state_hash)
    const [latest] = reader.accountStates([account.address])
    const name = rawAddress(account.address)
    if (!state) yield `state ${text(account.state_hash)} of account ${name} is missing`
    else if (!sameState(state, account)) yield `state ${text(account.state_hash)} of account ${name} differs`
    if (!latest) yield `account ${name} is missing`
    else if (latest.mc_seqno < mc.seqno) yield `account ${name} stands at masterchain block ${latest.mc_seqno}`
  }
}

function* traceDifferences(reader: IndexReader, { transactions }: Batch): Generator<string> {
  for (const { id } of transactions) {
    const page = { limit: 2, offset: 0, sort: 'asc' } as const
    const { records } = reader.traces({ tx_hashes: [id.hash] }, page)
    if (records.length !== 1) yield `transaction ${text(id.hash)} is in ${records.length} traces`
  }
}

/**
 * Compares what is stored of a masterchain block with what its blocks hold: blocks, transactions, messages on each side,
 * account states, and that each transaction is in one trace. Gives a line for each difference. What accounts are and what
 * transactions moved is told by get-methods and not by the blocks: it is not derived anew here, nor is what traces did;
 * entityFaults, transferFaults and actionFaults of the store compare the rows with the lists.
 * @param batch what must be there
 * @param whole what may be there
 */
export function* verifyBatch(reader: IndexReader, batch: Batch, whole: Batch): Generator<string> {
  if (!reader.covers(batch.mc.seqno)) {
    yield 'is not indexed'
    return
  }
  yield* blockDifferences(reader, batch)
  yield* transactionDifferences(reader, batch, whole)
  yield* accountDifferences(reader, batch)
  yield* traceDifferences(reader, batch)
}
