import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { TonlithError } from '../common/errors.ts'
import type { Steps } from '../common/steps.ts'
import { dataFile, hasDataFile } from './disk.ts'
import { damageOf } from './failure.ts'
import { readTreeRecord } from './page.ts'
import { type Look, type Snapshot, walkFault } from './page-walk.ts'

const MAGIC = 0xbeefc0de
const VERSION = 2
/** Offsets in one of the two meta pages that LMDB's file starts with. */
const META = {
  magic: 24,
  version: 28,
  mapSize: 40,
  free: 48,
  pageSize: 48,
  main: 96,
  lastPage: 144,
  transaction: 152,
  bytes: 160,
}
/**
 * While another process writes, pages of the snapshot that is looked at may be used anew meanwhile: what is found then
 * counts for nothing. Who writes has looked at the file before.
 */
const TRIES = 3
/** Flags of a tree: its keys are numbers (those of free pages are), and what no tree of ours is. */
const NUMBERED = 8
const NOT_OURS = 0x77
const PAGE_SIZES = [4096, 8192, 16384, 32768, 65536]

const readMeta = (file: number, at: number): Buffer | undefined => {
  const meta = Buffer.alloc(META.bytes)
  const whole = readSync(file, meta, 0, META.bytes, at) === META.bytes
  return whole && meta.readUInt32LE(META.magic) === MAGIC && meta.readUInt32LE(META.version) === VERSION
    ? meta
    : undefined
}

/** Reads what the file begins with; a text where that is none. */
const newestSnapshot = (file: number): (Snapshot & { transaction: bigint }) | string => {
  const first = readMeta(file, 0)
  if (!first) return 'it is no file of LMDB'
  const pageSize = first.readUInt32LE(META.pageSize)
  if (!PAGE_SIZES.includes(pageSize)) return `its pages have ${pageSize} bytes`
  const second = readMeta(file, pageSize)
  if (!second) return 'its second page is none of LMDB'
  const newest = second.readBigUInt64LE(META.transaction) > first.readBigUInt64LE(META.transaction) ? second : first
  const lastPage = newest.readBigUInt64LE(META.lastPage)
  if (lastPage > BigInt(Number.MAX_SAFE_INTEGER) / BigInt(pageSize)) return `it should have ${lastPage} pages`
  if (newest.readBigUInt64LE(META.mapSize) > BigInt(Number.MAX_SAFE_INTEGER)) return 'its map has no bounds'
  const [free, main] = [readTreeRecord(newest, META.free), readTreeRecord(newest, META.main)]
  if ((free.flags & (NUMBERED | NOT_OURS)) !== NUMBERED || main.flags !== 0) return 'its tables are of another kind'
  return {
    file,
    pageSize,
    lastPage: Number(lastPage),
    free,
    main,
    transaction: newest.readBigUInt64LE(META.transaction),
  }
}

/** What a file is damaged by; undefined where nothing is found. */
function* faultOf(file: number, look: Look): Steps<string | undefined> {
  for (let tries = 0; tries < TRIES; tries++) {
    const snapshot = newestSnapshot(file)
    if (typeof snapshot === 'string') return snapshot
    const { lastPage, pageSize, transaction } = snapshot
    const [needed, size] = [(lastPage + 1) * pageSize, fstatSync(file).size]
    const fault = size < needed ? `it has ${size} of ${needed} bytes` : yield* walkFault(snapshot, look)
    if (fault === undefined) return undefined
    const now = newestSnapshot(file)
    if (typeof now === 'string' || now.transaction === transaction) return fault
  }
  return undefined
}

/**
 * Refuses a folder whose data file LMDB would crash on: one that is no file of LMDB, that was cut short (a copy of a part,
 * a restore that was broken off), or whose pages are not what they should be. Gives whether there is a data file at all.
 * @param remedy what to do about a damaged one
 * @throws TonlithError `malformed`; the errors of the file system as they come
 */
export function* checkDataFile(folder: string, remedy: string, look: Look = {}): Steps<boolean> {
  const path = dataFile(folder)
  if (!hasDataFile(folder)) return false
  const file = openSync(path, 'r')
  try {
    const fault = yield* faultOf(file, look)
    if (fault !== undefined) throw new TonlithError('malformed', damageOf(path, fault, remedy))
    return true
  } finally {
    closeSync(file)
  }
}
