import { TonlithError } from '../../common/errors.ts'
import { type Address, rawAddress, sameAddress } from '../../ton/address.ts'
import type { Cell } from '../../ton/cell.ts'
import { libraryHashes } from '../../tvm/library-cells.ts'
import type { AccountImport } from '../collate/collation.ts'
import { importAccount } from '../genesis/import-account.ts'
import { libraryAccount } from './library-account.ts'
import type { RemoteNetwork } from './remote-network.ts'

/** A library that an account needs, and the account that publishes it here. */
export interface NeededLibrary {
  /** 32 bytes. */
  hash: Buffer
  publisher: AccountImport
}

/** An account of another network, ready to be put in. */
export interface ForeignAccount {
  account: AccountImport
  libraries: readonly NeededLibrary[]
}

/** Libraries may name others; no more of them, and no deeper, are looked for. */
const MAX_LIBRARIES = 64
const MAX_ROUNDS = 4

/** All libraries that the cells below a root name, and those that these name, as far as the network has them. */
const neededLibraries = async (remote: RemoteNetwork, root: Cell, signal: AbortSignal): Promise<Cell[]> => {
  const asked = new Set<string>()
  const found: Cell[] = []
  let roots: readonly Cell[] = [root]
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const fresh = libraryHashes(roots)
      .filter((hash) => !asked.has(hash))
      .slice(0, MAX_LIBRARIES - asked.size)
    if (fresh.length === 0) break
    for (const hash of fresh) asked.add(hash)
    roots = await remote.libraries(
      fresh.map((hash) => Buffer.from(hash, 'hex')),
      signal,
    )
    found.push(...roots)
  }
  return found
}

/**
 * Reads an account of another network with the libraries that its cells name; null where that network has none.
 * @param now unix seconds: up to then the storage of what is put in is paid
 * @throws TonlithError as the remote network does; `invalid` for an account that importAccount refuses
 */
export const readForeignAccount = async (
  remote: RemoteNetwork,
  address: Address,
  now: number,
  signal: AbortSignal,
): Promise<ForeignAccount | null> => {
  const cell = await remote.account(address, signal)
  if (!cell) return null
  const account = importAccount(cell, now)
  if (!sameAddress(account.address, address))
    throw new TonlithError('proof', `another account than ${rawAddress(address)} came`)
  const libraries = await neededLibraries(remote, cell, signal)
  return {
    account,
    libraries: libraries.map((library) => ({ hash: library.hash(), publisher: libraryAccount(library, now) })),
  }
}
