import type { FetchAccount } from '../indexer/account-source.ts'
import { type ActionFaults, createActionFaults } from '../indexer/action-faults.ts'
import { noDetectionCounts } from '../indexer/detection-counts.ts'
import type { Bundle } from '../indexer/fetch.ts'
import type { Tokens } from '../indexer/metadata/token-scan.ts'
import { ACTION_RULES, actionNoter } from '../indexer/note-actions.ts'
import { createRetention, type Prunable } from '../indexer/retention.ts'
import { scopeOf, selectBatch } from '../indexer/scope.ts'
import type { IndexStatus } from '../indexer/status.ts'
import { type Detection, storeBundle, storeState } from '../indexer/store-bundle.ts'
import { joinTraces } from '../indexer/trace.ts'
import type { Batch } from '../model/batch.ts'
import type { Retention } from '../model/retention.ts'
import { fileBytes, freeBytes } from '../store/disk.ts'
import { storedKinds } from '../store/entity-rows.ts'
import { storeFailure } from '../store/failure.ts'
import { readHistories, settleHistories, settleRetention, writeHistory } from '../store/histories.ts'
import { noteScope, settleScope } from '../store/index-scope.ts'
import { damagedIndexRemedy, type IndexStore, openIndexStore } from '../store/index-store.ts'
import { newestMasterchain } from '../store/masterchain-rows.ts'
import { oldestStored, pruneOldest } from '../store/prune.ts'
import { openIndexReader } from '../store/queries/open-index-reader.ts'
import { masterchainBlockAt } from '../store/queries/stored-block.ts'
import { newestRange, readRanges } from '../store/ranges.ts'
import { renewActions, renewedDownTo, settleRules } from '../store/renew-actions.ts'
import type { BatchPurpose } from '../store/write.ts'
import type { Address } from '../ton/address.ts'
import type { BlockIdExt } from '../ton/block-id.ts'
import type { ChosenAccounts } from './chosen-accounts.ts'
import type { IndexPayments } from './index-payments.ts'
import type { IndexKeeping } from './index-run.ts'

export interface IndexKeepingOptions {
  folder: string
  network: string
  /** Of memory for what was unpacked lately. */
  cacheBytes?: number | undefined
  /** Which accounts it is to be about. */
  chosen: Pick<ChosenAccounts, 'read'>
  retain: Retention
  fetchAccount: FetchAccount
  /** Undefined: nobody finds out what accounts are. */
  detection: Detection | undefined
  /** The transfers whose payments it finds; undefined: none. */
  payments?: IndexPayments | undefined
  /** Told of what matchers of actions throw. */
  actionFaults?: ActionFaults | undefined
  /** Called with each batch that was written. */
  stored?: ((batch: Batch) => void) | undefined
}

const utimeOf = ({ tables }: IndexStore, seqno: number): number | undefined =>
  masterchainBlockAt(tables, seqno)?.info.gen_utime

const diskOf = (folder: string): IndexStatus['disk'] => {
  try {
    return { file: fileBytes(folder), free: freeBytes(folder) }
  } catch {
    return null
  }
}

/** An index that is open for writing. */
export interface OpenIndexKeeping extends IndexKeeping {
  /** The newest masterchain block that is indexed. */
  newest(): BlockIdExt | undefined
  /** The version of the format that it was of until it was opened; undefined: today's. */
  upgradedFrom: number | undefined
  tokens: Tokens
  close(): Promise<void>
}

/**
 * Opens the index in a folder, for the pipeline to write; one of an older format is upgraded where that can be done in
 * place. The right to write it must be claimed.
 * @throws TonlithError as openIndexStore does
 */
export const openIndexKeeping = async (options: IndexKeepingOptions): Promise<OpenIndexKeeping> => {
  const { folder, network, cacheBytes, chosen, retain, fetchAccount, detection, payments, stored } = options
  const { actionFaults = createActionFaults() } = options
  const store = await openIndexStore(folder, network, { older: 'upgrade', cacheBytes })
  const { environment, tables } = store
  let accounts: readonly string[] | undefined
  try {
    accounts = settleScope(store, chosen.read(), newestRange(tables) === undefined)
    settleHistories(store, accounts)
    settleRetention(store, retain)
    settleRules(store, ACTION_RULES)
  } catch (error) {
    await environment.close()
    throw error
  }
  const reader = openIndexReader(store)
  const note = actionNoter(reader, actionFaults.note)
  let scope = scopeOf(accounts)
  const choose = (): boolean => {
    const now = chosen.read()
    if (accounts === undefined || now === undefined || now === accounts) return false
    noteScope(store, now)
    settleHistories(store, now)
    accounts = now
    scope = scopeOf(now)
    return true
  }
  const isListed = (address: Address): boolean => storedKinds(store, address).length > 0
  const select = (batch: Batch): Batch => {
    const of = scope
    if (!of || !payments) return selectBatch(batch, of, isListed)
    payments.watch(batch.gen_utime)
    const has = (address: Address | null): boolean =>
      of.has(address) || (address !== null && payments.isWatched(address))
    return selectBatch(batch, { has }, isListed)
  }
  const notePayments = payments && ((batch: Batch): void => payments.note(store, batch))
  const storeFor = async (purpose: BatchPurpose, bundle: Bundle, fetch: FetchAccount): Promise<number> => {
    try {
      return await storeBundle(
        { store, join: joinTraces, note, notePayments, select, fetchAccount: fetch, purpose, detection, stored },
        bundle,
      )
    } catch (error) {
      throw storeFailure(error, folder, damagedIndexRemedy(folder))
    }
  }
  const retention = createRetention(retain, prunable(store))
  return {
    store: (bundle) => storeFor('range', bundle, fetchAccount),
    ranges: () => readRanges(tables),
    accounts: () => accounts,
    choose,
    histories: {
      store,
      histories: () => readHistories(store),
      keep: (bundle, fetch) => storeFor('history', bundle, fetch),
      keepState: (state) => storeState(store, state, detection),
      note: (history) => writeHistory(store, history),
      tooOld: retention.tooOld,
      floor: retention.floor,
    },
    utime: () => {
      const newest = newestRange(tables)
      return newest ? (utimeOf(store, newest.last) ?? null) : null
    },
    disk: () => diskOf(folder),
    actionFaults: actionFaults.counts,
    actionsFrom: () => {
      const from = renewedDownTo(store)
      return from === undefined ? null : Math.min(from, (newestRange(tables)?.last ?? 0) + 1)
    },
    detection: () => detection?.detector.counts ?? noDetectionCounts(),
    prune: () => retention.step() || renewActions(store, note),
    floor: retention.floor,
    tooOld: ({ masterchain }) => retention.tooOld(masterchain.info.gen_utime),
    newest: () => newestMasterchain(tables),
    upgradedFrom: environment.upgradedFrom,
    tokens: reader,
    close: () => environment.close(),
  }
}

const prunable = (store: IndexStore): Prunable => ({
  oldest: () => oldestStored(store.tables),
  newest: () => newestRange(store.tables)?.last,
  utimeOf: (seqno) => utimeOf(store, seqno),
  usedBytes: () => store.environment.usedBytes(),
  pruneOldest: () => void pruneOldest(store),
})
