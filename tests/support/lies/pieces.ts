import { type BlockIdExt, sameBlock } from '../../../src/ton/block-id.ts'
import type { LiteAnswer } from '../../../src/ton/tl/lite-api.ts'
import type { LiteServerMethod } from '../../../src/ton/tl/schema.ts'
import { recordedChain } from '../recorded-chain.ts'

/** The methods with which the gateway reads. */
export const READS = [
  'liteServer.getAccountState',
  'liteServer.getAccountStatePrunned',
  'liteServer.getAllShardsInfo',
  'liteServer.getBlockHeader',
  'liteServer.getBlockOutMsgQueueSize',
  'liteServer.getConfigAll',
  'liteServer.getConfigParams',
  'liteServer.getLibrariesWithProof',
  'liteServer.getShardBlockProof',
  'liteServer.getTransactions',
  'liteServer.listBlockTransactions',
  'liteServer.listBlockTransactionsExt',
  'liteServer.lookupBlockWithProof',
] as const satisfies readonly LiteServerMethod[]

const isBlockId = (value: object): value is BlockIdExt =>
  'root_hash' in value && 'file_hash' in value && 'seqno' in value

const mapped = (value: unknown, change: (part: Buffer | BlockIdExt) => unknown): unknown => {
  if (Buffer.isBuffer(value)) return change(value)
  if (Array.isArray(value)) return value.map((each) => mapped(each, change))
  if (typeof value !== 'object' || value === null) return value
  if (isBlockId(value)) return change(value)
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, mapped(each, change)]))
}

/** Hashes are 32 bytes long; what is longer is a bag of cells. */
const HASH_LENGTH = 32

/** The answer with each of its bags of cells changed. */
export const withBags = <A extends LiteAnswer>(answer: A, change: (bag: Buffer) => Buffer): A =>
  mapped(answer, (part) => (Buffer.isBuffer(part) && part.length > HASH_LENGTH ? change(part) : part)) as A

/** The answer with each id of a block changed. */
export const withBlocks = <A extends LiteAnswer>(answer: A, change: (id: BlockIdExt) => BlockIdExt): A =>
  mapped(answer, (part) => (Buffer.isBuffer(part) ? part : change(part))) as A

/** The block `steps` further in the same shard, or as far in the other direction where there is none. */
export const neighbour = (id: BlockIdExt, steps = -1): BlockIdExt => {
  const blocks = recordedChain().shards(id.workchain).get(id.shard) ?? []
  const at = blocks.findIndex((block) => sameBlock(block.id, id))
  return (blocks[at + steps] ?? blocks[at - steps])?.id ?? id
}

export const flipped = (bytes: Buffer, bit: number): Buffer => {
  const copy = Buffer.from(bytes)
  copy[bit >> 3]! ^= 128 >> (bit & 7)
  return copy
}
