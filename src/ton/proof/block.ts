import { type BlockIdExt, blockIdText } from '../block-id.ts'
import type { Cell } from '../cell.ts'
import { type Block, parseBlock, parseMerkleUpdate } from '../tlb/block.ts'
import { type BlockExtra, parseBlockExtra } from '../tlb/block-extra.ts'
import { type BlockInfo, isHeaderOf, parseBlockInfo } from '../tlb/block-info.ts'
import { parseShardStateUnsplit, type ShardStateUnsplit } from '../tlb/shard-state.ts'
import { type Evidence, notProven, PROVEN, proofPair } from './evidence.ts'
import { createKnownHeaders } from './known-headers.ts'

/** A block of which a proof shows at least the header. */
export interface ProvenBlock {
  block: Block
  info: BlockInfo
}

/** A block's state of which a proof shows at least the root cell. */
export interface ProvenState extends ProvenBlock {
  state: ShardStateUnsplit
  /** Virtual root of the state; hash(0) of a cell below it is the cell's own hash. */
  root: Cell
}

/** The visible part of the block with this id; its header may be pruned. Throws `proof` or `malformed`. */
export const openBlock = (proof: Cell, id: BlockIdExt, evidence: Evidence): Block =>
  parseBlock(evidence.open(proof, id.root_hash))

/** The visible part of what a block holds beside its header. Throws `proof` or `malformed`. */
export const openExtra = (proof: Cell, id: BlockIdExt, evidence: Evidence): BlockExtra =>
  parseBlockExtra(openBlock(proof, id, evidence).extra)

const headerOf = (block: Block, id: BlockIdExt): ProvenBlock => {
  const info = parseBlockInfo(block.info)
  if (!isHeaderOf(info, id)) throw notProven(`header of another block than ${blockIdText(id)}`)
  return { block, info }
}

/** Opens a proof that shows a block's header, which must be the header of the block that `id` names. */
export const openHeader = (proof: Cell, id: BlockIdExt, evidence: Evidence): ProvenBlock =>
  headerOf(openBlock(proof, id, evidence), id)

/** A block of which a proof shows the header and the hash of the state behind it. */
interface ProvenEnd extends ProvenBlock {
  state_hash: Buffer
}

const endOf = (block: Block, id: BlockIdExt): ProvenEnd => ({
  ...headerOf(block, id),
  state_hash: parseMerkleUpdate(block.state_update).new_hash,
})

const KNOWN_BLOCKS = 256
const knownEnds = createKnownHeaders<ProvenEnd>(KNOWN_BLOCKS)

/**
 * Opens the proof that leads from a block to the hash of its state. Each answer about the state of a block brings the same
 * one: it is compared with the last that proved this block, and hashed only when it is another.
 */
const openEnd = (proof: Cell, id: BlockIdExt, evidence: Evidence): ProvenEnd => {
  if (evidence !== PROVEN) return endOf(openBlock(proof, id, evidence), id)
  const known = knownEnds.get(id.root_hash, proof)
  if (known && isHeaderOf(known.info, id)) return known
  const opened = endOf(openBlock(proof, id, evidence), id)
  knownEnds.put(id.root_hash, proof, (copy) => endOf(parseBlock(copy.ref(0)), id))
  return opened
}

/**
 * Opens the two proofs that lead from a block to its state: header and state hash in the first, the state's visible
 * part in the second. Throws `proof` or `malformed`.
 */
export const openState = (block: Cell, state: Cell, id: BlockIdExt, evidence: Evidence): ProvenState => {
  const end = openEnd(block, id, evidence)
  const root = evidence.open(state, end.state_hash)
  return { block: end.block, info: end.info, root, state: parseShardStateUnsplit(root) }
}

/** The same for the two proofs in one BoC. */
export const openStatePair = (boc: Buffer, id: BlockIdExt, evidence: Evidence): ProvenState => {
  const [block, state] = proofPair(boc)
  return openState(block, state, id, evidence)
}

/** Opens a proof inside of a zerostate, whose root hash its id names. */
export const openZeroState = (proof: Cell, id: BlockIdExt, evidence: Evidence): ShardStateUnsplit =>
  parseShardStateUnsplit(evidence.open(proof, id.root_hash))
