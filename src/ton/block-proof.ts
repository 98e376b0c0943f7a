import { isTonlithError } from '../common/errors.ts'
import { type BlockIdExt, blockIdText, MASTERCHAIN, SHARD_ALL, sameBlock } from './block-id.ts'
import type { Cell } from './cell.ts'
import { openHeader, openState } from './proof/block.ts'
import { openKeyBlockConfig } from './proof/config.ts'
import { notProven, PROVEN, proofRoot, proving } from './proof/evidence.ts'
import { inPrevBlocks } from './proof/links.ts'
import { checkSignatures, type SignatureSet, signatureSetOfTl, signatureSetOfTlb } from './signatures.ts'
import type { Answer, Arguments, Boxed } from './tl/types.ts'
import type { BlockInfo } from './tlb/block-info.ts'
import type { BlockProof } from './tlb/block-signatures.ts'
import { configParam } from './tlb/config-params.ts'
import { parseCatchainConfig, parseValidatorSet, type ValidatorSet } from './tlb/validators.ts'
import { type ValidatorSubset, validatorSubset } from './validator-set.ts'

type BlockLink = Boxed<'liteServer.BlockLink'>
type ForwardLink = Extract<BlockLink, { _: 'liteServer.blockLinkForward' }>
type BackLink = Extract<BlockLink, { _: 'liteServer.blockLinkBack' }>

/** Where a part of a block proof leads. */
export interface ProvenSteps {
  /** The block that is proven now; the target when `complete`. */
  to: BlockIdExt
  complete: boolean
  /** Key blocks that were proven on the way, in the order of the links. */
  key_blocks: BlockIdExt[]
}

const CURRENT_SET = [35, 34] as const
const NEXT_SET = [37, 36] as const

const findSet = (config: Cell, [temporary, elected]: readonly [number, number]): ValidatorSet | null => {
  const cell = configParam(config, temporary) ?? configParam(config, elected)
  return cell && parseValidatorSet(cell)
}

/** The next validators, where their time has come and the proof shows them. */
const nextSet = (config: Cell, gen_utime: number): ValidatorSet | null => {
  try {
    const set = findSet(config, NEXT_SET)
    return set && set.utime_since <= gen_utime ? set : null
  } catch (error) {
    if (!isTonlithError(error, 'malformed')) throw error
    return null
  }
}

const subsetOf = (config: Cell, info: BlockInfo): ValidatorSubset => {
  const catchain = configParam(config, 28)
  if (!catchain) throw notProven('configuration without parameter 28')
  const rules = parseCatchainConfig(catchain)
  const draw = (set: ValidatorSet | null): ValidatorSubset | null => {
    const subset =
      set && validatorSubset(set, rules, { workchain: MASTERCHAIN, shard: SHARD_ALL }, info.gen_catchain_seqno)
    return subset?.validator_list_hash_short === info.gen_validator_list_hash_short ? subset : null
  }
  const subset = draw(findSet(config, CURRENT_SET)) ?? draw(nextSet(config, info.gen_utime))
  if (!subset) throw notProven('block made by other validators than its key block names')
  return subset
}

/**
 * Checks the signatures of a masterchain block of which the header is proven. `config` is the configuration's root in
 * the key block that rules the block. Returns the signed weight. Throws `proof` or `malformed`.
 */
export const checkBlockSignatures = (id: BlockIdExt, info: BlockInfo, config: Cell, set: SignatureSet): bigint =>
  checkSignatures(id, set, subsetOf(config, info))

/**
 * Checks a TL-B BlockProof of a masterchain block: header and signatures. `config` as in checkBlockSignatures. Returns
 * the block's header. Throws `proof`.
 */
export const checkStoredProof = ({ proof_for, root, signatures }: BlockProof, config: Cell): BlockInfo =>
  proving('block proof', () => {
    if (!signatures) throw notProven('block proof without signatures')
    const { info } = openHeader(root, proof_for, PROVEN)
    const weight = checkBlockSignatures(proof_for, info, config, signatureSetOfTlb(signatures))
    const stated = signatures.sig_count === signatures.signatures.length && signatures.sig_weight === weight
    if (!stated) throw notProven('other signatures than stated')
    return info
  })

/** The header of a link's destination, which the zerostate does not have. */
const destination = ({ to, to_key_block, dest_proof }: BlockLink): BlockInfo | null => {
  if (to.seqno === 0) return null
  const { info } = openHeader(proofRoot(dest_proof), to, PROVEN)
  if (info.key_block !== to_key_block) throw notProven('link that misnames a key block')
  return info
}

const checkForward = (link: ForwardLink): void => {
  const info = destination(link)
  if (!info || info.prev_key_block_seqno !== link.from.seqno) throw notProven('forward link that skips a key block')
  const { config } = openKeyBlockConfig(proofRoot(link.config_proof), link.from, PROVEN)
  checkBlockSignatures(link.to, info, config, signatureSetOfTl(link.signatures))
}

const checkBack = (link: BackLink): void => {
  const { state } = openState(proofRoot(link.proof), proofRoot(link.state_proof), link.from, PROVEN)
  const { key } = inPrevBlocks(state, link.to)
  destination(link)
  if (key !== link.to_key_block) throw notProven('link that misnames a key block')
}

/**
 * Checks one link of a block proof: that `to` is a block of the chain, given that `from` is. A forward link starts at a
 * key block (or the zerostate) and carries signatures, a backward one shows `to` among the previous blocks of `from`.
 * Throws `proof`.
 */
export const checkBlockLink = (link: BlockLink): void =>
  proving('block link', () => {
    const { from, to } = link
    const masterchain = [from, to].every(({ workchain, shard }) => workchain === MASTERCHAIN && shard === SHARD_ALL)
    const forward = link._ === 'liteServer.blockLinkForward'
    if (!masterchain || from.seqno < 0 || to.seqno < 0) throw notProven('link outside of the masterchain')
    if (forward ? to.seqno <= from.seqno : to.seqno >= from.seqno) throw notProven('link in the wrong direction')
    if (forward) checkForward(link)
    else checkBack(link)
  })

/**
 * Answer to getBlockProof: one part of the way from the known block to the target (or to the server's last block). Every
 * link is checked. Throws `proof`.
 */
export const checkBlockProof = (
  answer: Answer<'liteServer.getBlockProof'>,
  request: Pick<Arguments<'liteServer.getBlockProof'>, 'known_block' | 'target_block'>,
): ProvenSteps => {
  const { known_block, target_block } = request
  if (!sameBlock(answer.from, known_block)) throw notProven('block proof from another block than the known one')
  const key_blocks: BlockIdExt[] = []
  let at = known_block
  for (const link of answer.steps) {
    if (!sameBlock(link.from, at)) throw notProven('block proof with a gap')
    checkBlockLink(link)
    at = link.to
    if (link.to_key_block && at.seqno > 0) key_blocks.push(at)
  }
  if (!sameBlock(answer.to, at)) throw notProven('block proof that ends elsewhere than it says')
  const complete = target_block ? sameBlock(at, target_block) : answer.complete
  if (complete !== answer.complete) throw notProven(`block proof that misses ${blockIdText(target_block ?? at)}`)
  return { to: at, complete, key_blocks }
}
