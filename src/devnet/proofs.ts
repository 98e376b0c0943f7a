import { TonlithError } from '../common/errors.ts'
import { serializeBoc } from '../ton/boc-writer.ts'
import type { Cell } from '../ton/cell.ts'
import { recordProof } from '../ton/merkle.ts'
import { parseBlock, parseMerkleUpdate } from '../ton/tlb/block.ts'
import { parseBlockExtra } from '../ton/tlb/block-extra.ts'
import { type BlockInfo, parseBlkPrevInfo, parseBlockInfo } from '../ton/tlb/block-info.ts'
import type { ConfigParams } from '../ton/tlb/config-params.ts'
import { type McBlockExtra, parseMcBlockDetails, parseMcBlockExtra } from '../ton/tlb/mc-block-extra.ts'
import type { ShardStateUnsplit } from '../ton/tlb/shard-state.ts'
import { parseShardStateTotals, parseShardStateUnsplit } from '../ton/tlb/shard-state.ts'
import type { ChainBlock } from './chain.ts'

/** Bag of cells in the form of a liteserver's answers: no checksum, no index. Nothing for no roots. */
export const bag = (...roots: Cell[]): Buffer =>
  roots.length === 0 ? Buffer.alloc(0) : serializeBoc(roots, { crc: false })

/** What a reader makes of a tree of cells, and the proof of all that it opened on the way. */
export const prove = <T>(root: Cell, read: (root: Cell) => T): { value: T; proof: Cell } => {
  const recorded = recordProof(root)
  const value = read(recorded.root)
  return { value, proof: recorded.proof() }
}

/** Opens a cell and all cells below it. */
export const openAll = (root: Cell | null): void => {
  if (!root) return
  const stack = [root]
  for (let cell = stack.pop(); cell; cell = stack.pop()) {
    cell.touch()
    for (let i = cell.refCount - 1; i >= 0; i--) stack.push(cell.ref(i))
  }
}

/** Opens the root and the header of a block. */
export const openHeader = (root: Cell): BlockInfo => parseBlockInfo(parseBlock(root).info)

/** Opens what leads to the masterchain part of a masterchain block, and that part's unnamed cell. */
export const openMcBlockExtra = (root: Cell): McBlockExtra => {
  const { custom } = parseBlockExtra(parseBlock(root).extra)
  if (!custom) throw new TonlithError('malformed', 'a masterchain block without McBlockExtra')
  const extra = parseMcBlockExtra(custom)
  parseMcBlockDetails(extra.details)
  return extra
}

/** Opens what leads to the configuration in a key block. */
export const keyBlockConfig = (root: Cell): ConfigParams => {
  const { config } = openMcBlockExtra(root)
  if (!config) throw new TonlithError('malformed', 'a key block without a configuration')
  return config
}

/** Proof that a block leaves behind the state whose hash its Merkle update names. */
export const stateRootProof = ({ root }: Pick<ChainBlock, 'root'>): Cell =>
  prove(root, (recorded) => {
    const { info, state_update } = parseBlock(recorded)
    const { prev_ref, after_merge } = parseBlockInfo(info)
    parseBlkPrevInfo(prev_ref, after_merge)
    parseMerkleUpdate(state_update)
  }).proof

/** Opens the root of a state and its unnamed cell, as the node's parser does. */
export const openState = (root: Cell): ShardStateUnsplit => {
  const state = parseShardStateUnsplit(root)
  parseShardStateTotals(state.totals)
  return state
}
