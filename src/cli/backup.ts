import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { TonlithError } from '../common/errors.ts'
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

/** Copies what there is; gives a line for each part. */
const copyParts = async (data: string, to: string, stores: readonly string[]): Promise<string[]> => {
  const lines: string[] = []
  for (const name of presentOf(data, stores)) {
    await copyStore(join(data, name), join(to, name))
    lines.push(`${name}: ${megabytes(fileBytes(join(to, name)))}`)
  }
  for (const name of inHomes(FILES).filter((name) => existsSync(join(data, name)))) {
    mkdirSync(dirname(join(to, name)), { recursive: true, mode: PRIVATE })
    copyFileSync(join(data, name), join(to, name))
    lines.push(name)
  }
  return lines
}

/**
 * Copies what cannot be had from the chain again into a new folder, which can be used as a data folder; a server may be
 * using it meanwhile. Each part is as it is at one moment. Who is killed leaves a folder `DIR.unfinished` and no other.
 * @param withIndex whether the index is copied, too, and with it the network of `tonlith dev`: its chain and its index
 * @throws TonlithError `invalid` where there is nothing, no index where it is asked for, or something at the destination
 * already; `malformed` for a damaged store; `unavailable` for a full disk or missing rights
 */
export const backup = async (data: string, destination: string, withIndex: boolean, print: Print): Promise<void> => {
  const to = resolve(destination)
  const unfinished = `${to}.unfinished`
  try {
    if (existsSync(to) && readdirSync(to).length > 0)
      throw new TonlithError('invalid', `${destination} is not empty: name a new folder`)
    if (withIndex && presentOf(data, ['index']).length === 0)
      throw new TonlithError('invalid', `there is no index in ${data}: leave --with-index out, or name --data`)
    rmSync(unfinished, { recursive: true, force: true })
    mkdirSync(unfinished, { recursive: true })
    chmodSync(unfinished, PRIVATE)
    // Payments point into the index: an index that is copied later has all that they have taken over.
    const lines = await copyParts(data, unfinished, withIndex ? [...STORES, ...WITH_INDEX] : STORES)
    if (lines.length === 0) throw new TonlithError('invalid', `there is nothing to copy in ${data}`)
    if (existsSync(to)) rmSync(to, { recursive: true })
    renameSync(unfinished, to)
    for (const line of lines) print(line)
    print(`copied to ${to}`)
    const left = withIndex ? [] : presentOf(data, ['chain'])
    for (const chain of left)
      print(`not in it: the network of tonlith dev in ${join(data, dirname(chain))} (--with-index copies it)`)
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    throw storeFailure(error, destination)
  }
}
