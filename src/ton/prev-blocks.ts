import { TonlithError } from '../common/errors.ts'
import type { BlockIdExt } from './block-id.ts'
import { type StackValue, stackInt, stackTuple } from './stack.ts'
import { masterBlockIdOf } from './tlb/ext-blk-ref.ts'
import { type McStateHistory, oldMcBlock } from './tlb/mc-state-extra.ts'

/** The masterchain blocks that contracts can see (TVM: PREVMCBLOCKS, PREVKEYBLOCK, PREVMCBLOCKS_100). */
export interface PrevBlocks {
  /** The block itself and up to 15 before it. */
  last_mc_blocks: readonly BlockIdExt[]
  /** The key block in force: the block itself if it is one, the zerostate before the first one. */
  prev_key_block: BlockIdExt
  /** Up to 16 blocks whose seqno is a multiple of 100, from the block itself backwards. */
  last_mc_blocks_100: readonly BlockIdExt[]
}

const LISTED = 16
const HUNDRED = 100
/** Global version from which on contracts get the list of hundredths. */
const WITH_HUNDREDTHS = 9

/**
 * Reads them from the state of a masterchain block (node: ConfigInfo::get_prev_blocks_info); a proof must show the way to
 * them. Throws `malformed`.
 */
export const readPrevBlocks = (history: McStateHistory, id: BlockIdExt): PrevBlocks => {
  const blockAt = (seqno: number): BlockIdExt => {
    if (seqno === id.seqno) return id
    const old = oldMcBlock(history.prev_blocks, seqno)
    if (!old) throw new TonlithError('malformed', 'masterchain state without an earlier block')
    return masterBlockIdOf(old.blk_ref)
  }
  const backwards = (from: number, step: number): BlockIdExt[] => {
    const blocks: BlockIdExt[] = []
    for (let seqno = from; seqno >= 0 && blocks.length < LISTED; seqno -= step) blocks.push(blockAt(seqno))
    return blocks
  }
  const { after_key_block, last_key_block } = history
  return {
    last_mc_blocks: backwards(id.seqno, 1),
    prev_key_block: after_key_block ? id : last_key_block ? masterBlockIdOf(last_key_block) : blockAt(0),
    last_mc_blocks_100: backwards(id.seqno - (id.seqno % HUNDRED), HUNDRED),
  }
}

const hashInt = (hash: Buffer): StackValue => stackInt(BigInt(`0x${hash.toString('hex')}`))

const blockTuple = ({ workchain, shard, seqno, root_hash, file_hash }: BlockIdExt): StackValue =>
  stackTuple([
    stackInt(workchain),
    stackInt(BigInt.asUintN(64, shard)),
    stackInt(seqno),
    hashInt(root_hash),
    hashInt(file_hash),
  ])

/** PrevBlocksInfo as contracts of this global version find it in c7. */
export const prevBlocksTuple = (blocks: PrevBlocks, globalVersion: number): StackValue =>
  stackTuple([
    stackTuple(blocks.last_mc_blocks.map(blockTuple)),
    blockTuple(blocks.prev_key_block),
    ...(globalVersion >= WITH_HUNDREDTHS ? [stackTuple(blocks.last_mc_blocks_100.map(blockTuple))] : []),
  ])
