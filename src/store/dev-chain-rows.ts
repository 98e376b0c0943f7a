import { TonlithError } from '../common/errors.ts'
import { type BlockIdExt, blockIdText } from '../ton/block-id.ts'
import type { Table } from './environment.ts'
import { BLOCK_KEY_SIZE, behind, blockKey, readBlockKey, shardPrefix } from './keys.ts'
import { rowWriter } from './row-bytes.ts'
import { firstKey, under } from './scan.ts'

/** What is kept of a block. */
export interface DevBlock {
  id: BlockIdExt
  /** The masterchain block that committed it; its own seqno for a masterchain block. */
  mc_seqno: number
  gen_utime: number
  end_lt: bigint
  /** Of a masterchain block: the last key block up to and with it, 0 for the zerostate. 0 for other blocks. */
  last_key_block: number
  /** The number of the root of the state after it (dev-chain-cells.ts). */
  state: number
  /** Validators' signatures, as the caller writes them; empty for a shard block. */
  signatures: Buffer
  data: Buffer
}

/** What the look-ups go by. */
export type DevBlockKey = 'gen_utime' | 'end_lt' | 'last_key_block'

const HASHES = 26
const SIGNATURES = HASHES + 64

/**
 * The row of a block: mc_seqno, gen_utime, last_key_block (uint32 each), end_lt (uint64), state (6 bytes), root_hash,
 * file_hash, the signatures with their length (uint32) in front, the block's bytes compressed with Zstandard.
 */
const encodeBlock = ({
  id,
  mc_seqno,
  gen_utime,
  end_lt,
  last_key_block,
  state,
  signatures,
  data,
}: DevBlock): Buffer => {
  const number = Buffer.allocUnsafe(6)
  number.writeUIntBE(state, 0, 6)
  return rowWriter()
    .u32(mc_seqno)
    .u32(gen_utime)
    .u32(last_key_block)
    .u64(end_lt)
    .bytes(number)
    .bytes(id.root_hash)
    .bytes(id.file_hash)
    .u32(signatures.length)
    .bytes(signatures)
    .bytes(Bun.zstdCompressSync(data))
    .end()
}

const decodeBlock = (place: Pick<BlockIdExt, 'workchain' | 'shard' | 'seqno'>, row: Buffer): DevBlock => {
  try {
    const end = SIGNATURES + 4 + row.readUInt32BE(SIGNATURES)
    return {
      id: {
        ...place,
        root_hash: row.subarray(HASHES, HASHES + 32),
        file_hash: row.subarray(HASHES + 32, HASHES + 64),
      },
      mc_seqno: row.readUInt32BE(0),
      gen_utime: row.readUInt32BE(4),
      last_key_block: row.readUInt32BE(8),
      end_lt: row.readBigUInt64BE(12),
      state: row.readUIntBE(20, 6),
      signatures: row.subarray(SIGNATURES + 4, end),
      data: Bun.zstdDecompressSync(row.subarray(end)),
    }
  } catch (cause) {
    throw new TonlithError('malformed', `the row of block ${blockIdText(place)} cannot be read`, { cause })
  }
}

const READ: Record<DevBlockKey, (row: Buffer) => bigint> = {
  gen_utime: (row) => BigInt(row.readUInt32BE(4)),
  end_lt: (row) => row.readBigUInt64BE(12),
  last_key_block: (row) => BigInt(row.readUInt32BE(8)),
}

/** Adds a block, in the transaction that is under way. */
export const putDevBlock = (table: Table, block: DevBlock): void => {
  table.putSync(blockKey(block.id), encodeBlock(block))
}

/** The block in this place. Throws `malformed` for a row that cannot be read. */
export const devBlockAt = (
  table: Table,
  place: Pick<BlockIdExt, 'workchain' | 'shard' | 'seqno'>,
): DevBlock | undefined => {
  const row = table.get(blockKey(place))
  return row && decodeBlock(place, row)
}

/** Seqno of the last block of a shard; undefined where it has none. */
export const lastSeqno = (table: Table, workchain: number, shard: bigint): number | undefined => {
  const key = firstKey(table, under(shardPrefix(workchain, shard)), 'desc')
  return key && readBlockKey(key).seqno
}

/** Seqno of the first block of a shard with at least this seqno. */
export const seqnoFrom = (table: Table, workchain: number, shard: bigint, seqno: number): number | undefined => {
  const key = firstKey(
    table,
    { ...under(shardPrefix(workchain, shard)), from: blockKey({ workchain, shard, seqno }) },
    'asc',
  )
  return key && readBlockKey(key).seqno
}

/**
 * Seqno of the first block of a shard that has at least this value; the values of a shard's blocks do not fall from block
 * to block. Reads a number of rows that grows with the logarithm of theirs.
 */
export const seqnoByValue = (
  table: Table,
  workchain: number,
  shard: bigint,
  by: DevBlockKey,
  value: bigint,
): number | undefined => {
  const isFrom = (seqno: number): boolean =>
    READ[by](table.getBinaryFast(blockKey({ workchain, shard, seqno }))!) >= value
  let high = lastSeqno(table, workchain, shard)
  if (high === undefined || !isFrom(high)) return undefined
  let low = 0
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const found = seqnoFrom(table, workchain, shard, middle)!
    if (isFrom(found)) high = middle
    else low = found + 1
  }
  return seqnoFrom(table, workchain, shard, low)
}

/** Every shard that has blocks. */
export const shardsOf = (table: Table): { workchain: number; shard: bigint }[] => {
  const shards: { workchain: number; shard: bigint }[] = []
  for (let from: Buffer | undefined = Buffer.alloc(0); from; ) {
    const key = firstKey(table, { from }, 'asc')
    if (!key) break
    const { workchain, shard } = readBlockKey(key)
    shards.push({ workchain, shard })
    from = behind(key.subarray(0, BLOCK_KEY_SIZE - 4))
  }
  return shards
}
