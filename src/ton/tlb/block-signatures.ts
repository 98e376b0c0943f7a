import { TonlithError } from '../../common/errors.ts'
import type { BlockIdExt } from '../block-id.ts'
import type { Cell } from '../cell.ts'
import { dictEntries } from '../dictionary.ts'
import { beginParse } from '../slice.ts'
import { loadBlockIdExt } from './ext-blk-ref.ts'
import { loadShardIdent } from './shard-ident.ts'
import { expectTag, malformed, maybe } from './tag.ts'

/** TL-B CryptoSignaturePair with an ed25519_signature: 64 bytes R and s. */
export interface CryptoSignaturePair {
  node_id_short: Buffer
  sign: Buffer
}

interface SignaturesCommon {
  validator_list_hash_short: number
  catchain_seqno: number
  sig_count: number
  sig_weight: bigint
  signatures: CryptoSignaturePair[]
}

export interface BlockSignaturesOrdinary extends SignaturesCommon {
  _: 'block_signatures_ordinary'
}

export interface BlockSignaturesSimplex extends SignaturesCommon {
  _: 'block_signatures_simplex'
  session_id: Buffer
  slot: number
  /** TL bytes of a boxed consensus.CandidateHashData. */
  candidate_data: Buffer
}

/** TL-B BlockSignatures. */
export type BlockSignatures = BlockSignaturesOrdinary | BlockSignaturesSimplex

/** TL-B BlockProof: what a node keeps as the proof of a block. `root` is a Merkle proof cell. */
export interface BlockProof {
  proof_for: BlockIdExt
  root: Cell
  signatures: BlockSignatures | null
}

const ORDINARY = 0x11
const SIMPLEX = 0x12
const ED25519_SIGNATURE = 5
/** Longer candidate data is refused; a real one has at most 200 bytes. */
const MAX_CANDIDATE_CELLS = 16

/**
 * TL-B HashmapE 16 CryptoSignaturePair, whose keys are the numbers from 0 on. Throws `malformed`, also for chained
 * signatures, which no block has.
 */
export const parseSignatures = (root: Cell | null): CryptoSignaturePair[] => {
  const signatures: CryptoSignaturePair[] = []
  for (const [key, value] of dictEntries(root, 16)) {
    if (key.readUInt16BE(0) !== signatures.length) throw new TonlithError('malformed', 'signatures with a gap')
    const node_id_short = value.bytes(32)
    if (value.uint(4) !== ED25519_SIGNATURE) throw new TonlithError('malformed', 'unknown CryptoSignature')
    signatures.push({ node_id_short, sign: value.bytes(64) })
    value.expectEnd()
  }
  return signatures
}

/** Bytes of a cell string: the cell's whole bytes, then those of the cell that its reference names, and so on. */
const cellString = (start: Cell): Buffer => {
  const parts: Buffer[] = []
  for (let cell: Cell | null = start; cell; ) {
    if (parts.length === MAX_CANDIDATE_CELLS) throw new TonlithError('limit', 'cell string too long')
    const slice = beginParse(cell)
    if (slice.remainingBits % 8 !== 0 || slice.remainingRefs > 1) {
      throw new TonlithError('malformed', 'broken cell string')
    }
    parts.push(slice.bytes(slice.remainingBits / 8))
    cell = slice.remainingRefs > 0 ? slice.ref() : null
  }
  return Buffer.concat(parts)
}

/** Reads BlockSignatures, ordinary (catchain) or simplex. Throws `malformed` or `limit`. */
export const parseBlockSignatures = (cell: Cell): BlockSignatures => {
  const slice = beginParse(cell)
  const tag = slice.uint(8)
  if (tag !== ORDINARY && tag !== SIMPLEX) throw new TonlithError('malformed', 'unknown BlockSignatures')
  const common: SignaturesCommon = {
    validator_list_hash_short: slice.uint(32),
    catchain_seqno: slice.uint(32),
    sig_count: slice.uint(32),
    sig_weight: slice.uintBig(64),
    signatures: parseSignatures(slice.maybeRef()),
  }
  if (common.signatures.length !== common.sig_count) {
    throw new TonlithError('malformed', 'BlockSignatures of another count than stated')
  }
  if (tag === ORDINARY) {
    slice.expectEnd()
    return { _: 'block_signatures_ordinary', ...common }
  }
  const session_id = slice.bytes(32)
  const slot = slice.uint(32)
  const candidate_data = cellString(slice.ref())
  slice.expectEnd()
  return { _: 'block_signatures_simplex', ...common, session_id, slot, candidate_data }
}

/** Reads a BlockProof. Throws `malformed`, also for a shard with bits behind its prefix, or `limit`. */
export const parseBlockProof = (cell: Cell): BlockProof => {
  const slice = beginParse(cell)
  expectTag(slice, 8, 0xc3, 'BlockProof')
  const { shard_pfx_bits, shard_prefix } = loadShardIdent(slice.clone())
  if (BigInt.asUintN(64, shard_prefix << BigInt(shard_pfx_bits)) !== 0n) throw malformed('ShardIdent')
  const proof = {
    proof_for: loadBlockIdExt(slice),
    root: slice.ref(),
    signatures: maybe(slice, (s) => parseBlockSignatures(s.ref())),
  }
  slice.expectEnd()
  return proof
}
