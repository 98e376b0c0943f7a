import { type BlockIdExt, blockIdText, MASTERCHAIN, SHARD_ALL } from '../ton/block-id.ts'
import { shardPrefixLength } from '../ton/tlb/shard-ident.ts'
import type { ChainBlock } from './chain.ts'
import type { ChainView } from './chain-view.ts'
import { BAD_REQUEST, liteError, NOT_READY } from './lite-error.ts'

const INVALID_WORKCHAIN = -0x80000000
const MAX_SHARD_PREFIX = 60
const ZERO_HASH = Buffer.alloc(32)

/** TL block id for "there is none" (node: BlockIdExt::invalidate_clear). */
export const NO_BLOCK: BlockIdExt = {
  workchain: INVALID_WORKCHAIN,
  shard: 0n,
  seqno: 0,
  root_hash: ZERO_HASH,
  file_hash: ZERO_HASH,
}

const upperHex = (hash: Buffer): string => hash.toString('hex').toUpperCase()

/** `(workchain,shard,seqno):ROOT_HASH:FILE_HASH`, as the node writes full ids in its errors. */
export const fullIdText = (id: BlockIdExt): string =>
  [blockIdText({ ...id, seqno: id.seqno >>> 0 }), ...[id.root_hash, id.file_hash].map(upperHex)].join(':')

/** True for a shard that can exist: a known workchain, a prefix that is not too long, the masterchain unsplit. */
export const isShard = (workchain: number, shard: bigint): boolean => {
  if (workchain === INVALID_WORKCHAIN || shard === 0n) return false
  return workchain === MASTERCHAIN ? shard === SHARD_ALL : shardPrefixLength(shard) <= MAX_SHARD_PREFIX
}

/** True for an id that names a shard that can exist and both hashes. */
export const isFullId = (id: BlockIdExt): boolean =>
  isShard(id.workchain, id.shard) && !id.root_hash.equals(ZERO_HASH) && !id.file_hash.equals(ZERO_HASH)

const load = (view: ChainView, id: BlockIdExt): ChainBlock => {
  const block = view.block(id)
  if (!block) throw liteError(NOT_READY, `cannot load block ${fullIdText(id)} : not in db`)
  return block
}

/** A masterchain block that an answer is about. Throws the node's errors. */
export const loadMasterchainBlock = (view: ChainView, id: BlockIdExt): ChainBlock => {
  if (id.workchain !== MASTERCHAIN || !isFullId(id))
    throw liteError(BAD_REQUEST, 'reference block must belong to the masterchain')
  return load(view, id)
}

/** A block of any chain that an answer is about. Throws the node's errors. */
export const loadBlock = (view: ChainView, id: BlockIdExt, invalid = 'invalid block id requested'): ChainBlock => {
  if (!isFullId(id)) throw liteError(BAD_REQUEST, invalid)
  return load(view, id)
}

/** The block itself for getBlock and getBlockHeader, which answer with shorter errors. */
export const loadPlainBlock = (view: ChainView, id: BlockIdExt): ChainBlock => {
  if (!isFullId(id)) throw liteError(BAD_REQUEST, 'invalid BlockIdExt')
  const block = view.block(id)
  if (!block) throw liteError(NOT_READY, 'not in db')
  return block
}
