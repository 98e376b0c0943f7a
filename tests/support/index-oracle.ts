import type { Batch, BatchAccount, BatchBlock, BatchMessage, BatchTransaction } from '../../src/model/batch.ts'
import type {
  BlockFilter,
  MessageFilter,
  Page,
  SortOrder,
  TraceFilter,
  TransactionFilter,
  TransactionsByMessageFilter,
} from '../../src/model/index-records.ts'
import { transactionKey } from '../../src/model/trace-changes.ts'
import { type Address, rawAddress } from '../../src/ton/address.ts'

/** Arrays and filters: what an index of some batches has to answer, said as plainly as possible. */

type Side = { transaction: OracleTransaction; n: number }

export interface OracleTransaction extends BatchTransaction {
  mc_seqno: number
  key: bigint
  of: { workchain: number; shard: bigint; seqno: number }
  /** The root of its trace. */
  root: OracleTransaction
}

export interface OracleMessage {
  message: BatchMessage
  taken: Side | undefined
  sent: Side | undefined
  lt: bigint
  utime: number
}

export interface OracleTrace {
  root: OracleTransaction
  members: OracleTransaction[]
  end_lt: bigint
  end_utime: number
  mc_seqno_end: number
  pending_edges: number
  state: 'complete' | 'pending' | 'broken'
}

export interface OracleBlock extends BatchBlock {
  mc_seqno: number
}

type Order<T> = (a: T, b: T) => number

const compare = (a: bigint | number, b: bigint | number): number => (a < b ? -1 : a > b ? 1 : 0)
const compareAddresses: Order<Address> = (a, b) => compare(a.workchain, b.workchain) || a.hash.compare(b.hash)
const inOrder =
  <T>(...orders: Order<T>[]): Order<T> =>
  (a, b) => {
    for (const order of orders) {
      const result = order(a, b)
      if (result !== 0) return result
    }
    return 0
  }
const directed =
  <T>(sort: SortOrder, order: Order<T>): Order<T> =>
  (a, b) =>
    sort === 'asc' ? order(a, b) : order(b, a)
const by =
  <T>(value: (item: T) => bigint | number): Order<T> =>
  (a, b) =>
    compare(value(a), value(b))

const isIn = (value: bigint | number, low: bigint | number | undefined, high: bigint | number | undefined): boolean =>
  (low === undefined || value >= low) && (high === undefined || value <= high)
const is = <T>(value: T, wanted: T | undefined): boolean => wanted === undefined || value === wanted
const isHash = (value: Buffer, wanted: Buffer | undefined): boolean => !wanted || value.equals(wanted)
const isAny = (value: Buffer | null, wanted: readonly Buffer[] | undefined): boolean =>
  !wanted || wanted.length === 0 || wanted.some((hash) => value?.equals(hash))
const text = (address: Address | null): string => (address ? rawAddress(address) : 'none')
const isAt = (value: Address | null, wanted: Address | null | undefined): boolean =>
  wanted === undefined || text(value) === text(wanted)

const isSystem = ({ source }: BatchMessage): boolean =>
  source !== null && source.workchain === -1 && source.hash.every((byte) => byte === 0)

export type IndexOracle = ReturnType<typeof createOracle>

/** The page of a list. */
export const pageOf = <T>(list: readonly T[], { limit, offset }: Page): T[] => list.slice(offset, offset + limit)

export const createOracle = (batches: readonly Batch[]) => {
  const blocks: OracleBlock[] = batches.flatMap(({ mc, blocks }) =>
    blocks.map((block) => ({ ...block, mc_seqno: mc.seqno })),
  )
  const transactions = batches.flatMap((batch) =>
    batch.transactions.map((transaction): OracleTransaction => {
      const { workchain, shard, seqno } = batch.blocks[transaction.block]!.id
      const own = {
        ...transaction,
        mc_seqno: batch.mc.seqno,
        key: transactionKey(batch.mc.seqno, transaction.index),
        of: { workchain, shard, seqno },
      }
      const whole: OracleTransaction = Object.assign(own, { root: own as OracleTransaction })
      return whole
    }),
  )

  const internal = new Map<string, { taken?: Side; sent?: Side; message: BatchMessage }>()
  const messages: OracleMessage[] = []
  for (const transaction of transactions) {
    const { in_msg, out_msgs, id, now } = transaction
    const sides = [in_msg, ...out_msgs].map((message, n) => ({ message, n }))
    for (const { message, n } of sides) {
      if (!message) continue
      const side = { transaction, n }
      if (message.kind === 'internal') {
        const name = message.hash.toString('hex')
        const known = internal.get(name) ?? { message }
        internal.set(name, n === 0 ? { ...known, taken: side } : { ...known, sent: side })
      } else {
        const [taken, sent] = n === 0 ? [side, undefined] : [undefined, side]
        messages.push({ message, taken, sent, lt: message.created_lt ?? id.lt, utime: message.created_at ?? now })
      }
    }
  }
  for (const { message, taken, sent } of internal.values())
    messages.push({ message, taken, sent, lt: message.created_lt!, utime: message.created_at! })

  const parentOf = ({ in_msg }: OracleTransaction): OracleTransaction | undefined =>
    in_msg?.kind === 'internal' ? internal.get(in_msg.hash.toString('hex'))?.sent?.transaction : undefined
  const rootOf = (transaction: OracleTransaction): OracleTransaction => {
    let root = transaction
    for (let parent = parentOf(root); parent; parent = parentOf(root)) root = parent
    return root
  }
  const members = new Map<OracleTransaction, OracleTransaction[]>()
  for (const transaction of transactions) {
    transaction.root = rootOf(transaction)
    members.set(transaction.root, [...(members.get(transaction.root) ?? []), transaction])
  }
  const max = <T extends bigint | number>(values: T[]): T =>
    [...values].sort((a, b) => (a < b ? 1 : a > b ? -1 : 0))[0]!
  const traces = [...members].map(([root, all]): OracleTrace => {
    const pending_edges = all
      .flatMap(({ out_msgs }) => out_msgs)
      .filter(({ kind, hash }) => kind === 'internal' && !internal.get(hash.toString('hex'))?.taken).length
    const isBroken = root.in_msg?.kind === 'internal' && !isSystem(root.in_msg)
    return {
      root,
      members: all,
      end_lt: max(all.map(({ id }) => id.lt)),
      end_utime: max(all.map(({ now }) => now)),
      mc_seqno_end: max(all.map(({ mc_seqno }) => mc_seqno)),
      pending_edges,
      state: isBroken ? 'broken' : pending_edges > 0 ? 'pending' : 'complete',
    }
  })

  const latest = new Map<string, BatchAccount>()
  for (const account of batches.flatMap(({ accounts }) => accounts)) {
    const known = latest.get(text(account.address))
    if (!known || known.last_transaction.lt < account.last_transaction.lt) latest.set(text(account.address), account)
  }

  const ltOf = ({ id }: OracleTransaction): bigint => id.lt
  const byAccount: Order<OracleTransaction> = inOrder(
    (a, b) => compareAddresses(a.account, b.account),
    by((one) => one.key),
  )
  const isTimed = ({ start_utime, end_utime }: { start_utime?: number | undefined; end_utime?: number | undefined }) =>
    start_utime !== undefined || end_utime !== undefined

  const transactionOrder = (filter: TransactionFilter, sort: SortOrder): Order<OracleTransaction> => {
    const byLt = inOrder(directed(sort, by(ltOf)), byAccount)
    if (filter.hashes?.length) return directed(sort, (a, b) => a.id.hash.compare(b.id.hash))
    if (filter.lt !== undefined) return directed(sort, byAccount)
    const small = filter.mc_seqno !== undefined || filter.seqno !== undefined || filter.accounts?.length
    const ofShard = filter.workchain === -1 || (filter.workchain !== undefined && filter.shard !== undefined)
    if (!isTimed(filter) || small || ofShard) return byLt
    return inOrder(
      directed(
        sort,
        by((one) => one.now),
      ),
      byLt,
    )
  }

  return {
    blocks,
    transactions,
    messages,
    traces,
    latest: [...latest.values()],

    listBlocks: (filter: BlockFilter, sort: SortOrder): OracleBlock[] => {
      const byLt = !isTimed(filter) && (filter.start_lt !== undefined || filter.end_lt !== undefined)
      return blocks
        .filter(
          ({ id, mc_seqno, info }) =>
            is(id.workchain, filter.workchain) &&
            is(id.shard, filter.shard) &&
            is(id.seqno, filter.seqno) &&
            is(mc_seqno, filter.mc_seqno) &&
            isHash(id.root_hash, filter.root_hash) &&
            isHash(id.file_hash, filter.file_hash) &&
            isIn(info.gen_utime, filter.start_utime, filter.end_utime) &&
            isIn(info.start_lt, filter.start_lt, filter.end_lt),
        )
        .sort(
          directed(
            sort,
            inOrder(
              by(({ info }) => (byLt ? info.start_lt : info.gen_utime)),
              by(({ id }) => id.workchain),
              by(({ id }) => id.shard),
              by(({ id }) => id.seqno),
            ),
          ),
        )
    },

    listTransactions: (filter: TransactionFilter, sort: SortOrder): OracleTransaction[] =>
      transactions
        .filter(
          (one) =>
            is(one.of.workchain, filter.workchain) &&
            is(one.of.shard, filter.shard) &&
            is(one.of.seqno, filter.seqno) &&
            is(one.mc_seqno, filter.mc_seqno) &&
            (!filter.accounts?.length || filter.accounts.some((address) => isAt(one.account, address))) &&
            !filter.exclude_accounts?.some((address) => isAt(one.account, address)) &&
            isAny(one.id.hash, filter.hashes) &&
            is(one.id.lt, filter.lt) &&
            isIn(one.now, filter.start_utime, filter.end_utime) &&
            isIn(one.id.lt, filter.start_lt, filter.end_lt),
        )
        .sort(transactionOrder(filter, sort)),

    listByMessage: (filter: TransactionsByMessageFilter, sort: SortOrder): OracleTransaction[] => {
      const direction = filter.opcode === undefined ? filter.direction : 'in'
      const fits = (message: BatchMessage): boolean =>
        (isAny(message.hash, filter.msg_hashes) || isAny(message.hash_norm, filter.msg_hashes)) &&
        isHash(message.body_hash, filter.body_hash) &&
        is(message.opcode, filter.opcode) &&
        isAt(message.source, filter.source) &&
        isAt(message.destination, filter.destination)
      return transactions
        .filter(
          ({ in_msg, out_msgs }) =>
            (direction !== 'out' && in_msg !== null && fits(in_msg)) || (direction !== 'in' && out_msgs.some(fits)),
        )
        .sort(inOrder(directed(sort, by(ltOf)), byAccount))
    },

    listMessages: (filter: MessageFilter, sort: SortOrder): OracleMessage[] => {
      const { source, destination, opcode, body_hash, hashes, only_externals } = filter
      const narrowed =
        source !== undefined ||
        destination !== undefined ||
        opcode !== undefined ||
        body_hash ||
        hashes?.length ||
        only_externals
      const place = ({ taken, sent }: OracleMessage): bigint => {
        const side = sent ?? taken!
        return (side.transaction.key << 16n) | BigInt(side.n)
      }
      const byLt = inOrder<OracleMessage>(
        by(({ lt }) => lt),
        by(place),
      )
      return messages
        .filter(
          ({ message, taken, sent, lt, utime }) =>
            (isAny(message.hash, hashes) || isAny(message.hash_norm, hashes)) &&
            isHash(message.body_hash, body_hash) &&
            isAt(message.source, source) &&
            isAt(message.destination, destination) &&
            is(message.opcode, opcode) &&
            isIn(utime, filter.start_utime, filter.end_utime) &&
            isIn(lt, filter.start_lt, filter.end_lt) &&
            (filter.direction !== 'in' || taken !== undefined) &&
            (filter.direction !== 'out' || sent !== undefined) &&
            !(filter.exclude_externals && message.kind === 'ext_in') &&
            !(only_externals && message.kind !== 'ext_in'),
        )
        .sort(
          directed(
            sort,
            isTimed(filter) && !narrowed
              ? inOrder(
                  by(({ utime }) => utime),
                  byLt,
                )
              : byLt,
          ),
        )
    },

    listTraces: (filter: TraceFilter, sort: SortOrder): OracleTrace[] => {
      const byLt = inOrder<OracleTrace>(
        by(({ end_lt }) => end_lt),
        by(({ root }) => root.key),
      )
      const { trace_ids, tx_hashes, msg_hashes, account, mc_seqno } = filter
      const given = trace_ids?.length || tx_hashes?.length || msg_hashes?.length
      const hasMessage = (one: OracleTransaction): boolean =>
        [one.in_msg, ...one.out_msgs].some(
          (message) =>
            message && msg_hashes?.some((hash) => message.hash.equals(hash) || message.hash_norm?.equals(hash)),
        )
      return traces
        .filter(
          ({ root, members: all, end_lt, end_utime, mc_seqno_end, state }) =>
            (!given ||
              trace_ids?.some((hash) => hash.equals(root.id.hash)) ||
              all.some(({ id }) => tx_hashes?.some((hash) => hash.equals(id.hash))) ||
              all.some(hasMessage)) &&
            (!account || all.some((one) => isAt(one.account, account))) &&
            (mc_seqno === undefined || (state === 'complete' && mc_seqno_end === mc_seqno)) &&
            isIn(end_utime, filter.start_utime, filter.end_utime) &&
            isIn(end_lt, filter.start_lt, filter.end_lt),
        )
        .sort(
          directed(
            sort,
            isTimed(filter) && !account
              ? inOrder(
                  by(({ end_utime }) => end_utime),
                  byLt,
                )
              : byLt,
          ),
        )
    },
  }
}
