import { TonlithError } from '../common/errors.ts'

/** The codes that a liteserver answers with (node: ErrorCode). */
export const BAD_REQUEST = -400
export const PROTOVIOLATION = 621
export const NOT_READY = 651
export const TIMEOUT = 652

/** An error that is answered as liteServer.error with this code and text. */
export const liteError = (code: number, message: string): TonlithError =>
  new TonlithError('liteserver', message, { code })
