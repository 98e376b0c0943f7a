import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { TonlithError } from '../common/errors.ts'
import { fileBytes, hasDataFile } from '../store/disk.ts'
import { storeFailure } from '../store/failure.ts'
import { openRawStore } from '../store/raw-store.ts'
import { megabytes, type Print } from './index-copies.ts'

const INDEX = 'index'
const STORES = ['operator', 'payments'] as const
const FILES = ['trusted-key-blocks.json', 'tonlith.toml'] as const
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

/** Copies what there is; gives a line for each part. */
const copyParts = async (data: string, to: string, stores: readonly string[]): Promise<string[]> => {
  const lines: string[] = []
  for (const name of stores.filter((name) => hasDataFile(join(data, name)))) {
    await copyStore(join(data, name), join(to, name))
    lines.push(`${name}: ${megabytes(fileBytes(join(to, name)))}`)
  }
  for (const name of FILES.filter((name) => existsSync(join(data, name)))) {
    copyFileSync(join(data, name), join(to, name))
    lines.push(name)
  }
  return lines
}

/**
 * Copies what cannot be had from the chain again into a new folder, which can be used as a data folder; a server may be
 * using it meanwhile. Each part is as it is at one moment. Who is killed leaves a folder `DIR.unfinished` and no other.
 * @param withIndex whether the index is copied, too
 * @throws TonlithError `invalid` where there is nothing, or something at the destination already; `malformed` for a damaged
 * store; `unavailable` for a full disk or missing rights
 */
export const backup = async (data: string, destination: string, withIndex: boolean, print: Print): Promise<void> => {
  const to = resolve(destination)
  const unfinished = `${to}.unfinished`
  try {
    if (existsSync(to) && readdirSync(to).length > 0)
      throw new TonlithError('invalid', `${destination} is not empty: name a new folder`)
    rmSync(unfinished, { recursive: true, force: true })
    mkdirSync(unfinished, { recursive: true })
    chmodSync(unfinished, PRIVATE)
    // Payments point into the index: an index that is copied later has all that they have taken over.
    const lines = await copyParts(data, unfinished, withIndex ? [...STORES, INDEX] : STORES)
    if (lines.length === 0) throw new TonlithError('invalid', `there is nothing to copy in ${data}`)
    if (existsSync(to)) rmSync(to, { recursive: true })
    renameSync(unfinished, to)
    for (const line of lines) print(line)
    print(`copied to ${to}`)
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    throw storeFailure(error, destination)
  }
}
