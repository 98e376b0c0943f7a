import { type Cell, LIBRARY } from '../ton/cell.ts'

const HASH_AT = 1
const HASH_END = 33

/** The hash (hex) that a library cell names. */
const named = ({ bytes, start }: Cell): string =>
  Buffer.from(bytes.subarray(start + HASH_AT, start + HASH_END)).toString('hex')

/** Hashes (hex) of the libraries that the trees below these cells name, each once. */
export const libraryHashes = (roots: readonly Cell[]): string[] => {
  const found = new Set<string>()
  const seen = new Set<string>()
  const stack = [...roots]
  for (let cell = stack.pop(); cell; cell = stack.pop()) {
    const key = cell.hash().toString('latin1')
    if (seen.has(key)) continue
    seen.add(key)
    if (cell.type === LIBRARY) found.add(named(cell))
    for (let i = 0; i < cell.refCount; i++) stack.push(cell.ref(i))
  }
  return [...found]
}
