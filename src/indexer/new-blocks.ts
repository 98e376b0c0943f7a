import { TonlithError } from '../common/errors.ts'
import { type BlockIdExt, blockIdText, shardContains } from '../ton/block-id.ts'
import { parseBlockExtra } from '../ton/tlb/block-extra.ts'
import { parseMcBlockExtra } from '../ton/tlb/mc-block-extra.ts'
import { shardBlockId, shardEntries } from '../ton/tlb/shard-hashes.ts'
import type { OpenedBlock } from './opened-block.ts'

/** How many shard blocks one masterchain block may bring before the walk gives up. */
export const MAX_NEW_BLOCKS = 4096

/** How many shards a masterchain block may name; the network's own limit is far below. */
const MAX_SHARDS = 4096

/** Which shard blocks a masterchain block brings, as far as that is known. */
export interface NewBlocks {
  /** By workchain, shard (signed) and seqno, ascending. All of them when `missing` is empty. */
  blocks: OpenedBlock[]
  /** Blocks that are still to be fetched before the walk can go on. */
  missing: BlockIdExt[]
}

/** Order of block ids: workchain, shard (signed), seqno. */
export const compareBlockIds = (a: BlockIdExt, b: BlockIdExt): number =>
  a.workchain - b.workchain || (a.shard < b.shard ? -1 : a.shard > b.shard ? 1 : a.seqno - b.seqno)

const keyOf = (id: BlockIdExt): string =>
  `${id.workchain}:${id.shard}:${id.seqno}:${id.root_hash.toString('latin1')}${id.file_hash.toString('latin1')}`

const overlap = (a: BlockIdExt, b: BlockIdExt): boolean =>
  a.workchain === b.workchain && (shardContains(a.shard, b.shard) || shardContains(b.shard, a.shard))

/**
 * The newest block of each shard as a masterchain block names it (TL-B McBlockExtra shard_hashes), ascending. A shard
 * without blocks of its own has its zerostate there, with seqno 0. Throws `malformed`, also for a shard block,
 * and `limit`.
 */
export const shardTops = ({ id, block }: OpenedBlock): BlockIdExt[] => {
  const { custom } = parseBlockExtra(block.extra)
  if (!custom) throw new TonlithError('malformed', `block ${blockIdText(id)} names no shards`)
  const tops: BlockIdExt[] = []
  for (const entry of shardEntries(parseMcBlockExtra(custom).shard_hashes)) {
    if (tops.length >= MAX_SHARDS) throw new TonlithError('limit', `more than ${MAX_SHARDS} shards`)
    tops.push(shardBlockId(entry))
  }
  return tops.sort(compareBlockIds)
}

/**
 * Walks from the shard blocks that a masterchain block names (`tops`) over previous links, through gaps, splits and
 * merges, back to those that the masterchain block before it named (`before`). `known` gives blocks that were fetched.
 * Throws `proof` when the walk passes the old tops without meeting them, `limit` beyond MAX_NEW_BLOCKS.
 */
export const newBlocks = (
  before: readonly BlockIdExt[],
  tops: readonly BlockIdExt[],
  known: (id: BlockIdExt) => OpenedBlock | undefined,
): NewBlocks => {
  const seen = new Set(before.map(keyOf))
  const blocks: OpenedBlock[] = []
  const missing: BlockIdExt[] = []
  const open = [...tops]
  for (let id = open.pop(); id; id = open.pop()) {
    if (id.seqno === 0 || seen.has(keyOf(id))) continue
    seen.add(keyOf(id))
    for (const old of before)
      if (overlap(old, id) && id.seqno <= old.seqno)
        throw new TonlithError('proof', `block ${blockIdText(id)} does not come after ${blockIdText(old)}`)
    if (blocks.length + missing.length >= MAX_NEW_BLOCKS)
      throw new TonlithError('limit', `more than ${MAX_NEW_BLOCKS} new shard blocks`)
    const block = known(id)
    if (block) {
      blocks.push(block)
      open.push(...block.prev)
    } else missing.push(id)
  }
  blocks.sort((a, b) => compareBlockIds(a.id, b.id))
  return { blocks, missing: missing.sort(compareBlockIds) }
}
