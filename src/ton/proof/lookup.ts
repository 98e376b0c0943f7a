import { type BlockIdExt, MASTERCHAIN, SHARD_ALL, sameBlock, shardContains } from '../block-id.ts'
import type { Answer, Arguments } from '../tl/types.ts'
import { type BlockInfo, prevBlockIds } from '../tlb/block-info.ts'
import { openHeader, openState, type ProvenBlock } from './block.ts'
import { type Evidence, notProven, proofRoot, proving, sameId } from './evidence.ts'
import { followShardLinks, inPrevBlocks } from './links.ts'

const BY_SEQNO = 1
const BY_LT = 2
const BY_UTIME = 4

/** A block with its header and the masterchain block that brought it in (itself in the masterchain). */
export interface ProvenLookup extends ProvenBlock {
  id: BlockIdExt
  mc_block: BlockIdExt
}

/** Answer to getBlockHeader: the header of the asked block. Throws `proof`. */
export const checkBlockHeader = (
  answer: Answer<'liteServer.getBlockHeader'>,
  request: Pick<Arguments<'liteServer.getBlockHeader'>, 'id'>,
  evidence: Evidence,
): ProvenBlock =>
  proving('block header', () => {
    sameId(answer.id, request.id)
    return openHeader(proofRoot(answer.header_proof), request.id, evidence)
  })

type LookupRequest = Pick<Arguments<'liteServer.lookupBlock'>, 'mode' | 'id' | 'lt' | 'utime'>

/**
 * The block is one that the question could mean, as far as its own header tells. The asked shard stands for the account
 * prefix that it starts from: of the shards inside of it only one holds that.
 */
const answersLookup = (id: BlockIdExt, info: BlockInfo, { mode, id: asked, lt, utime }: LookupRequest): void => {
  const fits =
    id.workchain === asked.workchain &&
    shardContains(id.shard, asked.shard) &&
    (mode & BY_SEQNO
      ? id.seqno === asked.seqno
      : mode & BY_LT
        ? lt !== undefined && info.end_lt >= lt
        : mode & BY_UTIME
          ? utime !== undefined && info.gen_utime >= utime
          : false)
  if (!fits) throw notProven('another block than the one that was looked up')
}

/**
 * Answer to lookupBlock: the header that the server names. That its block is on the chain and the first one that fits is
 * the server's word (checkLookup proves it). Throws `proof`.
 */
export const checkPlainLookup = (
  answer: Answer<'liteServer.lookupBlock'>,
  request: LookupRequest,
  evidence: Evidence,
): ProvenBlock =>
  proving('lookup', () => {
    const proven = openHeader(proofRoot(answer.header_proof), answer.id, evidence)
    answersLookup(answer.id, proven.info, request)
    return proven
  })

/** The block before, of the shard that holds the asked prefix, is too early: the one that was found is the first that fits. */
const isFirst = (found: ProvenBlock, prev_header: Buffer, request: LookupRequest, evidence: Evidence): void => {
  const proof = proofRoot(prev_header)
  const named = prevBlockIds(found.info).find(({ root_hash }) => proof.ref(0).hash(0).equals(root_hash))
  if (!named || !shardContains(named.shard, request.id.shard))
    throw notProven('header of another block than the previous one')
  const { info } = openHeader(proof, named, evidence)
  const earlier = request.mode & BY_LT ? info.end_lt < request.lt! : info.gen_utime < request.utime!
  if (!earlier) throw notProven('an earlier block fits what was looked up')
}

/**
 * Answer to lookupBlockWithProof: the first block of the shard that fits, tied to the masterchain block that the request
 * names. Throws `proof`.
 */
export const checkLookup = (
  answer: Answer<'liteServer.lookupBlockWithProof'>,
  request: Arguments<'liteServer.lookupBlockWithProof'>,
  evidence: Evidence,
): ProvenLookup =>
  proving('lookup', () => {
    const { id, mc_block_id } = answer
    if (mc_block_id.workchain !== MASTERCHAIN || mc_block_id.shard !== SHARD_ALL)
      throw notProven('no masterchain block')
    if (!sameBlock(mc_block_id, request.mc_block_id)) {
      const [block, state] = [proofRoot(answer.client_mc_state_proof), proofRoot(answer.mc_block_proof)]
      inPrevBlocks(openState(block, state, request.mc_block_id, evidence).state, mc_block_id)
    }
    sameId(followShardLinks(mc_block_id, answer.shard_links, evidence), id)
    const found = openHeader(proofRoot(answer.header), id, evidence)
    answersLookup(id, found.info, request)
    if (!(request.mode & BY_SEQNO) && id.seqno > 1) isFirst(found, answer.prev_header, request, evidence)
    return { ...found, id, mc_block: mc_block_id }
  })
