import type { Cell } from '../cell.ts'
import { beginParse, type Slice } from '../slice.ts'
import { malformed, maybe, parseCell } from './tag.ts'
import {
  loadMaybeAction,
  loadTrBouncePhase,
  loadTrComputePhase,
  loadTrCreditPhase,
  loadTrStoragePhase,
  type TrActionPhase,
  type TrBouncePhase,
  type TrComputePhase,
  type TrCreditPhase,
  type TrStoragePhase,
} from './transaction-phases.ts'

/** TL-B SplitMergeInfo. */
export interface SplitMergeInfo {
  cur_shard_pfx_len: number
  acc_split_depth: number
  this_addr: Buffer
  sibling_addr: Buffer
}

export interface TransOrd {
  _: 'trans_ord'
  credit_first: boolean
  storage_ph: TrStoragePhase | null
  credit_ph: TrCreditPhase | null
  compute_ph: TrComputePhase
  action: TrActionPhase | null
  aborted: boolean
  bounce: TrBouncePhase | null
  destroyed: boolean
}

export interface TransStorage {
  _: 'trans_storage'
  storage_ph: TrStoragePhase
}

export interface TransTickTock {
  _: 'trans_tick_tock'
  is_tock: boolean
  storage_ph: TrStoragePhase
  compute_ph: TrComputePhase
  action: TrActionPhase | null
  aborted: boolean
  destroyed: boolean
}

export interface TransSplitPrepare {
  _: 'trans_split_prepare'
  split_info: SplitMergeInfo
  storage_ph: TrStoragePhase | null
  compute_ph: TrComputePhase
  action: TrActionPhase | null
  aborted: boolean
  destroyed: boolean
}

export interface TransSplitInstall {
  _: 'trans_split_install'
  split_info: SplitMergeInfo
  /** parseTransaction */
  prepare_transaction: Cell
  installed: boolean
}

export interface TransMergePrepare {
  _: 'trans_merge_prepare'
  split_info: SplitMergeInfo
  storage_ph: TrStoragePhase
  aborted: boolean
}

export interface TransMergeInstall {
  _: 'trans_merge_install'
  split_info: SplitMergeInfo
  /** parseTransaction */
  prepare_transaction: Cell
  storage_ph: TrStoragePhase | null
  credit_ph: TrCreditPhase | null
  compute_ph: TrComputePhase
  action: TrActionPhase | null
  aborted: boolean
  destroyed: boolean
}

/** TL-B TransactionDescr: what kind of transaction it is and how its phases went. */
export type TransactionDescr =
  | TransOrd
  | TransStorage
  | TransTickTock
  | TransSplitPrepare
  | TransSplitInstall
  | TransMergePrepare
  | TransMergeInstall

const SPLIT_MERGE_INFO_BITS = 6 + 6 + 256 + 256

const loadSplitMergeInfo = (slice: Slice): SplitMergeInfo => ({
  cur_shard_pfx_len: slice.uint(6),
  acc_split_depth: slice.uint(6),
  this_addr: slice.bytes(32),
  sibling_addr: slice.bytes(32),
})

const loadTransOrd = (slice: Slice): TransOrd => ({
  _: 'trans_ord',
  credit_first: slice.bit(),
  storage_ph: maybe(slice, loadTrStoragePhase),
  credit_ph: maybe(slice, loadTrCreditPhase),
  compute_ph: loadTrComputePhase(slice),
  action: loadMaybeAction(slice),
  aborted: slice.bit(),
  bounce: maybe(slice, loadTrBouncePhase),
  destroyed: slice.bit(),
})

const loadTransTickTock = (slice: Slice): TransTickTock => ({
  _: 'trans_tick_tock',
  is_tock: slice.bit(),
  storage_ph: loadTrStoragePhase(slice),
  compute_ph: loadTrComputePhase(slice),
  action: loadMaybeAction(slice),
  aborted: slice.bit(),
  destroyed: slice.bit(),
})

const loadTransSplitPrepare = (slice: Slice): TransSplitPrepare => ({
  _: 'trans_split_prepare',
  split_info: loadSplitMergeInfo(slice),
  storage_ph: maybe(slice, loadTrStoragePhase),
  compute_ph: loadTrComputePhase(slice),
  action: loadMaybeAction(slice),
  aborted: slice.bit(),
  destroyed: slice.bit(),
})

const loadTransMergeInstall = (slice: Slice): TransMergeInstall => ({
  _: 'trans_merge_install',
  split_info: loadSplitMergeInfo(slice),
  prepare_transaction: slice.ref(),
  storage_ph: maybe(slice, loadTrStoragePhase),
  credit_ph: maybe(slice, loadTrCreditPhase),
  compute_ph: loadTrComputePhase(slice),
  action: loadMaybeAction(slice),
  aborted: slice.bit(),
  destroyed: slice.bit(),
})

const loadTransactionDescr = (slice: Slice): TransactionDescr => {
  if (slice.preloadUint(3) === 1) return loadTransTickTock(slice.skip(3))
  switch (slice.uint(4)) {
    case 0:
      return loadTransOrd(slice)
    case 1:
      return { _: 'trans_storage', storage_ph: loadTrStoragePhase(slice) }
    case 4:
      return loadTransSplitPrepare(slice)
    case 5:
      return {
        _: 'trans_split_install',
        split_info: loadSplitMergeInfo(slice),
        prepare_transaction: slice.ref(),
        installed: slice.bit(),
      }
    case 6:
      return {
        _: 'trans_merge_prepare',
        split_info: loadSplitMergeInfo(slice),
        storage_ph: loadTrStoragePhase(slice),
        aborted: slice.bit(),
      }
    case 7:
      return loadTransMergeInstall(slice)
    default:
      throw malformed('TransactionDescr')
  }
}

const loadStoragePhase = (slice: Slice): TrStoragePhase | null => {
  if (slice.preloadUint(3) === 1) return loadTrStoragePhase(slice.skip(4))
  switch (slice.uint(4)) {
    case 0:
      return maybe(slice.skip(1), loadTrStoragePhase)
    case 1:
      return loadTrStoragePhase(slice)
    case 4:
    case 7:
      return maybe(slice.skip(SPLIT_MERGE_INFO_BITS), loadTrStoragePhase)
    case 5:
      return null
    case 6:
      return loadTrStoragePhase(slice.skip(SPLIT_MERGE_INFO_BITS))
    default:
      throw malformed('TransactionDescr')
  }
}

/** The storage phase of TL-B ^TransactionDescr, null without one; what follows it is not read. Throws `malformed`. */
export const storagePhaseOf = (cell: Cell): TrStoragePhase | null => loadStoragePhase(beginParse(cell))

/** TL-B ^TransactionDescr with all phases. Throws `malformed`. */
export const parseTransactionDescr = (cell: Cell): TransactionDescr => parseCell(cell, loadTransactionDescr)
