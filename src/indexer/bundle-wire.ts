import type { Batch } from '../model/batch.ts'
import { ownBlockId } from '../model/block.ts'
import type { PackedTransactions } from '../model/packed-transactions.ts'
import { packTransactions } from '../store/pack-transactions.ts'
import type { BlockIdExt } from '../ton/block-id.ts'
import { type BagParts, partsOfBag, reviveBag } from '../ton/boc.ts'
import type { Cell } from '../ton/cell.ts'
import { decodeBatch, encodeBatch } from './batch-wire.ts'
import type { FetchedBlock } from './block-source.ts'
import type { Bundle } from './fetch.ts'
import { shardTops } from './new-blocks.ts'
import { checkedBlock } from './opened-block.ts'
import { batchBlock, inBatchOrder, parseBatch } from './parse.ts'
import type { WireStreams } from './wire.ts'

interface BlockWire {
  id: BlockIdExt
  bytes: number
  bag: BagParts
}

/** A bundle on its way to another thread: its blocks opened and hashed, its batch parsed, its transactions packed. */
export interface BundleWire {
  seqno: number
  masterchain: BlockWire
  shards: BlockWire[]
  batch: WireStreams
  packed: PackedTransactions | undefined
}

/** Bytes in a buffer of their own. */
const own = (bytes: Uint8Array): Uint8Array =>
  bytes.length === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes)

const blockWire = ({ id, root, bytes }: FetchedBlock): BlockWire => {
  const bag = partsOfBag(root)
  return { id, bytes, bag: { ...bag, bytes: own(bag.bytes) } }
}

const buffersOf = ({ bytes, table, hashes, depths }: BagParts): ArrayBuffer[] =>
  [bytes, table, hashes, depths].map(({ buffer }) => buffer as ArrayBuffer)

/** Transactions packed in buffers of their own, and those that are handed over. */
const packedWire = (batch: Batch): { packed: PackedTransactions; buffers: ArrayBuffer[] } => {
  const packed = packTransactions(batch)
  const { cell_groups, addresses, keys, values, ends, entries, unsent } = packed
  return {
    packed: { ...packed, cell_groups: cell_groups.map((group) => ({ ...group, packed: own(group.packed) })) },
    buffers: [addresses, keys, values, ends, unsent, ...entries.flatMap(({ keys, claims }) => [keys, claims])].map(
      ({ buffer }) => buffer,
    ),
  }
}

/**
 * Parses a bundle for another thread. Throws what parseBatch throws.
 * @param packs whether its transactions are packed for the store, too
 * @returns the bundle, and what of it is handed over without a copy: its shard blocks cannot be used here any more. The
 * masterchain block stays, as it is needed for the next bundle too
 */
export const encodeBundle = (bundle: Bundle, packs: boolean): { wire: BundleWire; transfer: ArrayBuffer[] } => {
  const batch = parseBatch(bundle.masterchain, bundle.shards)
  const packing = packs ? packedWire(batch) : undefined
  const shards = bundle.shards.map(blockWire)
  const streams = encodeBatch(batch)
  const wire = {
    seqno: bundle.seqno,
    masterchain: blockWire(bundle.masterchain),
    shards,
    batch: streams,
    packed: packing?.packed,
  }
  return {
    wire,
    transfer: [
      ...shards.flatMap(({ bag }) => buffersOf(bag)),
      ...Object.values(streams).map(({ buffer }) => buffer),
      ...(packing?.buffers ?? []),
    ],
  }
}

interface RevivedBlock extends FetchedBlock {
  cellAt(place: number): Cell
}

const revivedBlock = ({ id, bytes, bag }: BlockWire): RevivedBlock => {
  const cellAt = reviveBag(bag)
  return { ...checkedBlock(ownBlockId(id), cellAt(bag.root)), bytes, cellAt }
}

/** The bundle that encodeBundle was given, with its batch. What it holds is believed, as it was checked in the other thread. */
export const decodeBundle = ({ seqno, masterchain, shards, batch, packed }: BundleWire): Bundle => {
  const [first, ...others] = [masterchain, ...shards].map(revivedBlock)
  const blocks = inBatchOrder(first!, others)
  const parts = decodeBatch(
    batch,
    blocks.map(({ cellAt }) => cellAt),
  )
  const counts = new Map<number, number>()
  for (const { block } of parts.transactions) counts.set(block, (counts.get(block) ?? 0) + 1)
  const parsed: Batch = {
    mc: first!.id,
    gen_utime: first!.info.gen_utime,
    blocks: blocks.map((block, place) => batchBlock(block, counts.get(place) ?? 0)),
    shard_tops: shardTops(first!),
    ...parts,
    ...(packed ? { packed } : {}),
  }
  const bytes = blocks.reduce((sum, block) => sum + block.bytes, 0)
  return { seqno, masterchain: first!, shards: others, bytes, batch: parsed }
}
