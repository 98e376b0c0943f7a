import { BAD_REQUEST, liteError } from '../lite-error.ts'
import type { Handlers } from '../query.ts'

/** Refuses a query with the reason why an archive cannot answer it. */
export const refuse = (what: string): never => {
  throw liteError(BAD_REQUEST, `this liteserver serves an archive: ${what}`)
}

const notFinal = (): never => {
  throw liteError(BAD_REQUEST, 'this liteserver knows no blocks that are not final')
}

export const unsupported = {
  'liteServer.nonfinal.getCandidate': notFinal,
  'liteServer.nonfinal.getPendingShardBlocks': notFinal,
  'liteServer.nonfinal.getValidatorGroups': notFinal,
} satisfies Partial<Handlers>
