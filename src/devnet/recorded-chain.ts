import { hash } from 'node:crypto'
import { isTonlithError, TonlithError } from '../common/errors.ts'
import { type BlockIdExt, blockIdText, MASTERCHAIN, shardContains } from '../ton/block-id.ts'
import { parseBocRoot } from '../ton/boc.ts'
import type { Cell } from '../ton/cell.ts'
import { applyUpdate } from '../ton/merkle.ts'
import { parseBlock } from '../ton/tlb/block.ts'
import { type BlockInfo, isHeaderOf, parseBlockInfo, prevBlockIds } from '../ton/tlb/block-info.ts'
import { buildSplitState } from '../ton/tlb/shard-state.ts'
import type { RecordedBlock, Recording } from './archive.ts'
import {
  type AccountPrefix,
  type Chain,
  type ChainBlock,
  type LookupKey,
  lookupValue,
  type Zerostate,
} from './chain.ts'

/** A recording as a chain: all of it in memory, its states share the cells that did not change. */
export interface RecordedChain extends Chain {
  /** Blocks of a workchain, shard by shard, each list by seqno. */
  shards(workchain: number): ReadonlyMap<bigint, readonly ChainBlock[]>
  /** Seqnos of the key blocks, ascending; 0 stands for the zerostate. */
  readonly keyBlocks: readonly number[]
  /** Seqnos of the masterchain blocks whose signatures were recorded, ascending. */
  readonly signed: readonly number[]
}

const NO_SHARDS: ReadonlyMap<bigint, readonly ChainBlock[]> = new Map()

const keyOf = (id: BlockIdExt): string => `${blockIdText(id)}${id.root_hash.toString('latin1')}`

const broken = (id: BlockIdExt, what: string, cause?: unknown): TonlithError =>
  new TonlithError('invalid', `block ${blockIdText(id)} of the recording ${what}`, { cause })

const openBag = (id: BlockIdExt, data: Buffer): Cell => {
  if (!hash('sha256', data, 'buffer').equals(id.file_hash)) throw broken(id, 'does not have its file hash')
  let root: Cell
  try {
    root = parseBocRoot(data)
  } catch (cause) {
    throw broken(id, 'is no bag of cells', cause)
  }
  if (!root.hash().equals(id.root_hash)) throw broken(id, 'does not have its root hash')
  return root
}

/** True when a header is about the block that the index says. */
const isAbout = (info: BlockInfo, { id, mc_seqno }: RecordedBlock): boolean =>
  isHeaderOf(info, id) && (id.workchain !== MASTERCHAIN || mc_seqno === id.seqno)

const openBlock = (recorded: RecordedBlock, stateOf: (id: BlockIdExt) => Cell): ChainBlock => {
  const { id, mc_seqno, data } = recorded
  const root = openBag(id, data)
  try {
    const block = parseBlock(root)
    const info = parseBlockInfo(block.info)
    if (!isAbout(info, recorded)) throw broken(id, 'is another block')
    const prev = prevBlockIds(info)
    const [first, second] = prev.map(stateOf)
    const state = applyUpdate(second ? buildSplitState(first!, second) : first!, block.state_update)
    return { id, data, root, info, prev, mc_seqno, state }
  } catch (cause) {
    if (isTonlithError(cause, 'invalid')) throw cause
    throw broken(id, 'does not follow the one before', cause)
  }
}

/** First block of an ascending list whose value is at least `value`. */
const firstFrom = (list: readonly ChainBlock[], by: LookupKey, value: bigint): ChainBlock | undefined => {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (lookupValue(list[middle]!, by) < value) low = middle + 1
    else high = middle
  }
  return list[low]
}

/**
 * Checks a recording and rebuilds every state of it: each block's Merkle update is applied to the state of its
 * predecessors. Throws `invalid` and names the block when bytes, hashes or the order are wrong.
 */
export const buildChain = ({ blocks, zerostates, signatures }: Recording): RecordedChain => {
  const byWorkchain = new Map<number, Zerostate>()
  const byKey = new Map<string, ChainBlock>()
  const states = new Map<string, Cell>()
  const lists = new Map<number, Map<bigint, ChainBlock[]>>()
  const masterchain: ChainBlock[] = []
  const stateOf = (id: BlockIdExt): Cell => {
    const state = states.get(keyOf(id))
    if (!state) throw broken(id, 'is needed and is not there')
    return state
  }
  for (const { id, data } of zerostates) {
    const root = openBag(id, data)
    byWorkchain.set(id.workchain, { id, data, root })
    states.set(keyOf(id), root)
  }
  for (const recorded of blocks) {
    const block = openBlock(recorded, stateOf)
    const { workchain, shard, seqno } = block.id
    byKey.set(keyOf(block.id), block)
    states.set(keyOf(block.id), block.state)
    const shards = lists.get(workchain) ?? new Map<bigint, ChainBlock[]>()
    lists.set(workchain, shards)
    const list = shards.get(shard)
    if (list) list.push(block)
    else shards.set(shard, [block])
    if (workchain !== MASTERCHAIN) continue
    if (seqno !== masterchain.length + 1) throw broken(block.id, 'is out of order')
    masterchain.push(block)
  }
  if (masterchain.length === 0 || !byWorkchain.has(MASTERCHAIN))
    throw new TonlithError('invalid', 'the recording has no masterchain')
  const keyBlocks = [0, ...masterchain.filter(({ info }) => info.key_block).map(({ id }) => id.seqno)]
  const find = ({ workchain, prefix }: AccountPrefix, by: LookupKey, value: bigint, last: number) => {
    let best: ChainBlock | undefined
    for (const [shard, list] of lists.get(workchain) ?? NO_SHARDS) {
      if (!shardContains(shard, prefix)) continue
      const found = firstFrom(list, by, value)
      if (found && found.mc_seqno <= last && (!best || found.id.seqno < best.id.seqno)) best = found
    }
    return best
  }
  return {
    zerostate: (workchain) => byWorkchain.get(workchain),
    block: (id) => {
      const block = byKey.get(keyOf(id))
      return block?.id.file_hash.equals(id.file_hash) ? block : undefined
    },
    masterchain: (seqno) => masterchain[seqno - 1],
    shards: (workchain) => lists.get(workchain) ?? NO_SHARDS,
    hasWorkchain: (workchain) => lists.has(workchain),
    find,
    prevKeyBlock: (seqno) => keyBlocks.findLast((key) => key <= seqno) ?? 0,
    nextKeyBlock: (seqno) => keyBlocks.find((key) => key >= seqno),
    signatures: (seqno) => signatures.get(seqno),
    last: masterchain.length,
    keyBlocks,
    signed: [...signatures.keys()].sort((a, b) => a - b),
  }
}
