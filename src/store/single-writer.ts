import { Database } from 'bun:sqlite'
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { TonlithError } from '../common/errors.ts'

/** The right to write what a file stands for, until it is given back or the process ends, however it does. */
export interface WriterClaim {
  release(): void
}

const BUSY = 'SQLITE_BUSY'

/**
 * Claims a file for this process. The file stays empty: what counts is the lock that SQLite takes on it, which the system
 * lets go of when the process is killed, and which nobody gets twice, not even in one process.
 * @param what is claimed, for the error
 * @throws TonlithError `conflict` while it is claimed; `unavailable` when the file cannot be made
 */
export const claimWriter = (file: string, what = 'index'): WriterClaim => {
  let database: Database | undefined
  try {
    mkdirSync(dirname(file), { recursive: true })
    database = new Database(file, { create: true })
    database.run('BEGIN EXCLUSIVE')
    const held = database
    return { release: () => held.close() }
  } catch (cause) {
    database?.close()
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
    if (code === BUSY) throw new TonlithError('conflict', `another process keeps this ${what}`, { cause })
    throw new TonlithError('unavailable', `the claim to write the ${what} cannot be made: ${code}`, { cause })
  }
}
