import { type Builder, beginCell } from '../builder.ts'
import type { Cell } from '../cell.ts'
import { dictEntries, key32 } from '../dictionary.ts'
import { buildDict } from '../dictionary-writer.ts'
import type { Slice } from '../slice.ts'
import { expectTag, malformed, parseCell } from './tag.ts'

/** TL-B WorkchainFormat. */
export type WorkchainFormat =
  | { _: 'wfmt_basic'; vm_version: number; vm_mode: bigint }
  | {
      _: 'wfmt_ext'
      min_addr_len: number
      max_addr_len: number
      addr_len_step: number
      workchain_type_id: number
    }

/** TL-B WcSplitMergeTimings; seconds. */
export interface WcSplitMergeTimings {
  split_merge_delay: number
  split_merge_interval: number
  min_split_merge_interval: number
  max_split_merge_delay: number
}

/** TL-B WorkchainDescr. The last two fields are null in the first form. `enabled_since` in unix seconds. */
export interface WorkchainDescr {
  _: 'workchain' | 'workchain_v2'
  enabled_since: number
  monitor_min_split: number
  min_split: number
  max_split: number
  basic: boolean
  active: boolean
  accept_msgs: boolean
  flags: number
  zerostate_root_hash: Buffer
  zerostate_file_hash: Buffer
  version: number
  format: WorkchainFormat
  split_merge_timings: WcSplitMergeTimings | null
  persistent_state_split_depth: number | null
}

const WORKCHAIN = 0xa6
const WORKCHAIN_V2 = 0xa7

const loadWorkchainFormat = (slice: Slice, basic: boolean): WorkchainFormat => {
  if (basic) {
    expectTag(slice, 4, 1, 'WorkchainFormat')
    return { _: 'wfmt_basic', vm_version: slice.int(32), vm_mode: slice.uintBig(64) }
  }
  expectTag(slice, 4, 0, 'WorkchainFormat')
  return {
    _: 'wfmt_ext',
    min_addr_len: slice.uint(12),
    max_addr_len: slice.uint(12),
    addr_len_step: slice.uint(12),
    workchain_type_id: slice.uint(32),
  }
}

const loadWcSplitMergeTimings = (slice: Slice): WcSplitMergeTimings => {
  expectTag(slice, 4, 0, 'WcSplitMergeTimings')
  return {
    split_merge_delay: slice.uint(32),
    split_merge_interval: slice.uint(32),
    min_split_merge_interval: slice.uint(32),
    max_split_merge_delay: slice.uint(32),
  }
}

/** TL-B WorkchainDescr, both forms. Throws `malformed`. */
const loadWorkchainDescr = (slice: Slice): WorkchainDescr => {
  const tag = slice.uint(8)
  if (tag !== WORKCHAIN && tag !== WORKCHAIN_V2) throw malformed('WorkchainDescr')
  const v2 = tag === WORKCHAIN_V2
  const head = {
    enabled_since: slice.uint(32),
    monitor_min_split: slice.uint(8),
    min_split: slice.uint(8),
    max_split: slice.uint(8),
    basic: slice.bit(),
    active: slice.bit(),
    accept_msgs: slice.bit(),
    flags: slice.uint(13),
    zerostate_root_hash: slice.bytes(32),
    zerostate_file_hash: slice.bytes(32),
    version: slice.uint(32),
  }
  return {
    _: v2 ? 'workchain_v2' : 'workchain',
    ...head,
    format: loadWorkchainFormat(slice, head.basic),
    split_merge_timings: v2 ? loadWcSplitMergeTimings(slice) : null,
    persistent_state_split_depth: v2 ? slice.uint(8) : null,
  }
}

const storeWorkchainFormat = (builder: Builder, format: WorkchainFormat): void => {
  if (format._ === 'wfmt_basic') {
    builder.uint(1, 4).int(format.vm_version, 32).uint(format.vm_mode, 64)
    return
  }
  builder
    .uint(0, 4)
    .uint(format.min_addr_len, 12)
    .uint(format.max_addr_len, 12)
    .uint(format.addr_len_step, 12)
    .uint(format.workchain_type_id, 32)
}

const storeWorkchainDescr = (builder: Builder, descr: WorkchainDescr): void => {
  const { split_merge_timings: timings, persistent_state_split_depth } = descr
  const v2 = timings !== null && persistent_state_split_depth !== null
  builder
    .uint(v2 ? WORKCHAIN_V2 : WORKCHAIN, 8)
    .uint(descr.enabled_since, 32)
    .uint(descr.monitor_min_split, 8)
    .uint(descr.min_split, 8)
    .uint(descr.max_split, 8)
    .bit(descr.basic)
    .bit(descr.active)
    .bit(descr.accept_msgs)
    .uint(descr.flags, 13)
    .bytes(descr.zerostate_root_hash)
    .bytes(descr.zerostate_file_hash)
    .uint(descr.version, 32)
  storeWorkchainFormat(builder, descr.format)
  if (!v2) return
  builder
    .uint(0, 4)
    .uint(timings.split_merge_delay, 32)
    .uint(timings.split_merge_interval, 32)
    .uint(timings.min_split_merge_interval, 32)
    .uint(timings.max_split_merge_delay, 32)
    .uint(persistent_state_split_depth, 8)
}

/** Configuration parameter 12, as `workchains` reads it. */
export const buildWorkchains = (all: readonly (readonly [workchain: number, descr: WorkchainDescr])[]): Cell => {
  const items = all.map(([workchain, descr]) => ({
    key: key32(workchain),
    store: (builder: Builder) => storeWorkchainDescr(builder, descr),
  }))
  return beginCell().maybeRef(buildDict(items, 32)).endCell()
}

/** Configuration parameter 12: all workchains beside the masterchain, with their number. Throws `malformed`. */
export function* workchains(cell: Cell): Generator<[workchain: number, descr: WorkchainDescr]> {
  const root = parseCell(cell, (slice) => slice.maybeRef())
  for (const [key, value] of dictEntries(root, 32)) yield [key.readInt32BE(0), loadWorkchainDescr(value)]
}
