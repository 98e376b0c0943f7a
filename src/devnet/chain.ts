import type { BlockIdExt } from '../ton/block-id.ts'
import type { Cell } from '../ton/cell.ts'
import type { BlockInfo } from '../ton/tlb/block-info.ts'
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

/** Start of an account id, or of a shard id taken as one: the first 64 bits as a signed int64. */
export interface AccountPrefix {
  workchain: number
  prefix: bigint
}

/** What a block is looked up by. */
export type LookupKey = 'seqno' | 'lt' | 'utime'

/** What a block has under a key: its seqno, its end lt, or the unix time of its making. */
export const lookupValue = ({ id, info }: Pick<ChainBlock, 'id' | 'info'>, by: LookupKey): bigint =>
  by === 'lt' ? info.end_lt : BigInt(by === 'seqno' ? id.seqno : info.gen_utime)

/** All blocks from the zerostates on, with every state. */
export interface Chain {
  /** Zerostate of a workchain. */
  zerostate(workchain: number): Zerostate | undefined
  /** The block with exactly this id (root and file hash included). */
  block(id: BlockIdExt): ChainBlock | undefined
  masterchain(seqno: number): ChainBlock | undefined
  /** True when a workchain has blocks. */
  hasWorkchain(workchain: number): boolean
  /**
   * Of every shard that holds the account prefix the first block whose value is at least this one, where it was committed
   * up to the masterchain block `last`; of these the one with the least seqno.
   */
  find(at: AccountPrefix, by: LookupKey, value: bigint, last: number): ChainBlock | undefined
  /** The greatest seqno of a key block that is at most this one; 0 stands for the zerostate. */
  prevKeyBlock(seqno: number): number
  /** The least seqno of a key block (0: the zerostate) that is at least this one. */
  nextKeyBlock(seqno: number): number | undefined
  /** Validators' signatures of a masterchain block. */
  signatures(seqno: number): SignatureSet | undefined
  /** Seqno of the last masterchain block. */
  readonly last: number
}
