import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { TonlithError } from '../common/errors.ts'
import { regularFile, UnreadableFile } from '../common/regular-file.ts'
import { fileBytes, hasDataFile } from '../store/disk.ts'
import { storeFailure } from '../store/failure.ts'
import { openRawStore } from '../store/raw-store.ts'
import { megabytes, type Print } from './index-copies.ts'
import { OF_DEV } from './index-place.ts'

const STORES = ['operator', 'payments'] as const
/** An index is copied before the chain of `tonlith dev` that it is of, so that this has all its blocks. */
const WITH_INDEX = ['index', 'chain'] as const
const FILES = ['trusted-key-blocks.json', 'tonlith.toml', 'deleted-accounts'] as const
/** The data folder, and those of the networks of `tonlith dev` in it. */
const HOMES = ['', ...OF_DEV] as const
/** There are secrets in it. */
const PRIVATE = 0o700

const copyStore = async (from: string, to: string): Promise<void> => {
  const raw = await openRawStore(from, 'restore an older backup of the folder')
  try {
    mkdirSync(to, { recursive: true, mode: PRIVATE })
    await raw.backup(to)
  } finally {
    await raw.close()
  }
}

const inHomes = (names: readonly string[]): string[] => HOMES.flatMap((home) => names.map((name) => join(home, name)))

const presentOf = (data: string, names: readonly string[]): string[] =>
  inHomes(names).filter((name) => hasDataFile(join(data, name)))

/** Why a file is not copied; undefined where it can be, or where there is none. */
const faultOf = (path: string): UnreadableFile | undefined => {
  try {
    regularFile(path)
    return undefined
  } catch (error) {
    if (error instanceof UnreadableFile) return error
    throw error
  }
}

interface Copied {
  /** A line for each part. */
  lines: string[]
  /** A few words for each file that cannot be copied. */
  left: string[]
}

/** Copies what there is. */
const copyParts = async (data: string, to: string, stores: readonly string[]): Promise<Copied> => {
  const lines: string[] = []
  const left: string[] = []
  for (const name of presentOf(data, stores)) {
    await copyStore(join(data, name), join(to, name))
    lines.push(`${name}: ${megabytes(fileBytes(join(to, name)))}`)
  }
  for (const name of inHomes(FILES)) {
    const fault = faultOf(join(data, name))
    if (fault) {
      if (!fault.missing) left.push(`${name} (${fault.message})`)
      continue
    }
    mkdirSync(dirname(join(to, name)), { recursive: true, mode: PRIVATE })
    copyFileSync(join(data, name), join(to, name))
    lines.push(name)
  }
  return { lines, left }
}

/**
 * Copies what cannot be had from the chain again into a new folder, which can be used as a data folder; a server may be
 * using it meanwhile. Each part is as it is at one moment. Who is killed leaves a folder `DIR.unfinished` and no other.
 * @param withIndex whether the index is copied, too, and with it the network of `tonlith dev`: its chain and its index
 * @throws TonlithError `invalid` where there is nothing, no index where it is asked for, or something at the destination
 * already; `malformed` for a damaged store; `unavailable` for a full disk or missing rights, and at the end, when all else
 * is copied, for files that are none or may not be read
 */
export const backup = async (data: string, destination: string, withIndex: boolean, print: Print): Promise<void> => {
  const to = resolve(destination)
  const unfinished = `${to}.unfinished`
  let left: string[]
  try {
    if (existsSync(to) && readdirSync(to).length > 0)
      throw new TonlithError('invalid', `${destination} is not empty: name a new folder`)
    if (withIndex && presentOf(data, ['index']).length === 0)
      throw new TonlithError('invalid', `there is no index in ${data}: leave --with-index out, or name --data`)
    rmSync(unfinished, { recursive: true, force: true })
    mkdirSync(unfinished, { recursive: true })
    chmodSync(unfinished, PRIVATE)
    // Payments point into the index: an index that is copied later has all that they have taken over.
    const copied = await copyParts(data, unfinished, withIndex ? [...STORES, ...WITH_INDEX] : STORES)
    left = copied.left
    if (copied.lines.length === 0) throw new TonlithError('invalid', `there is nothing to copy in ${data}`)
    if (existsSync(to)) rmSync(to, { recursive: true })
    renameSync(unfinished, to)
    for (const line of copied.lines) print(line)
    print(`copied to ${to}`)
    for (const chain of withIndex ? [] : presentOf(data, ['chain']))
      print(`not in it: the network of tonlith dev in ${join(data, dirname(chain))} (--with-index copies it)`)
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    throw storeFailure(error, destination)
  }
  if (left.length > 0) throw new TonlithError('unavailable', `copied without ${left.join(', ')}`)
}
