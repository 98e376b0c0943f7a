import { BAD_REQUEST, liteError } from '../lite-error.ts'
import type { Handlers } from '../query.ts'

const refuse = (what: string) => (): never => {
  throw liteError(BAD_REQUEST, `this liteserver serves an archive: ${what}`)
}

const notFinal = refuse('it knows no blocks that are not final')

export const unsupported = {
  'liteServer.sendMessage': refuse('it cannot take messages'),
  'liteServer.runSmcMethod': refuse('it cannot run get-methods'),
  'liteServer.nonfinal.getCandidate': notFinal,
  'liteServer.nonfinal.getPendingShardBlocks': notFinal,
  'liteServer.nonfinal.getValidatorGroups': notFinal,
} satisfies Partial<Handlers>
