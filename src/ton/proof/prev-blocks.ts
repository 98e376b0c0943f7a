import { type PrevBlocks, readPrevBlocks } from '../prev-blocks.ts'
import type { Answer, Arguments } from '../tl/types.ts'
import { parseMcStateExtra, parseMcStateHistory } from '../tlb/mc-state-extra.ts'
import { openState } from './block.ts'
import { type Evidence, notProven, proofRoot, proving, sameId } from './evidence.ts'

/** Mode bit of getConfigParams: show the earlier masterchain blocks too (node: ConfigInfo::needPrevBlocks). */
export const NEED_PREV_BLOCKS = 128

/**
 * Answer to getConfigParams with NEED_PREV_BLOCKS: the earlier masterchain blocks as the state of the asked block lists
 * them. Throws `proof`.
 */
export const checkPrevBlocks = (
  answer: Answer<'liteServer.getConfigParams'>,
  request: Pick<Arguments<'liteServer.getConfigParams'>, 'id'>,
  evidence: Evidence,
): PrevBlocks =>
  proving('earlier blocks', () => {
    sameId(answer.id, request.id)
    const { custom } = openState(
      proofRoot(answer.state_proof),
      proofRoot(answer.config_proof),
      request.id,
      evidence,
    ).state
    if (!custom) throw notProven('earlier blocks of a block outside of the masterchain')
    return readPrevBlocks(parseMcStateHistory(parseMcStateExtra(custom).history), request.id)
  })
