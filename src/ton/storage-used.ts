import type { Cell } from './cell.ts'
import type { StorageUsed } from './tlb/storage-info.ts'

/** The different cells of the trees below these roots, the roots among them, and their bits (node: CellStorageStat). */
export const storageUsed = (roots: readonly Cell[]): StorageUsed => {
  const seen = new Set<string>()
  const stack = [...roots]
  let bits = 0n
  for (let cell = stack.pop(); cell; cell = stack.pop()) {
    const key = cell.hash().toString('latin1')
    if (seen.has(key)) continue
    seen.add(key)
    bits += BigInt(cell.bits)
    for (let i = 0; i < cell.refCount; i++) stack.push(cell.ref(i))
  }
  return { cells: BigInt(seen.size), bits }
}
