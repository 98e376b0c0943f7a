import type { Batch } from '../model/batch.ts'
import type { TraceJoin } from '../model/trace-changes.ts'
import { knownCells } from '../store/account-cells.ts'
import type { IndexStore } from '../store/index-store.ts'
import { type BatchPurpose, writeBatch } from '../store/write.ts'
import { neededCells } from '../store/write-accounts.ts'
import { type Address, sameAddress } from '../ton/address.ts'
import type { FetchAccount } from './account-source.ts'
import { completeBatch, withAccount, withoutCells } from './accounts.ts'
import type { Bundle } from './fetch.ts'
import { parseBatch } from './parse.ts'

export interface StoreBundleOptions {
  store: IndexStore
  join: TraceJoin
  /** What of a batch is kept: the batch itself where everything is. */
  select(batch: Batch): Batch
  fetchAccount: FetchAccount
  purpose: BatchPurpose
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

/**
 * Parses a bundle and writes what is kept of it, as one transaction. Cells of accounts that the store never saw are
 * fetched first. Gives how many transactions were new. Throws what parseBatch, writeBatch and `fetchAccount` throw.
 */
export const storeBundle = async (options: StoreBundleOptions, bundle: Bundle): Promise<number> => {
  const { store, join, select, fetchAccount, purpose } = options
  const { environment, tables, addresses } = store
  const known = knownCells(tables.account_cells)
  let batch = select(parseBatch(bundle.masterchain, bundle.shards))
  for (;;) {
    environment.renew()
    const completed = completeBatch(batch, known, (account) => neededCells(tables, addresses, account))
    if (completed.missing.length === 0) {
      return writeBatch(store, completed.batch, join, purpose) ?? 0
    }
    batch = await withFetched(batch, completed.missing, fetchAccount)
  }
}
