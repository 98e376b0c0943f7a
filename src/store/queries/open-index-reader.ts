import { LRUCache } from 'lru-cache'
import { isTonlithError, TonlithError } from '../../common/errors.ts'
import { finish } from '../../common/steps.ts'
import type { Listed, Page, SortOrder } from '../../model/index-records.ts'
import { storedKinds } from '../entity-rows.ts'
import { readFailure } from '../failure.ts'
import { hasScope } from '../index-scope.ts'
import { damagedIndexRemedy, type IndexStore } from '../index-store.ts'
import { paymentsBehind } from '../payment-rows.ts'
import { newestRange, rangeAt, readRanges } from '../ranges.ts'
import { queryAccountStates, queryCode, queryData, queryState, queryTopAccounts } from './accounts.ts'
import { queryMasterchainEnds, queryShardState } from './blocks.ts'
import { queryAdjacent } from './by-message.ts'
import { queryDnsRecords, queryDomainOf } from './dns.ts'
import {
  queryEntities,
  queryJettonMasters,
  queryMultisigOrders,
  queryMultisigs,
  queryNftCollections,
  queryVestings,
} from './entities.ts'
import type { EntityReader } from './entity-reader.ts'
import { type IndexPages, isSeqno, openIndexPages } from './index-pages.ts'
import type { IndexReader } from './index-reader.ts'
import { queryMessageOf } from './message-rows.ts'
import type { Pages } from './paging.ts'
import { queryTraceTransactions } from './traces.ts'

const CODE_CACHE_BYTES = 16 << 20

/** A list in pages that are read at once. */
const atOnce =
  <F, T>(pages: (filter: F, sort: SortOrder) => Pages<T>) =>
  (filter: F, page: Page): Listed<T> =>
    finish(pages(filter, page.sort)(page))

const entityReader = (index: IndexStore, pages: IndexPages): EntityReader => ({
  entities: (kind, addresses) => queryEntities(index, kind, addresses),
  entityKinds: (address) => storedKinds(index, address),
  jettonMasters: (filter, page) => queryJettonMasters(index, filter, page),
  jettonWallets: atOnce(pages.jettonWallets),
  jettonTransfers: atOnce(pages.jettonTransfers),
  jettonBurns: atOnce(pages.jettonBurns),
  nftCollections: (filter, page) => queryNftCollections(index, filter, page),
  nftItems: atOnce(pages.nftItems),
  nftTransfers: atOnce(pages.nftTransfers),
  dnsRecords: (filter, page) => queryDnsRecords(index, filter, page),
  domainOf: (address) => queryDomainOf(index, address),
  multisigs: (filter, page) => queryMultisigs(index, filter, page),
  multisigOrders: (filter, page) => queryMultisigOrders(index, filter, page),
  vestings: (filter, page) => queryVestings(index, filter, page),
})

/** Runs a piece of work as it is to be run: it throws what its caller is told of its errors. */
type Guard = <R>(work: () => R) => R

const isIterator = (value: unknown): value is Generator =>
  typeof value === 'object' && value !== null && Symbol.iterator in value && 'next' in value

function* guardedSteps(guard: Guard, steps: Generator): Generator {
  for (;;) {
    const step = guard(() => steps.next())
    if (step.done) return step.value
    yield step.value
  }
}

/** Makes functions, and what they give to be called or gone through, run in `guard`. */
const guarded = <R extends object>(reader: R, guard: Guard): R => {
  const wrapped = (value: unknown): unknown => {
    if (typeof value === 'function') return (...args: unknown[]) => wrapped(guard(() => value(...args)))
    return isIterator(value) ? guardedSteps(guard, value) : value
  }
  return Object.fromEntries(Object.entries(reader).map(([name, call]) => [name, wrapped(call)])) as R
}

/**
 * Reads an open index, which another thread may be writing.
 * @param damaged is told when something cannot be read
 */
export const openIndexReader = (index: IndexStore, damaged: (reason: string) => void = () => {}): IndexReader => {
  const { environment } = index
  const guard: Guard = (work) => {
    if (!environment.isOpen()) throw new TonlithError('unavailable', 'the index is closed')
    try {
      return work()
    } catch (error) {
      const failure = readFailure(error, environment.path, damagedIndexRemedy(environment.path))
      if (isTonlithError(failure, 'malformed')) {
        damaged(failure.message)
        environment.renew()
      }
      throw failure
    }
  }
  const reader = readerOf(index)
  return { ...guarded(reader, guard), pages: guarded(reader.pages, guard) }
}

const readerOf = (index: IndexStore): IndexReader => {
  const pages = openIndexPages(index)
  const { environment, tables } = index
  const codes = new LRUCache<string, Buffer>({ maxSize: CODE_CACHE_BYTES, sizeCalculation: (boc) => boc.length + 64 })
  const codeOf = (hash: Buffer): Buffer | undefined => {
    const name = hash.toString('latin1')
    const known = codes.get(name) ?? queryCode(tables, hash)
    if (known) codes.set(name, known)
    return known
  }
  return {
    snapshot: (read) => {
      environment.renew()
      return read()
    },
    seqno: () => newestRange(tables)?.last,
    ranges: () => readRanges(tables),
    covers: (mc_seqno) => isSeqno(mc_seqno) && rangeAt(tables, mc_seqno) !== undefined,
    isOfChosen: () => hasScope(tables),
    blocks: atOnce(pages.blocks),
    shardState: (mc_seqno) => (isSeqno(mc_seqno) ? queryShardState(tables, mc_seqno) : []),
    masterchainEnds: () => queryMasterchainEnds(tables),
    transactions: atOnce(pages.transactions),
    transactionsByMessage: atOnce(pages.transactionsByMessage),
    adjacent: (hash, direction) => queryAdjacent(index, hash, direction),
    messages: atOnce(pages.messages),
    messageOf: (transaction, hash, n) => queryMessageOf(tables, transaction, hash, n),
    accountStates: (addresses) => queryAccountStates(index, addresses),
    stateByHash: (hash) => queryState(tables, hash),
    codeOf,
    dataOf: (address) => queryData(index, address),
    topAccounts: (page) => queryTopAccounts(index, page),
    traces: atOnce(pages.traces),
    actions: atOnce(pages.actions),
    traceTransactions: (trace, max) => queryTraceTransactions(index, trace, max),
    payments: (cursor, limit) => paymentsBehind(tables, cursor, limit),
    ...entityReader(index, pages),
    pages,
  }
}
