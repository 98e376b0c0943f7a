import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { TonlithError } from '../common/errors.ts'
import { dataFile } from './disk.ts'

const MAGIC = 0xbeefc0de
const VERSION = 2
/** Offsets in one of the two meta pages that LMDB's file starts with. */
const META = { magic: 24, version: 28, pageSize: 48, lastPage: 144, transaction: 152, bytes: 160 }

const readMeta = (file: number, at: number): Buffer | undefined => {
  const meta = Buffer.alloc(META.bytes)
  const whole = readSync(file, meta, 0, META.bytes, at) === META.bytes
  return whole && meta.readUInt32LE(META.magic) === MAGIC && meta.readUInt32LE(META.version) === VERSION
    ? meta
    : undefined
}

/** Bytes that the file must have for its newest transaction; undefined where neither meta page is one. */
const neededBytes = (file: number): bigint | undefined => {
  const first = readMeta(file, 0)
  if (!first) return undefined
  const pageSize = first.readUInt32LE(META.pageSize)
  const metas = [first, readMeta(file, pageSize)].filter((meta) => meta !== undefined)
  const newest = metas.reduce((a, b) =>
    b.readBigUInt64LE(META.transaction) > a.readBigUInt64LE(META.transaction) ? b : a,
  )
  return (newest.readBigUInt64LE(META.lastPage) + 1n) * BigInt(pageSize)
}

/**
 * Refuses a folder whose data file LMDB would crash on: one that is no file of LMDB, or that was cut short (a copy of a
 * part, a restore that was broken off). Gives whether there is a data file at all.
 * @throws TonlithError `invalid`; the errors of the file system as they come
 */
export const checkDataFile = (folder: string): boolean => {
  const path = dataFile(folder)
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats === undefined || stats.size === 0) return false
  const file = openSync(path, 'r')
  try {
    const needed = neededBytes(file)
    if (needed === undefined) throw new TonlithError('invalid', `${path} is no file of LMDB`)
    if (BigInt(stats.size) < needed)
      throw new TonlithError('invalid', `${path} is cut short: it has ${stats.size} of ${needed} bytes`)
    return true
  } finally {
    closeSync(file)
  }
}
