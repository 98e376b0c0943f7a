import { isTonlithError, TonlithError } from '../common/errors.ts'
import type { StopSignal } from '../common/stop.ts'
import { isMaybePruned } from '../liteserver/failures.ts'
import type { Query } from '../liteserver/query.ts'
import { type BlockIdExt, MASTERCHAIN, SHARD_ALL } from '../ton/block-id.ts'
import { checkBlockProof } from '../ton/block-proof.ts'
import { notProven } from '../ton/proof/evidence.ts'
import { type SignatureSet, signatureSetOfTl } from '../ton/signatures.ts'
import { lookupBlock } from './blocks.ts'
import type { Chain } from './chain.ts'

/** A masterchain block and its validators' signatures. */
export interface SignedBlock {
  id: BlockIdExt
  set: SignatureSet
}

const WITH_TARGET = 1
/** The proof is built as of the newer of the two blocks: it then ends in that block's own signatures. */
const FROM_NEWER_BLOCK = 0x1000

/** A liteserver that lacks old data names the blocks that the proof goes through, not the one that was asked about. */
const aboutBlock = (seqno: number, error: unknown): unknown => {
  if (!isTonlithError(error) || !isMaybePruned(error)) return error
  const message = `no signatures of masterchain block ${seqno} (an archival liteserver may have them): ${error.message}`
  return new TonlithError('liteserver', message, {
    ...(error.code !== undefined && { code: error.code }),
    cause: error,
  })
}

/**
 * The signatures of the masterchain block with this seqno: the last link of a block proof from its predecessor. They are
 * checked against the validators whom the ruling key block names, at any level of trust. Throws what the liteserver says
 * when it does not have them, or the block.
 */
export const readBlockSignatures = async (chain: Chain, seqno: number, signal: StopSignal): Promise<SignedBlock> => {
  const { id, prev_blocks } = await lookupBlock(chain, { workchain: MASTERCHAIN, shard: SHARD_ALL, seqno }, signal)
  const request = { mode: WITH_TARGET | FROM_NEWER_BLOCK, known_block: prev_blocks[0]!, target_block: id }
  const readSet = async (query: Query): Promise<SignatureSet> => {
    const answer = await query('liteServer.getBlockProof', request)
    const { complete } = checkBlockProof(answer, request)
    const last = answer.steps.at(-1)
    if (!complete || last?._ !== 'liteServer.blockLinkForward')
      throw notProven('block proof that does not end in signatures')
    return signatureSetOfTl(last.signatures)
  }
  try {
    return { id, set: await chain.pool.run(readSet, { signal, minSeqno: seqno }) }
  } catch (error) {
    throw aboutBlock(seqno, error)
  }
}
