import type { Batch, BatchAccount } from '../model/batch.ts'
import type { TraceJoin } from '../model/trace-changes.ts'
import { knownCells } from '../store/account-cells.ts'
import type { IndexStore } from '../store/index-store.ts'
import { type BatchPurpose, writeBatch } from '../store/write.ts'
import { neededCells } from '../store/write-accounts.ts'
import { type Address, sameAddress } from '../ton/address.ts'
import type { Cell } from '../ton/cell.ts'
import type { FetchAccount } from './account-source.ts'
import { completeBatch, withAccount, withoutCells } from './accounts.ts'
import type { Detector } from './detect.ts'
import type { Bundle } from './fetch.ts'
import type { OpenedBlock } from './opened-block.ts'
import { parseBatch } from './parse.ts'
import { batchTransfers } from './transfers.ts'

export interface StoreBundleOptions {
  store: IndexStore
  join: TraceJoin
  /** What of a batch is kept: the batch itself where everything is. */
  select(batch: Batch): Batch
  fetchAccount: FetchAccount
  purpose: BatchPurpose
  /** Tells what accounts are; undefined: nobody does. */
  detection: Detection | undefined
  /** Called with a batch that was written. */
  stored?: ((batch: Batch) => void) | undefined
}

export interface Detection {
  detector: Detector
  /** DetectionSource.config */
  config(masterchain: OpenedBlock): Promise<Cell>
}

/** Accounts that are fetched at the same time. */
const FETCHES = 16

/** The batch with accounts that were fetched; those whose state is gone keep what the block shows, without cells. */
const withFetched = async (batch: Batch, missing: readonly Address[], fetchAccount: FetchAccount): Promise<Batch> => {
  const stateOf = (address: Address): Buffer =>
    batch.accounts.find((account) => sameAddress(account.address, address))!.state_hash
  let completed = batch
  for (let i = 0; i < missing.length; i += FETCHES) {
    const some = missing.slice(i, i + FETCHES)
    const cells = await Promise.all(some.map((address) => fetchAccount(address, batch.mc, stateOf(address))))
    for (const [n, address] of some.entries()) {
      const cell = cells[n]
      completed = cell ? withAccount(completed, address, cell) : withoutCells(completed, address)
    }
  }
  return completed
}

/** The batch with what its accounts are and which transfers it holds. Its accounts must be complete. */
const withDetected = async (
  store: IndexStore,
  batch: Batch,
  { detector, config }: Detection,
  masterchain: OpenedBlock,
): Promise<Batch> => {
  const { tables, addresses } = store
  const isNewest = (account: BatchAccount): boolean => neededCells(tables, addresses, account)?.data === true
  const detected = await detector.detect(store, batch, await config(masterchain), isNewest)
  return { ...detected, transfers: batchTransfers(store, detected) }
}

/**
 * Parses a bundle and writes what is kept of it, as one transaction. Cells of accounts that the store never saw are
 * fetched first, and what its newest accounts are is found out. Gives how many transactions were new. Throws what parseBatch,
 * writeBatch, `fetchAccount` and `detection` throw.
 */
export const storeBundle = async (options: StoreBundleOptions, bundle: Bundle): Promise<number> => {
  const { store, join, select, fetchAccount, purpose, detection } = options
  const { environment, tables, addresses } = store
  const known = knownCells(tables.account_cells)
  let batch = select(parseBatch(bundle.masterchain, bundle.shards))
  for (;;) {
    environment.renew()
    const completed = completeBatch(batch, known, (account) => neededCells(tables, addresses, account))
    if (completed.missing.length === 0) {
      const whole = detection
        ? await withDetected(store, completed.batch, detection, bundle.masterchain)
        : completed.batch
      const written = writeBatch(store, whole, join, purpose)
      if (written !== undefined) options.stored?.(whole)
      return written ?? 0
    }
    batch = await withFetched(batch, completed.missing, fetchAccount)
  }
}
