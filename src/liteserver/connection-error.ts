import { TonlithError } from '../common/errors.ts'

/** How far a connection had come when it broke. */
export type ConnectionStage = 'connect' | 'handshake' | 'open'

/** A connection that could not be made or that broke: kind `connection`. */
export class ConnectionError extends TonlithError {
  readonly stage: ConnectionStage
  /** True when the query that failed may have reached the server: its last byte was given to the system. */
  readonly written: boolean

  constructor(message: string, stage: ConnectionStage, options: { written?: boolean; cause?: unknown } = {}) {
    super('connection', message, { cause: options.cause })
    this.stage = stage
    this.written = options.written ?? false
  }

  /** True when the server hung up on our opening without a word, as one does that owns another key. */
  get keyRefused(): boolean {
    return this.stage === 'handshake' && this.cause === undefined
  }
}

/** The error of a query that got no answer in time, in the words of API v2. */
export const queryTimeout = (): TonlithError => new TonlithError('timeout', 'LITE_SERVER_NETWORK timeout')
