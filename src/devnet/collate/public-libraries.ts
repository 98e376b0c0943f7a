import { TonlithError } from '../../common/errors.ts'
import { type beginCell, sliceToCell } from '../../ton/builder.ts'
import type { Cell } from '../../ton/cell.ts'
import { dictEntries } from '../../ton/dictionary.ts'
import { updateDict } from '../../ton/dictionary-update.ts'
import { beginParse } from '../../ton/slice.ts'
import { sharedLib } from '../../ton/tlb/shard-state.ts'

/** What a masterchain block did to the libraries of one account (roots of HashmapE 256 SimpleLib). */
export interface LibraryChange {
  /** Account id, 32 bytes. */
  account: Buffer
  before: Cell | null
  after: Cell | null
}

/** The public ones among an account's own libraries, by hash. One that stands under a wrong hash is not public. */
const publicLibraries = (libraries: Cell | null): Map<string, Cell> => {
  const found = new Map<string, Cell>()
  for (const [key, value] of dictEntries(libraries, 256)) {
    const isPublic = value.bit()
    const root = value.ref()
    if (isPublic && root.hash().equals(key)) found.set(key.toString('latin1'), root)
  }
  return found
}

/** `libraries` with the publishers of one library set to what they are now; without publishers it goes. */
const withPublishers = (libraries: Cell | null, key: Buffer, lib: Cell, publishers: Cell | null): Cell | null => {
  const store = publishers
    ? (builder: ReturnType<typeof beginCell>) => builder.uint(0, 2).ref(lib).slice(beginParse(publishers))
    : null
  return updateDict(libraries, [{ key, store }], 256)
}

const publishersOf = (libraries: Cell | null, key: Buffer): Cell | null => {
  const known = sharedLib(libraries, key)
  return known && sliceToCell(known.publishers)
}

const published = (libraries: Cell | null, account: Buffer, key: Buffer, lib: Cell): Cell | null => {
  const publishers = updateDict(publishersOf(libraries, key), [{ key: account, store: (builder) => builder }], 256)
  return withPublishers(libraries, key, lib, publishers)
}

const withdrawn = (libraries: Cell | null, account: Buffer, key: Buffer): Cell | null => {
  const known = sharedLib(libraries, key)
  if (!known) throw new TonlithError('internal', 'a public library is not in the state')
  const publishers = updateDict(sliceToCell(known.publishers), [{ key: account, store: null }], 256)
  return withPublishers(libraries, key, known.lib, publishers)
}

/**
 * Root of the masterchain state's `libraries` (HashmapE 256 LibDescr) after accounts have published libraries or taken them
 * back. Throws `malformed` for broken cells.
 */
export const updatePublicLibraries = (libraries: Cell | null, changes: readonly LibraryChange[]): Cell | null => {
  let root = libraries
  for (const { account, before, after } of changes) {
    const [old, now] = [publicLibraries(before), publicLibraries(after)]
    for (const [key] of old) if (!now.has(key)) root = withdrawn(root, account, Buffer.from(key, 'latin1'))
    for (const [key, lib] of now) if (!old.has(key)) root = published(root, account, Buffer.from(key, 'latin1'), lib)
  }
  return root
}
