import { hash } from 'node:crypto'
import { isTonlithError, TonlithError } from '../common/errors.ts'
import { type BlockIdExt, blockIdText, MASTERCHAIN } from '../ton/block-id.ts'
import { parseBocRoot } from '../ton/boc.ts'
import { beginCell } from '../ton/builder.ts'
import type { Cell } from '../ton/cell.ts'
import { applyUpdate } from '../ton/merkle.ts'
import { parseBlock } from '../ton/tlb/block.ts'
import { type BlockInfo, isHeaderOf, parseBlockInfo, prevBlockIds } from '../ton/tlb/block-info.ts'
import type { RecordedBlock, Recording } from './archive.ts'
import type { SignatureSet } from './archive-signatures.ts'

/** One block of a chain, checked and together with the state that it leaves behind. */
export interface ChainBlock {
  id: BlockIdExt
  /** The block as bytes; their SHA-256 is the file hash. */
  data: Buffer
  root: Cell
  info: BlockInfo
  prev: BlockIdExt[]
  /** The masterchain block that committed this one; its own seqno for a masterchain block. */
  mc_seqno: number
  /** Root of the shard state after this block (TL-B ShardStateUnsplit). */
  state: Cell
}

export interface Zerostate {
  id: BlockIdExt
  data: Buffer
  root: Cell
}

/** All blocks from the zerostates on, with every state. States share the cells that did not change. */
export interface Chain {
  /** Zerostate of a workchain. */
  zerostate(workchain: number): Zerostate | undefined
  /** The block or zerostate with exactly this id (root and file hash included). */
  block(id: BlockIdExt): ChainBlock | undefined
  masterchain(seqno: number): ChainBlock | undefined
  /** Blocks of a workchain, shard by shard, each list by seqno. */
  shards(workchain: number): ReadonlyMap<bigint, readonly ChainBlock[]>
  /** Seqno of the last masterchain block. */
  readonly last: number
  /** Seqnos of the key blocks, ascending; 0 stands for the zerostate. */
  readonly keyBlocks: readonly number[]
  readonly signatures: ReadonlyMap<number, SignatureSet>
}

const SPLIT_STATE = 0x5f327da5
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

/** TL-B ShardState: what a block starts from, after a merge (`split_state`) both halves. */
const mergedState = (left: Cell, right: Cell): Cell => beginCell().uint(SPLIT_STATE, 32).ref(left).ref(right).endCell()

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
    const state = applyUpdate(second ? mergedState(first!, second) : first!, block.state_update)
    return { id, data, root, info, prev, mc_seqno, state }
  } catch (cause) {
    if (isTonlithError(cause, 'invalid')) throw cause
    throw broken(id, 'does not follow the one before', cause)
  }
}

/**
 * Checks a recording and rebuilds every state of it: each block's Merkle update is applied to the state of its
 * predecessors. Throws `invalid` and names the block when bytes, hashes or the order are wrong.
 */
export const buildChain = ({ blocks, zerostates, signatures }: Recording): Chain => {
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
  return {
    zerostate: (workchain) => byWorkchain.get(workchain),
    block: (id) => {
      const block = byKey.get(keyOf(id))
      return block?.id.file_hash.equals(id.file_hash) ? block : undefined
    },
    masterchain: (seqno) => masterchain[seqno - 1],
    shards: (workchain) => lists.get(workchain) ?? NO_SHARDS,
    last: masterchain.length,
    keyBlocks: [0, ...masterchain.filter(({ info }) => info.key_block).map(({ id }) => id.seqno)],
    signatures,
  }
}
