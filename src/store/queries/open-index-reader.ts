import { LRUCache } from 'lru-cache'
import { isTonlithError, TonlithError } from '../../common/errors.ts'
import { storedKinds } from '../entity-rows.ts'
import { readFailure } from '../failure.ts'
import { hasScope } from '../index-scope.ts'
import { damagedIndexRemedy, type IndexStore } from '../index-store.ts'
import { newestRange, rangeAt, readRanges } from '../ranges.ts'
import { queryAccountStates, queryCode, queryData, queryState, queryTopAccounts } from './accounts.ts'
import { queryBlocks, queryMasterchainEnds, queryShardState } from './blocks.ts'
import { queryAdjacent, queryByMessage } from './by-message.ts'
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
import type { IndexReader } from './index-reader.ts'
import { queryJettonWallets } from './jettons.ts'
import { queryMessageOf } from './message-rows.ts'
import { queryMessages } from './messages.ts'
import { queryNftItems } from './nfts.ts'
import { queryTraces, queryTraceTransactions } from './traces.ts'
import { queryTransactions } from './transactions.ts'
import { queryJettonBurns, queryJettonTransfers, queryNftTransfers } from './transfers.ts'

const CODE_CACHE_BYTES = 16 << 20

const NOTHING = { records: [], next: null }

/** True for what may be the seqno of a block, or is not asked for. */
const isSeqno = (seqno: number | undefined): boolean =>
  seqno === undefined || (Number.isInteger(seqno) && seqno >= 0 && seqno <= 0xffffffff)

const entityReader = (index: IndexStore): EntityReader => ({
  entities: (kind, addresses) => queryEntities(index, kind, addresses),
  entityKinds: (address) => storedKinds(index, address),
  jettonMasters: (filter, page) => queryJettonMasters(index, filter, page),
  jettonWallets: (filter, page) => queryJettonWallets(index, filter, page),
  jettonTransfers: (filter, page) => queryJettonTransfers(index, filter, page),
  jettonBurns: (filter, page) => queryJettonBurns(index, filter, page),
  nftCollections: (filter, page) => queryNftCollections(index, filter, page),
  nftItems: (filter, page) => queryNftItems(index, filter, page),
  nftTransfers: (filter, page) => queryNftTransfers(index, filter, page),
  dnsRecords: (filter, page) => queryDnsRecords(index, filter, page),
  domainOf: (address) => queryDomainOf(index, address),
  multisigs: (filter, page) => queryMultisigs(index, filter, page),
  multisigOrders: (filter, page) => queryMultisigOrders(index, filter, page),
  vestings: (filter, page) => queryVestings(index, filter, page),
})

/** Makes functions throw what `told` makes of their errors, and do nothing but throw once `isOpen` denies. */
const guarded = <R extends object>(reader: R, isOpen: () => boolean, told: (error: unknown) => unknown): R => {
  const guard =
    (call: (...args: unknown[]) => unknown) =>
    (...args: unknown[]) => {
      if (!isOpen()) throw new TonlithError('unavailable', 'the index is closed')
      try {
        return call(...args)
      } catch (error) {
        throw told(error)
      }
    }
  return Object.fromEntries(Object.entries(reader).map(([name, call]) => [name, guard(call)])) as R
}

/**
 * Reads an open index, which another thread may be writing.
 * @param damaged is told when something cannot be read
 */
export const openIndexReader = (index: IndexStore, damaged: (reason: string) => void = () => {}): IndexReader => {
  const { environment } = index
  return guarded(readerOf(index), environment.isOpen, (error) => {
    const failure = readFailure(error, environment.path, damagedIndexRemedy(environment.path))
    if (isTonlithError(failure, 'malformed')) {
      damaged(failure.message)
      environment.renew()
    }
    return failure
  })
}

const readerOf = (index: IndexStore): IndexReader => {
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
    blocks: (filter, page) => (isSeqno(filter.mc_seqno) ? queryBlocks(tables, filter, page) : NOTHING),
    shardState: (mc_seqno) => (isSeqno(mc_seqno) ? queryShardState(tables, mc_seqno) : []),
    masterchainEnds: () => queryMasterchainEnds(tables),
    transactions: (filter, page) => (isSeqno(filter.mc_seqno) ? queryTransactions(index, filter, page) : NOTHING),
    transactionsByMessage: (filter, page) => queryByMessage(index, filter, page),
    adjacent: (hash, direction) => queryAdjacent(index, hash, direction),
    messages: (filter, page) => queryMessages(index, filter, page),
    messageOf: (transaction, hash, n) => queryMessageOf(tables, transaction, hash, n),
    accountStates: (addresses) => queryAccountStates(index, addresses),
    stateByHash: (hash) => queryState(tables, hash),
    codeOf,
    dataOf: (address) => queryData(index, address),
    topAccounts: (page) => queryTopAccounts(index, page),
    traces: (filter, page) => (isSeqno(filter.mc_seqno) ? queryTraces(index, filter, page) : NOTHING),
    traceTransactions: (trace, max) => queryTraceTransactions(index, trace, max),
    ...entityReader(index),
  }
}
