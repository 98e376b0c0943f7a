import { isDeepStrictEqual } from 'node:util'
import { LRUCache } from 'lru-cache'
import { type BlockIdExt, blockIdText, MASTERCHAIN, sameBlock, shardContains } from '../block-id.ts'
import { parseBoc } from '../boc.ts'
import { sliceToCell } from '../builder.ts'
import type { Cell } from '../cell.ts'
import { beginParse } from '../slice.ts'
import type { Answer, Arguments } from '../tl/types.ts'
import { type McBlockExtra, parseMcBlockExtra } from '../tlb/mc-block-extra.ts'
import { parseMcStateExtra } from '../tlb/mc-state-extra.ts'
import {
  coveringShard,
  exactShard,
  loadShardDescr,
  type ShardDescr,
  type ShardEntry,
  shardBlockId,
  shardOfAccount,
} from '../tlb/shard-hashes.ts'
import { expectTag } from '../tlb/tag.ts'
import { openExtra, openStatePair } from './block.ts'
import { type Evidence, notProven, PROVEN, proofRoot, proving, sameId } from './evidence.ts'

/** Root of the shard_hashes in the state behind a masterchain block, out of the two proofs that lead there. */
const shardHashesOfState = (boc: Buffer, id: BlockIdExt, evidence: Evidence): Cell | null => {
  const { custom } = openStatePair(boc, id, evidence).state
  if (!custom) throw notProven('shards of a block outside of the masterchain')
  return parseMcStateExtra(custom).shard_hashes
}

/** The shards of a masterchain block's state, as one proof shows them. */
export interface ProvenShards {
  shard_hashes: Cell | null
  /** The entry of the shard that holds the account whose id starts with these 64 bits, null where there is none. */
  holding(workchain: number, prefix: bigint): ShardEntry | null
}

/** So many entries are looked through faster than one is read from the tree. */
const MAX_FOUND = 64

const provenShards = (shard_hashes: Cell | null): ProvenShards => {
  const found: ShardEntry[] = []
  return {
    shard_hashes,
    holding: (workchain, prefix) => {
      const known = found.find((entry) => entry.workchain === workchain && shardContains(entry.shard, prefix))
      if (known) return known
      const entry = shardOfAccount(shard_hashes, workchain, prefix)
      if (entry && found.length < MAX_FOUND) found.push(entry)
      return entry
    },
  }
}

/** Proofs of a few blocks, for the shards of a large network. */
const MAX_OPENED_BYTES = 4 << 20
/** Parsed cells with their hashes take about so many times the bytes that they have in a bag, which are kept as well. */
const GROWTH = 8

const opened = new LRUCache<string, ProvenShards & { boc: Buffer }>({
  maxSize: MAX_OPENED_BYTES,
  sizeCalculation: ({ boc }) => boc.length * GROWTH,
})

/**
 * As shardHashesOfState. One block's proof is the same for all accounts of a shard: what the last bytes that were said to
 * be about the shard have proven of the block is remembered, for as long as the bytes are the same.
 */
export const knownShards = (
  { shard_proof: boc, shardblk }: Pick<Answer<'liteServer.getShardInfo'>, 'shard_proof' | 'shardblk'>,
  id: BlockIdExt,
  evidence: Evidence,
): ProvenShards => {
  if (evidence !== PROVEN) return provenShards(shardHashesOfState(boc, id, evidence))
  const key = `${blockIdText(id)}${id.root_hash.toString('latin1')}${shardblk.workchain}:${shardblk.shard}`
  const known = opened.get(key)
  if (known?.boc.equals(boc)) return known
  const copy = Buffer.from(boc)
  const shards = { ...provenShards(shardHashesOfState(copy, id, evidence)), boc: copy }
  opened.set(key, shards)
  return shards
}

/** What only masterchain blocks have, in such a block itself. */
export const mcExtraOfBlock = (proof: Cell, id: BlockIdExt, evidence: Evidence): McBlockExtra => {
  const { custom } = openExtra(proof, id, evidence)
  if (!custom) throw notProven('shards of a block outside of the masterchain')
  return parseMcBlockExtra(custom)
}

const NOTHING = Buffer.alloc(32)

/** What stands where a liteserver found no block: (-2147483648, 0, 0) with empty hashes. */
const NO_BLOCK: BlockIdExt = { workchain: -0x80000000, shard: 0n, seqno: 0, root_hash: NOTHING, file_hash: NOTHING }

/** Refuses an answer that names another shard block than the proven entry, or any where there is none. */
export const sameEntry = (answered: BlockIdExt, entry: ShardEntry | null): void => {
  if (!sameBlock(answered, entry ? shardBlockId(entry) : NO_BLOCK))
    throw notProven('shard block differs from its proof')
}

/**
 * Answer to getAllShardsInfo: the root of ShardHashes (shardEntries), null for a chain without shards. Nodes before 2024
 * prove it by the block's state, later ones by the block itself. Throws `proof`.
 */
export const checkAllShards = (
  answer: Answer<'liteServer.getAllShardsInfo'>,
  request: Arguments<'liteServer.getAllShardsInfo'>,
  evidence: Evidence,
): Cell | null =>
  proving('shards', () => {
    sameId(answer.id, request.id)
    const [block, state] = parseBoc(answer.proof)
    const named = state
      ? shardHashesOfState(answer.proof, request.id, evidence)
      : mcExtraOfBlock(block!, request.id, evidence).shard_hashes
    const data = beginParse(proofRoot(answer.data))
    const shard_hashes = data.maybeRef()
    data.expectEnd()
    if ((named === null) !== (shard_hashes === null)) throw notProven('shards differ from their proof')
    if (named && shard_hashes) evidence.match(shard_hashes, named.hash(0), 'list of shards')
    return shard_hashes
  })

const comparable = ({ fees, ...descr }: ShardDescr): object => ({
  ...descr,
  fees: ('cell' in fees ? sliceToCell(fees) : fees).hash(0),
})

/** The answer shows the description as the leaf of the shard tree in which it stands (bt_leaf$0). */
const descrOfLeaf = (cell: Cell): ShardDescr => {
  const slice = beginParse(cell)
  expectTag(slice, 1, 0, 'leaf of ShardHashes')
  return loadShardDescr(slice)
}

const sameDescr = (a: ShardDescr, b: ShardDescr): boolean => isDeepStrictEqual(comparable(a), comparable(b))

/**
 * Answer to getShardInfo: the entry of the asked shard (or of the one that it lies in, unless `exact`), null when there
 * is provably none. Throws `proof`.
 */
export const checkShardInfo = (
  answer: Answer<'liteServer.getShardInfo'>,
  request: Arguments<'liteServer.getShardInfo'>,
  evidence: Evidence,
): ShardEntry | null =>
  proving('shard', () => {
    sameId(answer.id, request.id)
    const { shard_hashes } = knownShards(answer, request.id, evidence)
    const find = request.exact ? exactShard : coveringShard
    const { workchain, shard } = request
    const entry = workchain === MASTERCHAIN ? null : find(shard_hashes, workchain, shard)
    sameEntry(answer.shardblk, entry)
    if (entry && !sameDescr(descrOfLeaf(proofRoot(answer.shard_descr)), entry.descr)) {
      throw notProven('shard description differs from its proof')
    }
    return entry
  })
