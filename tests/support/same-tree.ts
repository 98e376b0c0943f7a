import type { Cell } from '../../src/ton/cell.ts'

const formOf = (cell: Cell): string =>
  [
    cell.type,
    cell.levelMask,
    cell.bits,
    Buffer.from(cell.bytes.subarray(cell.start, cell.start + ((cell.bits + 7) >> 3))).toString('latin1'),
    ...[0, 1, 2, 3].flatMap((level) => [cell.depth(level), cell.hash(level).toString('latin1')]),
  ].join()

/** True when two trees are equal in every cell: bits, type, mask, the hashes and depths of all levels. */
export const sameTree = (a: Cell, b: Cell, seen = new Set<string>()): boolean => {
  const key = a.hash().toString('latin1')
  if (seen.has(key)) return b.hash().equals(a.hash())
  seen.add(key)
  if (a.refCount !== b.refCount || formOf(a) !== formOf(b)) return false
  for (let i = 0; i < a.refCount; i++) if (!sameTree(a.ref(i), b.ref(i), seen)) return false
  return true
}
