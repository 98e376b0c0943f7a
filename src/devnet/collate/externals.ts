import { isTonlithError } from '../../common/errors.ts'
import type { Steps } from '../../common/steps.ts'
import type { Cell } from '../../ton/cell.ts'
import { type ExtInMsgInfo, parseMessageInfo } from '../../ton/tlb/message.ts'
import type { Executed } from '../../tvm/executor.ts'
import type { RefusedExternal } from './collation.ts'
import { importFees } from './descriptors.ts'
import type { Draft } from './draft.ts'
import { isFullForExternals, noteClass } from './fullness.ts'
import { recordIn } from './recorded.ts'
import { prefixOf, shardHolds } from './routing.ts'
import { runExternal } from './run-message.ts'
import { mustWait } from './waiting.ts'

/** What became of the external messages that a block was given. */
export interface ExternalOutcome {
  taken: Cell[]
  refused: RefusedExternal[]
  left: Cell[]
}

const infoOf = (message: Cell): ExtInMsgInfo | null => {
  const info = parseMessageInfo(message)
  return info._ === 'ext_in_msg_info' ? info : null
}

/** Why an external message made no transaction. */
const reasonOf = (executed: Extract<Executed, { done: false }>): string =>
  executed.reason === 'not_accepted' ? `not accepted, exit code ${executed.exit_code}` : 'rejected before the contract'

const tryMessage = (draft: Draft, message: Cell, outcome: ExternalOutcome): void => {
  const info = infoOf(message)
  if (!info) {
    outcome.refused.push({ message, reason: 'not an external message' })
    return
  }
  if (!shardHolds(draft.shard, prefixOf(info.dest)) || isFullForExternals(draft) || mustWait(draft, info.dest)) {
    outcome.left.push(message)
    return
  }
  const executed = runExternal(draft, message, info.dest)
  if (!executed.done) {
    outcome.refused.push({ message, reason: reasonOf(executed) })
    return
  }
  const { transaction } = executed
  recordIn(draft, message.hash(), { _: 'msg_import_ext', msg: message, transaction }, importFees(0n))
  outcome.taken.push(message)
  noteClass(draft)
}

/**
 * Tries the external messages in the order in which they were given (node: Collator::process_inbound_external_messages).
 * One that is broken, or at which the executor fails, is refused; the block goes on.
 */
export function* importExternals(draft: Draft): Steps<ExternalOutcome> {
  const outcome: ExternalOutcome = { taken: [], refused: [], left: [] }
  for (const message of draft.input.externals) {
    try {
      tryMessage(draft, message, outcome)
    } catch (error) {
      if (!isTonlithError(error, 'malformed') && !isTonlithError(error, 'unsupported')) throw error
      outcome.refused.push({ message, reason: error.message })
    }
    yield
  }
  return outcome
}
