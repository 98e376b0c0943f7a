import { type BlockIdExt, blockIdText } from '../block-id.ts'
import type { Cell } from '../cell.ts'
import { type Block, parseBlock, parseMerkleUpdate } from '../tlb/block.ts'
import { type BlockExtra, parseBlockExtra } from '../tlb/block-extra.ts'
import { type BlockInfo, isHeaderOf, parseBlockInfo } from '../tlb/block-info.ts'
import { parseShardStateUnsplit, type ShardStateUnsplit } from '../tlb/shard-state.ts'
import { type Evidence, notProven, proofPair } from './evidence.ts'

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

/** Opens a proof that shows a block's header, which must be the header of the block that `id` names. */
export const openHeader = (proof: Cell, id: BlockIdExt, evidence: Evidence): ProvenBlock => {
  const block = openBlock(proof, id, evidence)
  const info = parseBlockInfo(block.info)
  if (!isHeaderOf(info, id)) throw notProven(`header of another block than ${blockIdText(id)}`)
  return { block, info }
}

/** Opens the proof of a state that follows the given block. */
const openStateOf = (proven: ProvenBlock, proof: Cell, evidence: Evidence): ProvenState => {
  const root = evidence.open(proof, parseMerkleUpdate(proven.block.state_update).new_hash)
  return { ...proven, root, state: parseShardStateUnsplit(root) }
}

/**
 * Opens the two proofs that lead from a block to its state: header and state hash in the first, the state's visible
 * part in the second. Throws `proof` or `malformed`.
 */
export const openState = (block: Cell, state: Cell, id: BlockIdExt, evidence: Evidence): ProvenState =>
  openStateOf(openHeader(block, id, evidence), state, evidence)

/** The same for the two proofs in one BoC. */
export const openStatePair = (boc: Buffer, id: BlockIdExt, evidence: Evidence): ProvenState => {
  const [block, state] = proofPair(boc)
  return openState(block, state, id, evidence)
}

/** Opens a proof inside of a zerostate, whose root hash its id names. */
export const openZeroState = (proof: Cell, id: BlockIdExt, evidence: Evidence): ShardStateUnsplit =>
  parseShardStateUnsplit(evidence.open(proof, id.root_hash))
