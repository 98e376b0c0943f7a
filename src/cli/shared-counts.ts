import { randomBytes } from 'node:crypto'
import { mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSharedSignInLimit } from '../api/dashboard/shared-sign-in-limit.ts'
import type { SharedCounts } from '../api/deps.ts'
import type { KeylessShare } from '../api/merchant/keyless-share.ts'
import { createSharedKeylessShare } from '../api/merchant/shared-keyless-share.ts'
import { createSharedRateLimiter } from '../api/middleware/shared-rate-limit.ts'
import type { Clock } from '../common/clock.ts'
import { TonlithError } from '../common/errors.ts'
import { openSharedTable, seedSharedTable, sharedTableBytes } from '../common/shared-table.ts'
import { machineClock } from './machine-clock.ts'

/** Sets of eight: room for 65,536 names in each table. */
const SETS = 8_192
const TABLE_BYTES = sharedTableBytes(SETS)
const WORD_BYTES = BigInt64Array.BYTES_PER_ELEMENT
/** Callers, attempts to sign in, transfers without a key. */
const TABLES = 3
const FILE_BYTES = TABLES * TABLE_BYTES

const mapped = (fd: number): BigInt64Array[] => {
  const { buffer, byteOffset } = Bun.mmap(`/proc/self/fd/${fd}`, { shared: true })
  const words = TABLE_BYTES / WORD_BYTES
  return Array.from({ length: TABLES }, (_, i) => new BigInt64Array(buffer, byteOffset + i * TABLE_BYTES, words))
}

/** Limits that hold for all processes that answer at one address. */
export interface AllCounts extends SharedCounts {
  /** What addresses made without a key, in stretches of so many seconds. */
  keylessShare(lifetime: number): KeylessShare
}

/**
 * The counts in the file that a process has made and left open under this number.
 * @throws as machineClock does
 */
export const openSharedCounts = (fd: number, clock: Clock): AllCounts => {
  const [callers, attempts, transfers] = mapped(fd).map(openSharedTable)
  const now = machineClock(clock)
  const limiter = createSharedRateLimiter(callers!, now)
  const wrong = createSharedSignInLimit(attempts!, limiter, now)
  return {
    limiter,
    signIns: { wrong, right: (merchant, ...rest) => limiter(`sign-in of ${merchant}`, ...rest) },
    keylessShare: (lifetime) => createSharedKeylessShare(transfers!, lifetime, now),
  }
}

/**
 * Makes a file of counts that has no name any more, and gives its number, by which processes that inherit it can open it.
 * It ends with the last of them.
 * @throws TonlithError `unavailable` where the folder for temporary files cannot be written
 */
export const makeSharedCounts = (): number => {
  try {
    const folder = mkdtempSync(join(tmpdir(), 'tonlith-counts-'))
    try {
      const fd = openSync(join(folder, 'counts'), 'wx+', 0o600)
      // Written, not left out: memory of a file with holes ends the process when the disk is full.
      writeSync(fd, Buffer.alloc(FILE_BYTES))
      for (const table of mapped(fd)) seedSharedTable(table, randomBytes(WORD_BYTES).readBigInt64LE())
      return fd
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw new TonlithError('unavailable', `the folder for temporary files cannot be written: ${code}`, { cause })
  }
}
