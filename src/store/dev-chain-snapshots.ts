import { copyFileSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { isTonlithError, TonlithError } from '../common/errors.ts'
import { claimFolder } from './claim.ts'
import { type DevChainStore, devChainFolder, networkOfDevChain } from './dev-chain-store.ts'
import { dataFile, hasDataFile } from './disk.ts'
import { storeFailure } from './failure.ts'
import { indexFolder } from './index-store.ts'
import { metadataFolder } from './metadata-store.ts'
import { beginUnfinished, finishUnfinished } from './unfinished.ts'

/** Copies of the chain under names, beside it in the data folder of the network. */

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

const snapshotsFolder = (data: string): string => join(data, 'snapshots')

/** A plain name, so that it leads nowhere else. Throws `invalid`. */
const snapshotFolder = (data: string, name: string): string => {
  if (!NAME.test(name))
    throw new TonlithError(
      'invalid',
      'the name of a snapshot has 1 to 64 letters, digits, dots, hyphens and underscores',
    )
  return join(snapshotsFolder(data), name)
}

/** The names of the snapshots that are whole, in alphabetical order. Throws `unavailable` for missing rights. */
export const snapshotNames = (data: string): string[] => {
  const folder = snapshotsFolder(data)
  try {
    const names = readdirSync(folder).filter((name) => NAME.test(name) && hasDataFile(join(folder, name)))
    return names.sort()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw storeFailure(error, folder)
  }
}

/**
 * Writes a copy of a chain as it is at this moment, while it is in use.
 * @throws TonlithError `invalid` for a name that cannot be, `conflict` for one that is taken, `unavailable` for a full disk
 */
export const takeSnapshot = async (chain: Pick<DevChainStore, 'backup'>, data: string, name: string): Promise<void> => {
  const folder = snapshotFolder(data, name)
  if (hasDataFile(folder)) throw new TonlithError('conflict', `there is a snapshot ${name} already`)
  await chain.backup(folder)
}

/** The network of a chain; undefined where it is missing or damaged. */
const presentNetwork = async (chain: string): Promise<Buffer | undefined> => {
  if (!hasDataFile(chain)) return undefined
  try {
    return await networkOfDevChain(chain)
  } catch (error) {
    if (isTonlithError(error, 'malformed')) return undefined
    throw error
  }
}

/**
 * Puts a snapshot in the place of the chain, which nobody may have open, and removes the index, which may be ahead of it.
 * Who is killed meanwhile has either of both chains, whole.
 * @throws TonlithError `invalid` for a name that cannot be, `notFound` for one that is not there, `malformed` for a damaged
 * snapshot, `conflict` while the chain is open and for a snapshot of another network, `unavailable` for a full disk; the chain is as it was then
 */
export const restoreSnapshot = async (data: string, name: string): Promise<void> => {
  const folder = snapshotFolder(data, name)
  if (!hasDataFile(folder)) {
    const names = snapshotNames(data)
    const others = names.length === 0 ? 'there are none yet' : `there are: ${names.join(', ')}`
    throw new TonlithError('notFound', `there is no snapshot ${name}; ${others}`)
  }
  const chain = devChainFolder(data)
  const claim = claimFolder(chain, 'network')
  try {
    const [restored, present] = [await networkOfDevChain(folder), await presentNetwork(chain)]
    if (present && !restored?.equals(present))
      throw new TonlithError('conflict', `the snapshot ${name} is of a network that is gone: another genesis`)
    copyFileSync(dataFile(folder), dataFile(beginUnfinished(chain)))
    rmSync(indexFolder(data), { recursive: true, force: true })
    finishUnfinished(chain)
  } catch (error) {
    throw storeFailure(error, chain)
  } finally {
    claim.release()
  }
}

/**
 * Removes a network: its chain, its index, and what its tokens' URIs led to. Snapshots, keys and all else stay.
 * @throws TonlithError `conflict` while the chain is open, `unavailable` for missing rights
 */
export const removeNetwork = (data: string): void => {
  const chain = devChainFolder(data)
  const claim = claimFolder(chain, 'network')
  try {
    for (const folder of [indexFolder(data), metadataFolder(data), chain])
      rmSync(folder, { recursive: true, force: true })
  } catch (error) {
    throw storeFailure(error, chain)
  } finally {
    claim.release()
  }
}
