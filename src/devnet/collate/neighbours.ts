import { TonlithError } from '../../common/errors.ts'
import { blockIdText, MASTERCHAIN, SHARD_ALL, sameBlock } from '../../ton/block-id.ts'
import type { AugDict } from '../../ton/tlb/aug-dict.ts'
import type { ProcessedUpto } from '../../ton/tlb/out-msg-queue.ts'
import { shardBlockId, shardEntries } from '../../ton/tlb/shard-hashes.ts'
import { shardParent, shardPrefixLength } from '../../ton/tlb/shard-ident.ts'
import type { BlockSource } from './collation.ts'
import { openState, type PreviousState, splitQueue } from './previous-state.ts'
import { isAncestor, shardsMeet, splitProcessed } from './processed-upto.ts'
import type { ShardId } from './routing.ts'

/** A shard whose out-queue a new block reads, and whose processed info says which messages of the block's own it has. */
export interface Neighbour {
  shard: ShardId
  /** End lt of the block whose state this is. */
  end_lt: bigint
  queue: AugDict<bigint>
  processed: readonly ProcessedUpto[]
}

const DIGIT = 0xfn

/** True when shards exchange messages without a third one between them (node: ShardConfig::is_neighbor). */
export const areNeighbours = (a: ShardId, b: ShardId): boolean => {
  if (a.workchain === MASTERCHAIN || b.workchain === MASTERCHAIN) return true
  const bits = BigInt(Math.min(shardPrefixLength(a.shard), shardPrefixLength(b.shard)))
  const difference = (BigInt.asUintN(64, a.shard ^ b.shard) >> (64n - bits)) << (64n - bits)
  if (a.workchain !== b.workchain || difference === 0n) return difference === 0n
  const digit = BigInt((difference.toString(2).length - 1) & -4)
  return (difference & ~(DIGIT << digit)) === 0n
}

/** The newest blocks of all shards, the masterchain first, as a masterchain state names them. */
export const namedShards = (shard_hashes: Parameters<typeof shardEntries>[0], master: BlockSource): ShardTopId[] => [
  { shard: { workchain: MASTERCHAIN, shard: SHARD_ALL }, id: master.id, end_lt: master.end_lt },
  ...[...shardEntries(shard_hashes)].map((entry) => ({
    shard: { workchain: entry.workchain, shard: entry.shard },
    id: shardBlockId(entry),
    end_lt: entry.descr.end_lt,
  })),
]

export interface ShardTopId {
  shard: ShardId
  id: BlockSource['id']
  end_lt: bigint
}

const sourceOf = ({ id }: ShardTopId, sources: readonly BlockSource[]): BlockSource => {
  const source = sources.find((candidate) => sameBlock(candidate.id, id))
  if (!source) throw new TonlithError('invalid', `the state of the neighbour ${blockIdText(id)} is not given`)
  return source
}

const neighbourOf = (top: ShardTopId, sources: readonly BlockSource[]): Neighbour => {
  const { out_queue, processed } = openState(sourceOf(top, sources).state)
  return { shard: top.shard, end_lt: top.end_lt, queue: out_queue, processed }
}

const sibling = ({ workchain, shard }: ShardId): ShardId => {
  const marker = shard & -shard
  return { workchain, shard: BigInt.asIntN(64, shard ^ (marker << 1n)) }
}

/** What the part of a wider neighbour that is not ours becomes. */
const siblingOf = (wide: Neighbour, own: ShardId): Neighbour => {
  const shard = sibling(own)
  return {
    shard,
    end_lt: wide.end_lt,
    queue: splitQueue(wide.queue, shard).queue,
    processed: splitProcessed(wide.processed, shard.shard),
  }
}

/**
 * The neighbours of a new block. In the place of its own shard (or of what it was before it split or merged) stands what
 * its predecessor left: that may be newer than what the masterchain knows (node: Collator::add_trivial_neighbor).
 * @param tops newest blocks of all shards as the referred masterchain block names them, the masterchain first
 * @param sources their states
 * @throws `invalid` when a state is missing or the shards do not fit
 */
export const findNeighbours = (
  previous: PreviousState,
  own_end_lt: bigint,
  tops: readonly ShardTopId[],
  sources: readonly BlockSource[],
): Neighbour[] => {
  const { shard } = previous
  const own: Neighbour = { shard, end_lt: own_end_lt, queue: previous.out_queue, processed: previous.processed }
  const found: Neighbour[] = []
  let placed = false
  for (const top of tops) {
    const meets = top.shard.workchain === shard.workchain && shardsMeet(top.shard.shard, shard.shard)
    if (!meets) {
      if (top.id.seqno > 0 && areNeighbours(top.shard, shard)) found.push(neighbourOf(top, sources))
      continue
    }
    const wider = top.shard.shard !== shard.shard && isAncestor(top.shard.shard, shard.shard)
    if (wider) {
      if (top.shard.shard !== shardParent(shard.shard))
        throw new TonlithError('invalid', 'the masterchain names a shard that is too wide')
      found.push(siblingOf(neighbourOf(top, sources), shard))
    }
    if (!placed) found.push(own)
    placed = true
  }
  return found
}
