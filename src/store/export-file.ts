import { createHash } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, openSync, readSync, renameSync, writeSync } from 'node:fs'
import { TonlithError } from '../common/errors.ts'
import { storeFailure } from './failure.ts'
import type { RawStore } from './raw-store.ts'
import { keysIn } from './scan.ts'
import { decodeStamp, encodeStamp, STAMP_KEY, type Stamp } from './stamp.ts'

/*
 * A file of all rows of a store. `TONLITHX`, then chunks: uint32 length, Zstandard frame. The first chunk is the stamp,
 * the last one, after one of length 0, the SHA-256 of all uncompressed chunks. The others are rows: uint8 length of the
 * table's name, name, uint16 length of the key, key, uint32 length of the value, value.
 */

const MAGIC = Buffer.from('TONLITHX')
const CHUNK = 1 << 20
const META_TABLE = 'meta'
const MAX_CHUNK = 256 << 20

/** A row as the file has it. */
export interface ExportedRow {
  table: string
  key: Buffer
  value: Buffer
}

const encodeRow = (table: string, key: Buffer, value: Buffer): Buffer => {
  const name = Buffer.from(table)
  const row = Buffer.allocUnsafe(7 + name.length + key.length + value.length)
  let at = row.writeUInt8(name.length, 0)
  at += name.copy(row, at)
  at = row.writeUInt16BE(key.length, at)
  at += key.copy(row, at)
  at = row.writeUInt32BE(value.length, at)
  value.copy(row, at)
  return row
}

const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

const writeAll = (file: number, bytes: Buffer): void => {
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done)
}

const openFile = (path: string, mode: 'r' | 'w'): number => {
  try {
    return openSync(path, mode)
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code === 'ENOENT') throw new TonlithError('invalid', `there is no file ${path}`, { cause })
    throw storeFailure(cause, path)
  }
}

/**
 * Writes every row of a store to a new file, which has another name (with `.unfinished` behind) until it is whole. Gives
 * the number of rows.
 * @throws TonlithError `invalid` when the file is there already, `unavailable` when it cannot be written
 */
export const exportStore = ({ stamp, tables }: RawStore, path: string): number => {
  if (existsSync(path)) throw new TonlithError('invalid', `${path} is there already`)
  const unfinished = `${path}.unfinished`
  const file = openFile(unfinished, 'w')
  try {
    const rows = writeRows(file, stamp, tables)
    fsyncSync(file)
    renameSync(unfinished, path)
    return rows
  } catch (error) {
    const isOfFile = typeof (error as { code?: unknown } | null)?.code === 'string'
    throw isOfFile ? storeFailure(error, path) : error
  } finally {
    closeSync(file)
  }
}

const writeRows = (file: number, stamp: Stamp, tables: RawStore['tables']): number => {
  const hash = createHash('sha256')
  const writeChunk = (bytes: Buffer): void => {
    hash.update(bytes)
    const frame = Bun.zstdCompressSync(bytes)
    writeAll(file, uint32(frame.length))
    writeAll(file, frame)
  }
  writeAll(file, MAGIC)
  writeChunk(encodeStamp(stamp))
  let rows = 0
  let waiting: Buffer[] = []
  let size = 0
  for (const [name, table] of tables) {
    for (const key of keysIn(table, {}, 'asc')) {
      if (name === META_TABLE && key.equals(STAMP_KEY)) continue
      const row = encodeRow(name, key, table.get(key)!)
      waiting.push(row)
      size += row.length
      rows++
      if (size < CHUNK) continue
      writeChunk(Buffer.concat(waiting))
      waiting = []
      size = 0
    }
  }
  if (size > 0) writeChunk(Buffer.concat(waiting))
  writeAll(file, Buffer.concat([uint32(0), hash.digest()]))
  return rows
}

const damaged = (path: string): TonlithError => new TonlithError('invalid', `${path} is no whole export of an index`)

/** Reads what exportStore wrote, chunk by chunk. */
const chunksOf = function* (file: number, path: string): Generator<Buffer> {
  const hash = createHash('sha256')
  const read = (length: number): Buffer => {
    const bytes = Buffer.alloc(length)
    for (let done = 0; done < length; ) {
      const count = readSync(file, bytes, done, length - done, null)
      if (count === 0) throw damaged(path)
      done += count
    }
    return bytes
  }
  if (!read(MAGIC.length).equals(MAGIC)) throw damaged(path)
  for (;;) {
    const length = read(4).readUInt32BE()
    if (length > MAX_CHUNK) throw damaged(path)
    if (length === 0) break
    const bytes = unpacked(read(length), path)
    hash.update(bytes)
    yield bytes
  }
  if (!read(32).equals(hash.digest())) throw damaged(path)
}

const unpacked = (frame: Buffer, path: string): Buffer => {
  try {
    return Bun.zstdDecompressSync(frame)
  } catch (cause) {
    throw new TonlithError('invalid', damaged(path).message, { cause })
  }
}

function* rowsOf(chunk: Buffer): Generator<ExportedRow> {
  for (let at = 0; at < chunk.length; ) {
    const take = (length: number): Buffer => {
      at += length
      return chunk.subarray(at - length, at)
    }
    const table = take(take(1).readUInt8()).toString()
    const key = take(take(2).readUInt16BE())
    yield { table, key, value: take(take(4).readUInt32BE()) }
  }
}

/**
 * Reads an export: `begin` gets its stamp and gives what takes the rows, many at a time. Gives the number of rows.
 * @throws TonlithError `invalid` for a file that is none, or not whole: some rows may have been taken by then
 */
export const readExport = async (
  path: string,
  begin: (stamp: Stamp) => Promise<(rows: readonly ExportedRow[]) => void>,
): Promise<number> => {
  const file = openFile(path, 'r')
  try {
    let rows = 0
    let take: ((rows: readonly ExportedRow[]) => void) | undefined
    for (const chunk of chunksOf(file, path)) {
      if (!take) {
        take = await begin(decodeStamp(chunk, path))
        continue
      }
      const some = [...rowsOf(chunk)]
      take(some)
      rows += some.length
    }
    if (!take) throw damaged(path)
    return rows
  } finally {
    closeSync(file)
  }
}
