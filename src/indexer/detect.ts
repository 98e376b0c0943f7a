import { LRUCache } from 'lru-cache'
import { isTonlithError } from '../common/errors.ts'
import { type DnsZone, dnsZones } from '../contracts/dns-item.ts'
import type { Batch, BatchAccount } from '../model/batch.ts'
import type { DetectedAccount, Entity, EntityKind } from '../model/entities.ts'
import type { EntityRecord } from '../model/entity-records.ts'
import { storedEntity, storedKinds } from '../store/entity-rows.ts'
import type { IndexStore } from '../store/index-store.ts'
import { compareAddresses, rawAddress } from '../ton/address.ts'
import type { Cell } from '../ton/cell.ts'
import type { TvmRunner } from '../tvm/local.ts'
import { createCodeBook } from './code-book.ts'
import { detectAccount } from './detect-account.ts'
import { type DetectionContracts, openDetectionContracts } from './detection-contracts.ts'
import type { DetectionCounts } from './detection-counts.ts'
import type { DetectionSource } from './detection-source.ts'

/** Tells what accounts are. */
export interface Detector {
  /**
   * The batch with `detected`: what its accounts are for which `wanted` holds, and those that were fetched for their sake,
   * which are among its accounts then. Its accounts must be complete. Rejects as the source does.
   */
  detect(store: IndexStore, batch: Batch, config: Cell, wanted: (account: BatchAccount) => boolean): Promise<Batch>
  counts: DetectionCounts
}

export interface DetectorOptions {
  tvm: TvmRunner
  source: DetectionSource
  counts: DetectionCounts
}

const MAX_FAILURES = 16_384
/** Accounts that are looked at at the same time, so that they wait for the network together. */
const AT_ONCE = 16

const isSame = (a: Buffer | null, b: Buffer | null): boolean => (a && b ? a.equals(b) : a === b)

const storedRows = (store: IndexStore, account: BatchAccount): EntityRecord<EntityKind>[] =>
  storedKinds(store, account.address).flatMap((kind) => storedEntity(store, kind, account.address) ?? [])

/** Calls `each` for all items and those that are added meanwhile, some at once. */
const forAll = async <T>(items: readonly T[], each: (item: T) => Promise<void>): Promise<void> => {
  let next = 0
  const worker = async (): Promise<void> => {
    for (; next < items.length; ) await each(items[next++]!)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}

/** What an account is, by its state at the end of the batch; undefined where nothing changes or can be told. */
const entitiesOf = async (
  contracts: DetectionContracts,
  account: BatchAccount,
  rows: readonly EntityRecord<EntityKind>[],
  depth: number,
  zones: () => Promise<readonly DnsZone[]>,
): Promise<Entity[] | undefined> => {
  const { status, code_hash, data_hash } = account
  if (status !== 'active' || !code_hash) return []
  const isUnchanged = (row: EntityRecord<EntityKind>): boolean =>
    isSame(row.code_hash, code_hash) && isSame(row.data_hash, data_hash)
  if (rows.length > 0 && rows.every(isUnchanged)) return rows.map(({ entity }) => entity)
  const code = await contracts.codeOf(account)
  if (!code?.mayBeSomething()) return []
  const stored = rows.filter((row) => isSame(row.code_hash, code_hash))
  return detectAccount(contracts.methods(depth), account, { stored, data: () => contracts.dataOf(account), zones })
}

/** A detector; what depends on code alone is remembered from batch to batch. */
export const createDetector = ({ tvm, source, counts }: DetectorOptions): Detector => {
  const codes = createCodeBook(source.libraries)
  const failures = new LRUCache<string, number>({ max: MAX_FAILURES })

  return {
    counts,
    detect: async (store, batch, config, wanted) => {
      const contracts = openDetectionContracts({ store, batch, config, tvm, codes, source, counts, failures })
      const detected: DetectedAccount[] = []
      let zones: Promise<readonly DnsZone[]> | undefined

      const look = async (account: BatchAccount, depth: number): Promise<void> => {
        counts.accounts++
        const rows = storedRows(store, account)
        try {
          const findZones = () => (zones ??= dnsZones(contracts.methods(0)))
          const entities = await entitiesOf(contracts, account, rows, depth, findZones)
          if (!entities || (entities.length === 0 && rows.length === 0)) return
          const { address, code_hash, data_hash, last_transaction } = account
          detected.push({ address, last_transaction_lt: last_transaction.lt, code_hash, data_hash, entities })
        } catch (error) {
          if (!isTonlithError(error, 'limit')) throw error
        }
      }

      await forAll(batch.accounts.filter(wanted), (account) => look(account, 0))
      await forAll(contracts.foreign, ([account, depth]) => look(account, depth))
      if (detected.length === 0 && contracts.foreign.length === 0) return { ...batch, detected }
      const accounts = [...batch.accounts, ...contracts.foreign.map(([account]) => account)].sort((a, b) =>
        compareAddresses(a.address, b.address),
      )
      detected.sort((a, b) => (rawAddress(a.address) < rawAddress(b.address) ? -1 : 1))
      return { ...batch, accounts, detected }
    },
  }
}
