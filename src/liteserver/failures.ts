import { isTonlithError, type TonlithError } from '../common/errors.ts'

/** Codes of liteServer.error that say something about the server's moment, not about the question. */
const MOMENTARY_CODES = new Set([
  228, // over its rate limit
  429,
  652, // gave up after its own time limit
  653, // cancelled: it is shutting down
])
const MOMENTARY_TEXTS = /^timeout$|rate ?limit|too many requests|not synced|overload/i

/** "Not ready": the block is not there, because it is too new or because it is pruned. */
const NOT_READY = 651

const PRUNED_TEXTS =
  /not in db|gc'd|cannot (compute|load|find|locate|unpack) (the )?(block|state|transaction)|file not in/i

/** True for an error of a liteserver that another server, or the same one later, may well not give. */
export const isMomentary = (error: TonlithError): boolean =>
  error.kind === 'liteserver' && (MOMENTARY_CODES.has(error.code ?? 0) || MOMENTARY_TEXTS.test(error.message))

/** True for an error that a server gives about a block that it does not have. */
export const isNotReady = (error: unknown): boolean => isTonlithError(error, 'liteserver') && error.code === NOT_READY

/** True for an error that a server gives about a block that it has and has not worked on yet: others may be ahead. */
export const isNotApplied = (error: unknown): boolean =>
  isNotReady(error) && /not applied/i.test((error as Error).message)

/** True for an error that a server may give because it has thrown old data away: an archive server can do better. */
export const isMaybePruned = (error: unknown): boolean =>
  isTonlithError(error, 'liteserver') && (error.code === NOT_READY || PRUNED_TEXTS.test(error.message))

/** True when the failure is the server's: what it said is false or cannot be read. */
export const isFault = (error: unknown): boolean => isTonlithError(error, 'proof') || isTonlithError(error, 'malformed')
