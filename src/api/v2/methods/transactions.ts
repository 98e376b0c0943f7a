import { listBlockTransactions, listBlockTransactionsExt } from '../../../chain/block-transactions.ts'
import type { Chain } from '../../../chain/chain.ts'
import { type AccountTransactionsQuery, readTransactions } from '../../../chain/transactions.ts'
import { TonlithError } from '../../../common/errors.ts'
import type { StopSignal } from '../../../common/stop.ts'
import type { GivenAddress } from '../../../ton/address.ts'
import { ref } from '../../json-schema.ts'
import { type CallContext, GET_POST, type Method, method } from '../method.ts'
import { address, afterHash, bool, count, hash, int32, int64, shard } from '../param.ts'
import { blockTransactions, blockTransactionsExt, extTransactions, rawTransactions } from '../serialize/transactions.ts'
import { FOLLOWS_HEAD, IMMUTABLE } from './cache-seconds.ts'
import { locateMethods } from './locate.ts'

type Context = CallContext<Chain>

const blockParams = {
  workchain: int32({ description: '-1 for the masterchain, 0 for the basechain' }),
  shard: shard(),
  seqno: int32({ positive: true }),
  root_hash: hash({ optional: true, description: 'Names the block together with file_hash' }),
  file_hash: hash({ optional: true, description: 'Names the block together with root_hash' }),
  after_lt: int64({ optional: true, nonNegative: true, description: 'lt of the last item of the page before' }),
  after_hash: afterHash({ optional: true }),
  count: count({ default: 40, max: 10000 }),
}

interface PageStart {
  after_lt: bigint | undefined
  after_hash: Buffer | undefined
}

const checkPageStart = ({ after_lt, after_hash }: PageStart): void => {
  if ((after_lt === undefined) !== (after_hash === undefined))
    throw new TonlithError('invalid', 'after_lt and after_hash should be used together')
}

const after = ({ after_lt, after_hash }: PageStart) =>
  after_lt === undefined || after_hash === undefined ? undefined : { account: after_hash, lt: after_lt }

const getBlockTransactions = method({
  name: 'getBlockTransactions',
  group: 'transactions',
  summary: 'Ids of the transactions of a block, ascending by account and lt',
  verbs: GET_POST,
  params: blockParams,
  checkOrder: ['count', 'seqno', 'after_lt'],
  validate: checkPageStart,
  result: ref('BlockTransactions'),
  cacheSeconds: () => IMMUTABLE,
  call: async (values, { chain, signal }: Context) =>
    blockTransactions(
      await listBlockTransactions(chain, values, { after: after(values), count: values.count, signal }),
    ),
})

const getBlockTransactionsExt = method({
  name: 'getBlockTransactionsExt',
  group: 'transactions',
  summary: 'The transactions of a block with all their fields, ascending by account and lt',
  verbs: GET_POST,
  params: blockParams,
  checkOrder: ['count', 'seqno', 'after_lt'],
  validate: checkPageStart,
  result: ref('BlockTransactionsExt'),
  cacheSeconds: () => IMMUTABLE,
  call: async (values, { chain, signal }: Context) =>
    blockTransactionsExt(
      await listBlockTransactionsExt(chain, values, { after: after(values), count: values.count, signal }),
    ),
})

const accountParams = {
  address: address({}),
  lt: int64({ optional: true, nonNegative: true, description: 'Start at this transaction, which is included' }),
  hash: hash({ optional: true, description: 'Hash of the transaction to start at' }),
  to_lt: int64({ default: 0, description: 'Leave out this lt and all older ones' }),
  limit: count({ default: 10, max: 1000 }),
  archival: bool({ description: 'true: ask archival liteservers only; false: do not ask them when another one fails' }),
}

interface AccountValues {
  address: GivenAddress
  lt: bigint | undefined
  hash: Buffer | undefined
  to_lt: bigint
  limit: number
  archival: boolean | undefined
}

/** `lt` 0 without hash counts as absent in getTransactions (contracts/v2.md 7.2, 19 #8), not in getTransactionsStd (7.3). */
const checkStart = (lt: bigint | undefined, hash: Buffer | undefined): void => {
  if ((lt === undefined) !== (hash === undefined))
    throw new TonlithError('invalid', 'lt and hash should be used together')
}

const nonZero = (lt: bigint | undefined): bigint | undefined => (lt === 0n ? undefined : lt)

const queryOf = (
  { lt, hash, to_lt, limit, archival }: AccountValues,
  signal: StopSignal,
): AccountTransactionsQuery => ({
  from: lt === undefined || hash === undefined ? undefined : { lt, hash },
  to_lt,
  limit,
  archival,
  signal,
})

const getTransactions = method({
  name: 'getTransactions',
  group: 'transactions',
  summary: "An account's transactions, newest first",
  verbs: GET_POST,
  params: accountParams,
  validate: ({ lt, hash }) => checkStart(nonZero(lt), hash),
  result: ref('Transactions'),
  cacheSeconds: () => FOLLOWS_HEAD,
  call: async (values, { chain, signal }: Context) => {
    const query = queryOf({ ...values, lt: nonZero(values.lt) }, signal)
    const { transactions } = await readTransactions(chain, values.address, query)
    return extTransactions(transactions)
  },
})

const getTransactionsStd = method({
  name: 'getTransactionsStd',
  group: 'transactions',
  summary: "An account's transactions, newest first, with the id of the one that follows the page",
  verbs: GET_POST,
  params: accountParams,
  validate: ({ lt, hash }) => checkStart(lt, hash),
  result: ref('TransactionsStd'),
  cacheSeconds: () => FOLLOWS_HEAD,
  call: async (values, { chain, signal }: Context) => {
    const { transactions, previous } = await readTransactions(chain, values.address, queryOf(values, signal))
    return rawTransactions(transactions, previous)
  },
})

/** Methods that read transactions (contracts/v2.md 7). */
export const transactionsMethods: readonly Method<Chain>[] = [
  getBlockTransactions,
  getBlockTransactionsExt,
  getTransactions,
  getTransactionsStd,
  ...locateMethods,
]
