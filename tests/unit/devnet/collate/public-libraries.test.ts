import { describe, expect, test } from 'bun:test'
import { updatePublicLibraries } from '../../../../src/devnet/collate/public-libraries.ts'
import { beginCell } from '../../../../src/ton/builder.ts'
import type { Cell } from '../../../../src/ton/cell.ts'
import { buildDict } from '../../../../src/ton/dictionary-writer.ts'
import { libPublishers, sharedLibs } from '../../../../src/ton/tlb/shard-state.ts'

const [ANN, BOB] = [1, 2].map((byte) => Buffer.alloc(32, byte)) as [Buffer, Buffer]
const LIB = beginCell().uint(7, 8).endCell()
const OTHER = beginCell().uint(8, 8).endCell()
const own = (libs: readonly (readonly [cell: Cell, isPublic: boolean, key?: Buffer])[]): Cell | null =>
  buildDict(
    libs.map(([cell, isPublic, key = cell.hash()]) => ({ key, store: (builder) => builder.bit(isPublic).ref(cell) })),
    256,
  )
const shown = (libraries: Cell | null): [string, number[]][] =>
  [...sharedLibs(libraries)].map(([hash, descr]) => {
    expect(descr.lib.hash().equals(hash)).toBe(true)
    return [hash.equals(LIB.hash()) ? 'LIB' : 'OTHER', libPublishers(descr).map((id) => id[0]!)]
  })
const one = own([[LIB, true]])

describe('public libraries', () => {
  test('are there as long as an account publishes them', () => {
    const first = updatePublicLibraries(null, [{ account: BOB, before: null, after: one }])
    expect(shown(first)).toEqual([['LIB', [2]]])
    const second = updatePublicLibraries(first, [{ account: ANN, before: null, after: one }])
    expect(shown(second)).toEqual([['LIB', [1, 2]]])
    const third = updatePublicLibraries(second, [{ account: BOB, before: one, after: null }])
    expect(shown(third)).toEqual([['LIB', [1]]])
    expect(updatePublicLibraries(third, [{ account: ANN, before: one, after: null }])).toBeNull()
  })

  test('are those only that are public and stand under their own hash', () => {
    const after = own([
      [LIB, false],
      [OTHER, true, BOB],
    ])
    expect(updatePublicLibraries(null, [{ account: ANN, before: null, after }])).toBeNull()
    const before = updatePublicLibraries(null, [{ account: ANN, before: null, after: one }])
    expect(updatePublicLibraries(before, [{ account: ANN, before: one, after }])).toBeNull()
  })

  test('of several accounts change in one block', () => {
    const both = own([
      [LIB, true],
      [OTHER, true],
    ])
    const libraries = updatePublicLibraries(null, [
      { account: ANN, before: null, after: both },
      { account: BOB, before: null, after: one },
    ])
    expect(Object.fromEntries(shown(libraries))).toEqual({ LIB: [1, 2], OTHER: [1] })
  })
})
