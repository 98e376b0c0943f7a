import { type Cell, LIBRARY } from '../ton/cell.ts'

/**
 * The instructions through which code can get at the earlier blocks: PREVMCBLOCKS and its kin (F834xx), GETPARAM 13 (F82D)
 * and GETPARAMLONG (F881), all of c7 (ED47, ED1E turns data into code), the first of c7's values by GETGLOBVAR (F840).
 */
const OPENINGS = new Set([0xf834, 0xf82d, 0xf881, 0xed47, 0xed1e, 0xf840])

const holdsOpening = ({ bytes, start, bits }: Cell): boolean => {
  if (bits < 16) return false
  let window = (bytes[start]! << 8) | bytes[start + 1]!
  for (let at = 0; at + 16 <= bits; at++) {
    if (OPENINGS.has(window & 0xffff)) return true
    const next = at + 16
    window = ((window & 0xffff) << 1) | ((bytes[start + (next >> 3)]! >> (7 - (next & 7))) & 1)
  }
  return false
}

/**
 * True when the code may look at the earlier masterchain blocks. It errs on the safe side: whatever could be such an
 * instruction, at any bit, counts. Libraries that the code refers to are not part of it.
 */
export const mayReadPrevBlocks = (code: Cell): boolean => {
  const seen = new Set<string>()
  const stack = [code]
  for (let cell = stack.pop(); cell; cell = stack.pop()) {
    const key = cell.hash().toString('latin1')
    if (seen.has(key)) continue
    seen.add(key)
    if (cell.type !== LIBRARY && holdsOpening(cell)) return true
    for (let i = 0; i < cell.refCount; i++) stack.push(cell.ref(i))
  }
  return false
}
