import { type Cell, LIBRARY } from '../ton/cell.ts'
import { libraryHash } from '../ton/library.ts'

/** Hashes (hex) of the libraries that the trees below these cells name, each once. */
export const libraryHashes = (roots: readonly Cell[]): string[] => {
  const found = new Set<string>()
  const seen = new Set<string>()
  const stack = [...roots]
  for (let cell = stack.pop(); cell; cell = stack.pop()) {
    const key = cell.hash().toString('latin1')
    if (seen.has(key)) continue
    seen.add(key)
    if (cell.type === LIBRARY) found.add(libraryHash(cell).toString('hex'))
    for (let i = 0; i < cell.refCount; i++) stack.push(cell.ref(i))
  }
  return [...found]
}
