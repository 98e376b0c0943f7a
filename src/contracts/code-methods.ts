import { unlessMalformed } from '../common/errors.ts'
import type { Cell } from '../ton/cell.ts'
import { dictEntries } from '../ton/dictionary.ts'
import { beginParse } from '../ton/slice.ts'

/** SETCP0, with which compiled code begins. */
const SETCP0 = 0xff00
/** The 14 bits of DICTPUSHCONST in front of the 10 that tell the length of its keys. */
const DICTPUSHCONST = 0x3d29
/** A dictionary can have far more entries than cells. */
const MAX_METHODS = 4096

const readIds = (code: Cell): number[] | null => {
  const slice = beginParse(code)
  if (slice.remainingBits < 40 || slice.uint(16) !== SETCP0 || slice.uint(14) !== DICTPUSHCONST) return null
  const keyBits = slice.uint(10)
  if (keyBits === 0 || keyBits > 32) return null
  const ids: number[] = []
  for (const [key] of dictEntries(slice.ref(), keyBits)) {
    if (ids.length === MAX_METHODS) return null
    const bits = Buffer.alloc(4)
    key.copy(bits)
    ids.push(bits.readUInt32BE(0) >>> (32 - keyBits))
  }
  return ids
}

/**
 * Ids of the methods in the dictionary that compiled code begins with (SETCP0 DICTPUSHCONST), ascending, as the unsigned
 * numbers that their keys are; null for code of any other form.
 */
export const codeMethods = (code: Cell): number[] | null => unlessMalformed(() => readIds(code)) ?? null
