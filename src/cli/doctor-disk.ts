import { closeSync, existsSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Clock } from '../common/clock.ts'
import { isTonlithError } from '../common/errors.ts'
import { freeBytes } from '../store/disk.ts'
import { storeFailure } from '../store/failure.ts'
import { probeLmdb } from '../store/probe.ts'
import type { Finding, Verdict } from './doctor-finding.ts'
import { megabytes } from './index-copies.ts'

/** Bytes below which a disk is called full, or nearly so. */
const FULL_BYTES = 64e6
const SCARCE_BYTES = 2e9
const PAGE_BYTES = 4096
const WRITES = 32
/** Milliseconds: each block that is indexed waits for one such write. */
const SLOW_MS = 50

/** The folder itself, or the nearest one above that is there: what would be made in it is on the same disk. */
const nearest = (folder: string): string => {
  let found = folder
  while (!existsSync(found) && dirname(found) !== found) found = dirname(found)
  return found
}

/** Milliseconds of the middle one of some writes of a page that are waited for until the disk has them. */
const syncedWriteMs = (folder: string, clock: Clock): number => {
  const scratch = mkdtempSync(join(folder, '.doctor-'))
  try {
    const file = openSync(join(scratch, 'page'), 'w')
    try {
      const page = Buffer.alloc(PAGE_BYTES, 0x5a)
      const took = Array.from({ length: WRITES }, () => {
        const startedAt = clock.monotonic()
        writeSync(file, page)
        fdatasyncSync(file)
        return clock.monotonic() - startedAt
      })
      return took.sort((a, b) => a - b)[WRITES >> 1]!
    } finally {
      closeSync(file)
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

const spaceVerdict = (free: number): Verdict => (free < FULL_BYTES ? 'failed' : free < SCARCE_BYTES ? 'warning' : 'ok')

/** The disk of the data folder: what is free, whether it can be written to, and how fast. Nothing is left there. */
export const diskFinding = (data: string, clock: Clock): Finding => {
  const folder = nearest(data)
  try {
    const free = freeBytes(folder)
    const ms = syncedWriteMs(folder, clock)
    const slow = ms > SLOW_MS
    const verdict = spaceVerdict(free)
    return {
      subject: 'disk',
      verdict: verdict === 'ok' && slow ? 'warning' : verdict,
      text: `${megabytes(free)} free, a synced write takes ${ms.toFixed(1)} ms${slow ? ': too slow to index a busy chain' : ''}, ${data}`,
      figures: { folder: data, free_bytes: free, synced_write_ms: Math.round(ms * 1000) / 1000 },
    }
  } catch (error) {
    const failure = storeFailure(error, folder)
    if (!isTonlithError(failure)) throw failure
    return { subject: 'disk', verdict: 'failed', text: failure.message, figures: { folder: data } }
  }
}

/** Whether the embedded LMDB can be unpacked and loaded. */
export const lmdbFinding = async (): Promise<Finding> => {
  try {
    await probeLmdb()
    return { subject: 'lmdb', verdict: 'ok', text: 'can be loaded, writes and reads' }
  } catch (error) {
    if (!isTonlithError(error)) throw error
    return { subject: 'lmdb', verdict: 'failed', text: error.message }
  }
}
