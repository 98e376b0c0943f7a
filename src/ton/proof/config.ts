import type { BlockIdExt } from '../block-id.ts'
import type { Cell } from '../cell.ts'
import type { Answer, Arguments } from '../tl/types.ts'
import { parseBlockExtra } from '../tlb/block-extra.ts'
import type { ConfigParams } from '../tlb/config-params.ts'
import { parseMcBlockExtra } from '../tlb/mc-block-extra.ts'
import { parseMcStateExtra } from '../tlb/mc-state-extra.ts'
import type { ShardStateUnsplit } from '../tlb/shard-state.ts'
import { openHeader, openState, openZeroState, type ProvenBlock } from './block.ts'
import { type Evidence, notProven, proofRoot, proving, sameId } from './evidence.ts'

/** A configuration and the block that it stands in. */
export interface ProvenConfig extends ConfigParams {
  id: BlockIdExt
}

type ConfigRequest = Arguments<'liteServer.getConfigAll'> | Arguments<'liteServer.getConfigParams'>

/** Asks for the configuration of the last key block at or before the given block instead of the block's own. */
export const FROM_KEY_BLOCK = 0x8000

/** The configuration in a masterchain state. */
export const configOfState = ({ custom }: ShardStateUnsplit): ConfigParams => {
  if (!custom) throw notProven('configuration of a block outside of the masterchain')
  return parseMcStateExtra(custom).config
}

/** The configuration in a key block. */
export const configOfKeyBlock = ({ block, info }: ProvenBlock): ConfigParams => {
  const { custom } = parseBlockExtra(block.extra)
  const config = custom && parseMcBlockExtra(custom).config
  if (!config || !info.key_block) throw notProven('configuration of a block that is no key block')
  return config
}

/** The configuration in a key block or, for seqno 0, in the masterchain's zerostate. Throws `proof` or `malformed`. */
export const openKeyBlockConfig = (proof: Cell, id: BlockIdExt, evidence: Evidence): ConfigParams =>
  id.seqno === 0 ? configOfState(openZeroState(proof, id, evidence)) : configOfKeyBlock(openHeader(proof, id, evidence))

/**
 * Answer to getConfigAll or getConfigParams: the configuration (configParam, configParams), of which the parameters that
 * were not asked for may be pruned. With FROM_KEY_BLOCK in the mode it comes from a key block, `id` in the result; the
 * answer does not prove that this one rules the asked block, so tie it to the chain. Throws `proof`.
 */
export const checkConfig = (
  answer: Answer<'liteServer.getConfigAll'>,
  request: ConfigRequest,
  evidence: Evidence,
): ProvenConfig =>
  proving('configuration', () => {
    const proof = proofRoot(answer.config_proof)
    if (request.mode & FROM_KEY_BLOCK) {
      if (answer.id.seqno > request.id.seqno) throw notProven('configuration of a later block')
      return { id: answer.id, ...openKeyBlockConfig(proof, answer.id, evidence) }
    }
    sameId(answer.id, request.id)
    return {
      id: answer.id,
      ...configOfState(openState(proofRoot(answer.state_proof), proof, answer.id, evidence).state),
    }
  })
