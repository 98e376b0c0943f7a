import type { Logger } from '../common/logger.ts'
import type { Pool } from '../liteserver/pool.ts'
import type { ServerStatus } from '../liteserver/status.ts'

const LOOK_MS = 1_000

/** Writes a line whenever a liteserver comes, goes or turns out to be another one than configured, until stopped. */
export const watchServers = (pool: Pick<Pool, 'status'>, logger: Logger, everyMs = LOOK_MS): (() => void) => {
  const told = new Map<number, ServerStatus['state']>()
  const look = (): void => {
    for (const { index, name, state, seqno, lastError } of pool.status()) {
      const before = told.get(index)
      if (before === state || (before === undefined && state === 'offline' && lastError === undefined)) continue
      told.set(index, state)
      const fields = { liteserver: name, ...(seqno === undefined ? {} : { seqno }) }
      if (state === 'online') logger.info(fields, 'liteserver is online')
      else logger.warn({ ...fields, reason: lastError ?? 'unknown' }, `liteserver is ${state}`)
    }
  }
  const timer = setInterval(look, everyMs)
  return () => clearInterval(timer)
}
