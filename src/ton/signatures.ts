import { createPublicKey, hash, type KeyObject, verify } from 'node:crypto'
import { TonlithError } from '../common/errors.ts'
import { type BlockIdExt, blockIdText, sameBlock } from './block-id.ts'
import { decode, encode } from './tl/codec.ts'
import type { Boxed } from './tl/types.ts'
import type { BlockSignatures } from './tlb/block-signatures.ts'
import type { ValidatorSubset } from './validator-set.ts'

/** One signature of a block: sha256 of the signer's boxed public key, 64 bytes of ed25519. */
export interface BlockSignature {
  node_id_short: Buffer
  signature: Buffer
}

/** What makes simplex validators' signatures differ from catchain ones: they sign a vote of a session. */
export interface SimplexVote {
  session_id: Buffer
  slot: number
  /** TL bytes of a boxed consensus.CandidateHashData. */
  candidate: Buffer
}

/** Signatures of one block, whichever form (TL or TL-B) they came in. */
export interface SignatureSet {
  catchain_seqno: number
  validator_list_hash_short: number
  signatures: readonly BlockSignature[]
  /** Present where the validators ran simplex. */
  simplex?: SimplexVote
}

const bad = (what: string): TonlithError => new TonlithError('proof', what)

/** sha256 of TL pub.ed25519: how signatures name their signer. */
export const nodeIdShort = (public_key: Buffer): Buffer =>
  hash('sha256', encode({ _: 'pub.ed25519', key: public_key }), 'buffer')

/** The signature set of a TL liteServer.SignatureSet. */
export const signatureSetOfTl = (set: Boxed<'liteServer.SignatureSet'>): SignatureSet => {
  const validator_list_hash_short = set.validator_set_hash >>> 0
  if (set._ === 'liteServer.signatureSet.ordinary') {
    return { catchain_seqno: set.catchain_seqno >>> 0, validator_list_hash_short, signatures: set.signatures }
  }
  const { session_id, slot, candidate } = set
  return {
    catchain_seqno: set.cc_seqno >>> 0,
    validator_list_hash_short,
    signatures: set.signatures,
    simplex: { session_id, slot, candidate },
  }
}

/** The signature set of a TL-B BlockSignatures. */
export const signatureSetOfTlb = (set: BlockSignatures): SignatureSet => {
  const { catchain_seqno, validator_list_hash_short } = set
  const signatures = set.signatures.map(({ node_id_short, sign }) => ({ node_id_short, signature: sign }))
  if (set._ === 'block_signatures_ordinary') return { catchain_seqno, validator_list_hash_short, signatures }
  const { session_id, slot, candidate_data } = set
  return {
    catchain_seqno,
    validator_list_hash_short,
    signatures,
    simplex: { session_id, slot: slot | 0, candidate: candidate_data },
  }
}

const simplexBytes = (id: BlockIdExt, { session_id, slot, candidate }: SimplexVote): Buffer => {
  const voted = decode('consensus.CandidateHashData', candidate)
  if (!sameBlock(voted.block, id)) throw bad(`signatures are about another block than ${blockIdText(id)}`)
  const vote = encode({
    _: 'consensus.simplex.finalizeVote',
    id: { _: 'consensus.candidateId', slot, hash: hash('sha256', candidate, 'buffer') },
  })
  return encode({ _: 'consensus.dataToSign', session_id, data: vote })
}

/**
 * The bytes that the validators signed for a block: ton.blockId, or for simplex a finalizeVote of the session. Throws
 * `proof` when the simplex candidate is another block, `malformed` when it does not parse.
 */
export const signedBytes = (id: BlockIdExt, simplex?: SimplexVote): Buffer =>
  simplex
    ? simplexBytes(id, simplex)
    : encode({ _: 'ton.blockId', root_cell_hash: id.root_hash, file_hash: id.file_hash })

const keyOf = (public_key: Buffer): KeyObject =>
  createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: public_key.toString('base64url') }, format: 'jwk' })

/** True when `signature` (64 bytes) is the ed25519 signature of `data` under the key; false for broken keys too. */
export const verifyEd25519 = (public_key: Buffer, data: Buffer, signature: Buffer): boolean => {
  try {
    return signature.length === 64 && verify(null, data, keyOf(public_key), signature)
  } catch {
    return false
  }
}

/**
 * Checks that more than two thirds of the subset's weight signed the block. Every signer must belong to the subset, none
 * may stand twice, each signature must be valid. Returns the signed weight. Throws `proof` (or `malformed`).
 */
export const checkSignatures = (id: BlockIdExt, set: SignatureSet, subset: ValidatorSubset): bigint => {
  if (set.catchain_seqno !== subset.catchain_seqno) throw bad('signatures of another catchain seqno')
  if (set.validator_list_hash_short !== subset.validator_list_hash_short) {
    throw bad('signatures of another validator set')
  }
  if (set.signatures.length > subset.validators.length) throw bad('more signatures than validators')
  const data = signedBytes(id, set.simplex)
  const members = new Map(subset.validators.map((each) => [nodeIdShort(each.public_key).toString('latin1'), each]))
  let weight = 0n
  for (const { node_id_short, signature } of set.signatures) {
    const name = node_id_short.toString('latin1')
    const member = members.get(name)
    if (!member) throw bad('signature of an unknown or repeated validator')
    members.delete(name)
    if (!verifyEd25519(member.public_key, data, signature)) throw bad('bad signature of a validator')
    weight += member.weight
  }
  if (weight * 3n <= subset.total_weight * 2n) throw bad(`too few signatures of block ${blockIdText(id)}`)
  return weight
}
