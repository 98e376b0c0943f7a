import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { dataFile } from '../../src/store/disk.ts'

/** A format that once stood on main, with a small store that the program of then has written. */
export interface ReleasedFormat {
  store: 'index' | 'operator' | 'metadata' | 'payments' | 'dev chain'
  version: number
  /** What becomes of such a folder now. */
  now: 'current' | 'upgraded' | 'refused'
  /** Where it stands in the data folder. */
  place: string
}

/** A version that is raised needs a row here, and its file: tests/fixtures/formats/README.md. */
export const RELEASED_FORMATS: readonly ReleasedFormat[] = [
  { store: 'index', version: 1, now: 'refused', place: 'index' },
  { store: 'index', version: 2, now: 'upgraded', place: 'index' },
  { store: 'index', version: 3, now: 'current', place: 'index' },
  { store: 'operator', version: 1, now: 'current', place: 'operator' },
  { store: 'metadata', version: 1, now: 'current', place: 'metadata' },
  { store: 'payments', version: 1, now: 'current', place: 'payments' },
  { store: 'dev chain', version: 1, now: 'current', place: 'chain' },
]

/** Masterchain blocks of the recorded network that the indexes hold. */
export const INDEXED = { first: 60, last: 90 }

const fileOf = ({ store, version }: ReleasedFormat): string =>
  join(import.meta.dir, '../fixtures/formats', `${store.replace(' ', '-')}-${version}.mdb.zst`)

/** Puts the store of a format into a data folder; gives its own folder. */
export const unpackFormat = (format: ReleasedFormat, data: string): string => {
  const folder = join(data, format.place)
  mkdirSync(folder, { recursive: true })
  writeFileSync(dataFile(folder), Bun.zstdDecompressSync(readFileSync(fileOf(format))))
  return folder
}

/** The format of a store with this version. */
export const releasedFormat = (store: ReleasedFormat['store'], version: number): ReleasedFormat =>
  RELEASED_FORMATS.find((format) => format.store === store && format.version === version)!
