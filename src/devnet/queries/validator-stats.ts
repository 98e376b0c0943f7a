import { creatorStats, parseMcStateExtra, parseMcStateHistory } from '../../ton/tlb/mc-state-extra.ts'
import { BAD_REQUEST, liteError } from '../lite-error.ts'
import { loadMasterchainBlock } from '../load.ts'
import { bag, openState, prove, stateRootProof } from '../proofs.ts'
import type { Handlers } from '../query.ts'

const MAX_COUNT = 1000
const WITH_START = 1
const INCLUDE_START = 2
const KNOWN_FLAGS = 7

export const validatorStats = {
  'liteServer.getValidatorStats': ({ view }, { id, mode, limit, start_after }) => {
    if (limit <= 0) throw liteError(BAD_REQUEST, 'requested entry count limit must be positive')
    if (mode & ~KNOWN_FLAGS) throw liteError(BAD_REQUEST, 'unknown flags set in mode')
    const block = loadMasterchainBlock(view, id)
    const inclusive = (mode & (WITH_START | INCLUDE_START)) !== WITH_START
    const { value, proof } = prove(block.state, (root) => {
      const { history } = parseMcStateExtra(openState(root).custom!)
      const { block_create_stats } = parseMcStateHistory(history)
      if (!block_create_stats) throw liteError(BAD_REQUEST, 'cannot extract block create stats from mc state')
      const range = start_after ? { after: start_after, inclusive } : {}
      const records = creatorStats(block_create_stats, range)
      let count = 0
      let complete = false
      for (const most = Math.min(limit, MAX_COUNT); count < most && !complete; ) {
        complete = records.next().done === true
        if (!complete) count++
      }
      return { count, complete }
    })
    const state_proof = bag(stateRootProof(block))
    return { _: 'liteServer.validatorStats', mode, id, ...value, state_proof, data_proof: bag(proof) }
  },
} satisfies Partial<Handlers>
