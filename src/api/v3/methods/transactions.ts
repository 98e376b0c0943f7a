import { TonlithError } from '../../../common/errors.ts'
import type { TransactionFilter, TransactionRecord } from '../../../model/index-records.ts'
import type { IndexReader } from '../../../store/queries/index-reader.ts'
import { needIndexed } from '../indexed-range.ts'
import { type Answer, type CallContext, type GetMethod, get } from '../method.ts'
import {
  addresses,
  addressOrNull,
  direction,
  hash,
  hashes,
  int32,
  lt,
  opcode,
  PAGE,
  refusal,
  required,
  seqno,
  shard,
  utime,
} from '../param.ts'
import { TRANSACTIONS } from '../schemas.ts'
import type { ReadPiece } from '../text-writer.ts'
import { transactionTexts } from '../transaction-texts.ts'

type Context = CallContext<unknown>

interface Page {
  limit: number
  offset: number
  sort: 'asc' | 'desc'
  cursor: Buffer | undefined
}

const answerPage = async (
  { index, writer, book, hasIhrFee }: Context,
  read: ReadPiece<TransactionRecord>,
  { limit, offset, sort, cursor }: Page,
): Promise<Answer> => {
  const { named, write } = transactionTexts(index(), hasIhrFee)
  const { text, next } = await writer.page(read, { limit, offset, sort, after: cursor }, write)
  return { text: `{"transactions":${text},"address_book":${await book.of(named)}}`, next }
}

/** The block that the hashes of a filter name, as part of it; undefined when it is not indexed. */
const inBlock = (
  index: IndexReader,
  {
    root_hash,
    file_hash,
    ...filter
  }: TransactionFilter & { root_hash: Buffer | undefined; file_hash: Buffer | undefined },
): TransactionFilter | undefined => {
  if (!root_hash && !file_hash) return filter
  const { workchain, shard, seqno } = filter
  const asked = { workchain, shard, seqno, root_hash, file_hash }
  const [found] = index.blocks(asked, { limit: 1, offset: 0, sort: 'asc' }).records
  return found && { ...filter, workchain: found.id.workchain, shard: found.id.shard, seqno: found.id.seqno }
}

const transactions = get({
  name: 'transactions',
  group: 'blockchain',
  summary: 'Transactions; by lt, or by time where time is filtered',
  params: {
    workchain: int32({ description: 'Workchain of their block' }),
    shard: shard(),
    seqno: seqno({ description: 'Seqno of their block' }),
    mc_seqno: seqno({ description: 'Seqno of the masterchain block that commits them' }),
    account: addresses({ description: 'Any of these accounts' }),
    exclude_account: addresses({ description: 'None of these accounts' }),
    hash: hashes({ description: 'Any of these hashes' }),
    lt: lt(),
    start_utime: utime(),
    end_utime: utime(),
    start_lt: lt({ description: 'Least lt' }),
    end_lt: lt({ description: 'Greatest lt' }),
    root_hash: hash({ description: 'Root hash of their block', hidden: true }),
    file_hash: hash({ description: 'File hash of their block', hidden: true }),
    ...PAGE,
  },
  result: TRANSACTIONS,
  errors: { 404: 'masterchain block not found: mc_seqno is not indexed' },
  call: async ({ account, exclude_account, hash, limit, offset, sort, cursor, ...rest }, context: Context) => {
    const index = context.index()
    needIndexed(index, rest.mc_seqno)
    const filter = inBlock(index, { ...rest, accounts: account, exclude_accounts: exclude_account, hashes: hash })
    if (!filter) return { text: '{"transactions":[],"address_book":{}}', next: null }
    return answerPage(context, index.pages.transactions(filter, sort), { limit, offset, sort, cursor })
  },
})

const transactionsByMasterchainBlock = get({
  name: 'transactionsByMasterchainBlock',
  group: 'blockchain',
  summary: 'Transactions of all blocks that a masterchain block commits, and of that block',
  params: {
    seqno: required(seqno({ description: 'Seqno of a masterchain block' }), 'seqno is required'),
    ...PAGE,
  },
  result: TRANSACTIONS,
  errors: { 404: 'masterchain block not found: it is not indexed' },
  call: async ({ seqno, ...page }, context: Context) => {
    const index = context.index()
    needIndexed(index, seqno)
    return answerPage(context, index.pages.transactions({ mc_seqno: seqno }, page.sort), page)
  },
})

const transactionsByMessage = get({
  name: 'transactionsByMessage',
  group: 'blockchain',
  summary: 'Transactions that took or sent a message, each once',
  params: {
    msg_hash: hashes({ description: 'Any of these message hashes, normalised or not' }),
    body_hash: hash({ description: 'Hash of the message body' }),
    opcode: opcode({ description: 'Opcode of the message that came in: hex, or a decimal that cannot be hex' }),
    direction: direction({ description: 'in: transactions that took the message; out: that sent it' }),
    source: addressOrNull({ hidden: true }),
    destination: addressOrNull({ hidden: true }),
    ...PAGE,
  },
  result: TRANSACTIONS,
  validate: ({ msg_hash, body_hash, opcode }) => {
    if (msg_hash.length === 0 && !body_hash && opcode === undefined)
      throw refusal('at least one of msg_hash, body_hash, opcode should be specified')
  },
  call: async ({ msg_hash, limit, offset, sort, cursor, ...rest }, context: Context) => {
    const index = context.index()
    const filter = { ...rest, msg_hashes: msg_hash }
    return answerPage(context, index.pages.transactionsByMessage(filter, sort), { limit, offset, sort, cursor })
  },
})

const adjacentTransactions = get({
  name: 'adjacentTransactions',
  group: 'blockchain',
  summary: 'The transaction that caused one (in), those that it caused (out), or both',
  params: {
    hash: required(hash({ description: 'Hash of a transaction' }), 'hash is required'),
    direction: direction({ description: 'in: the parent; out: the children' }),
  },
  result: TRANSACTIONS,
  errors: { 404: 'adjacent transactions not found' },
  call: async ({ hash, direction }, { index, writer, book, hasIhrFee }: Context) => {
    const read = index()
    const found = read.adjacent(hash, direction)
    if (!found) throw new TonlithError('notFound', 'adjacent transactions not found: the transaction is not indexed')
    if (found.length === 0) throw new TonlithError('notFound', 'adjacent transactions not found')
    const { named, write } = transactionTexts(read, hasIhrFee)
    const text = await writer.list(found, write)
    return { text: `{"transactions":${text},"address_book":${await book.of(named)}}` }
  },
})

/** Methods that tell of transactions (contracts/v3.md 4.2). */
export const transactionMethods: readonly GetMethod<unknown>[] = [
  transactions,
  transactionsByMasterchainBlock,
  transactionsByMessage,
  adjacentTransactions,
]
