import { BitString, Cell as TonCoreCell } from '@ton/core'
import { parseBocRoot } from '../../src/ton/boc.ts'
import type { Cell } from '../../src/ton/cell.ts'

/** The same cell in @ton/core's form, built from bits and references, without any BoC in between. */
export const toTonCore = (cell: Cell): TonCoreCell => {
  const known = new Map<Cell, TonCoreCell>()
  const convert = (source: Cell): TonCoreCell => {
    const done = known.get(source)
    if (done) return done
    const refs: TonCoreCell[] = []
    for (let i = 0; i < source.refCount; i++) refs.push(convert(source.ref(i)))
    const bytes = Buffer.from(source.bytes.subarray(source.start, source.start + ((source.bits + 7) >> 3)))
    const made = new TonCoreCell({ exotic: source.exotic, bits: new BitString(bytes, 0, source.bits), refs })
    known.set(source, made)
    return made
  }
  return convert(cell)
}

/** A cell that @ton/core built, in ours. */
export const fromTonCore = (cell: TonCoreCell): Cell => parseBocRoot(cell.toBoc({ idx: false, crc32: true }))
