import type { Batch, BatchAccount } from '../model/batch.ts'
import type { NoteActions } from '../model/noted-action.ts'
import type { TraceJoin } from '../model/trace-changes.ts'
import { knownCells } from '../store/account-cells.ts'
import type { IndexStore } from '../store/index-store.ts'
import { type BatchPurpose, writeAccountStates, writeBatch } from '../store/write.ts'
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
  /** Tells what traces did; undefined: nobody does. */
  note?: NoteActions | undefined
  /** What of a batch is kept: the batch itself where everything is. */
  select(batch: Batch): Batch
  fetchAccount: FetchAccount
  purpose: BatchPurpose
  /** Tells what accounts are; undefined: nobody does. */
  detection: Detection | undefined
  /** Finds the payments in what is written of a batch, in the same transaction; undefined: nobody looks for any. */
  notePayments?: ((batch: Batch) => void) | undefined
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

/** The batch with what its newest accounts are. Its accounts must be complete. */
const detectNewest = async (
  store: IndexStore,
  batch: Batch,
  { detector, config }: Detection,
  masterchain: OpenedBlock,
): Promise<Batch> => {
  const { tables, addresses } = store
  const isNewest = (account: BatchAccount): boolean => neededCells(tables, addresses, account)?.data === true
  return detector.detect(store, batch, await config(masterchain), isNewest)
}

/** As detectNewest, and with the transfers that it holds. */
const withDetected = async (
  store: IndexStore,
  batch: Batch,
  detection: Detection,
  masterchain: OpenedBlock,
): Promise<Batch> => {
  const detected = await detectNewest(store, batch, detection, masterchain)
  return { ...detected, transfers: batchTransfers(store, detected) }
}

/**
 * Parses a bundle and writes what is kept of it, as one transaction. Cells of accounts that the store never saw are
 * fetched first, and what its newest accounts are is found out. Gives how many transactions were new. Throws what parseBatch,
 * writeBatch, `fetchAccount` and `detection` throw.
 */
export const storeBundle = async (options: StoreBundleOptions, bundle: Bundle): Promise<number> => {
  const { store, join, note, select, fetchAccount, purpose, detection } = options
  const { environment, tables, addresses } = store
  const known = knownCells(tables.account_cells)
  const parsed = bundle.batch ?? parseBatch(bundle.masterchain, bundle.shards)
  environment.renew()
  let batch = select(parsed)
  for (;;) {
    environment.renew()
    const completed = completeBatch(batch, known, (account) => neededCells(tables, addresses, account))
    if (completed.missing.length === 0) {
      const whole = detection
        ? await withDetected(store, completed.batch, detection, bundle.masterchain)
        : completed.batch
      const written = writeBatch(store, whole, join, purpose, note, options.notePayments)
      if (written !== undefined) options.stored?.(whole)
      return written ?? 0
    }
    batch = await withFetched(batch, completed.missing, fetchAccount)
  }
}

/** The latest state of an account, whole. */
export interface LatestState {
  account: BatchAccount
  /** The masterchain block that left it so. */
  mc_seqno: number
  /** A masterchain block by which nothing of it has changed. */
  masterchain: OpenedBlock
}

/**
 * Writes the latest state of an account of which no transaction is kept, and what it is. Throws what writeAccountStates and
 * `detection` throw.
 */
export const storeState = async (
  store: IndexStore,
  { account, mc_seqno, masterchain }: LatestState,
  detection: Detection | undefined,
): Promise<void> => {
  const { id: mc, info } = masterchain
  const alone: Batch = {
    mc,
    gen_utime: info.gen_utime,
    blocks: [],
    shard_tops: [],
    transactions: [],
    accounts: [account],
  }
  store.environment.renew()
  const { accounts, detected } = detection ? await detectNewest(store, alone, detection, masterchain) : alone
  const others = accounts.filter((other) => other !== account)
  writeAccountStates(
    store,
    [
      { mc_seqno, accounts: [account] },
      { mc_seqno: mc.seqno, accounts: others },
    ],
    detected,
  )
}
