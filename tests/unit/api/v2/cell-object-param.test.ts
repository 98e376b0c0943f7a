import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { cellObjects } from '../../../../src/api/v2/cell-object-param.ts'
import { render } from '../../../../src/api/v2/dialect.ts'
import { cellObject } from '../../../../src/api/v2/stack-cell.ts'
import { isTonlithError } from '../../../../src/common/errors.ts'
import type { Json } from '../../../../src/common/lossless-json.ts'
import { beginCell } from '../../../../src/ton/builder.ts'
import type { Cell } from '../../../../src/ton/cell.ts'
import { ordinaryCell } from '../../../support/cell-arbitrary.ts'
import { libraryCell } from '../../../support/exotic-cells.ts'

const kind = cellObjects('Error while parsing cell object')
const read = (input: Json | undefined): Cell => kind.required('').read(input, 'body')

/** The object of a cell as runGetMethod writes it. */
const objectOf = (cell: Cell): Json | undefined => {
  const object = cellObject(cell, { nodes: 1_000 })
  return object === undefined ? undefined : render(object, 'spec')
}

const refusal = (input: Json | undefined): [message: string, code: number | undefined] => {
  try {
    read(input)
  } catch (error) {
    if (isTonlithError(error, 'unsupported')) return [error.message, error.code]
    throw error
  }
  return ['none', undefined]
}

const EMPTY = { data: { b64: '', len: 0 }, refs: [] }

describe('a cell object', () => {
  test('is the cell that was written out', () => {
    fc.assert(
      fc.property(ordinaryCell, (cell) => {
        const object = objectOf(cell)
        fc.pre(object !== undefined)
        expect(read(object).hash()).toEqual(cell.hash())
      }),
    )
    const library = libraryCell(Buffer.alloc(32, 1))
    expect(read(objectOf(library)).hash()).toEqual(library.hash())
  })

  test('has as many bits as it says: what is behind them does not count', () => {
    const three = beginCell().uint(0b101, 3).endCell().hash()
    for (const b64 of ['oA==', 'sA==', 'v/8=', 'vwAA'])
      expect(read({ data: { b64, len: 3 }, refs: [] }).hash()).toEqual(three)
    expect(read({ data: { b64: 'oA==', len: 8 } }).hash()).toEqual(beginCell().uint(0xa0, 8).endCell().hash())
    expect(read(EMPTY).hash()).toEqual(beginCell().endCell().hash())
  })

  test('may be empty where none is needed', () => {
    for (const input of [undefined, null, '', {}]) expect(kind.optional('').read(input, 'init_code')).toBeUndefined()
    expect(kind.optional('').read(EMPTY, 'init_code')!.hash()).toEqual(read(EMPTY).hash())
  })

  test('that is none is refused as the reference refuses it', () => {
    const bad: (Json | undefined)[] = [
      undefined,
      null,
      '',
      {},
      [],
      5,
      'te6cckEBAQEAAgAAAEysuc0=',
      { data: null, refs: [] },
      { data: { b64: 'oA==' }, refs: [] },
      { data: { b64: 5, len: 3 }, refs: [] },
      { data: { b64: '*', len: 3 }, refs: [] },
      { data: { b64: 'oA==', len: '3' }, refs: [] },
      { data: { b64: 'oA==', len: 9 }, refs: [] },
      { data: { b64: 'oA==', len: -1 }, refs: [] },
      { data: { b64: 'oA==', len: 1.5 }, refs: [] },
      { data: { b64: 'oA==', len: 2 ** 31 }, refs: [] },
      { data: { b64: 'oA==', len: 2n ** 64n }, refs: [] },
      { data: { b64: Buffer.alloc(128).toString('base64'), len: 1024 }, refs: [] },
      { ...EMPTY, refs: {} },
      { ...EMPTY, refs: [null] },
      { ...EMPTY, refs: [EMPTY, EMPTY, EMPTY, EMPTY, EMPTY] },
      { ...EMPTY, special: true },
    ]
    for (const input of bad) expect(refusal(input)).toEqual(['Error while parsing cell object', 400])
  })

  test('may not nest without end', () => {
    const nested = (depth: number): Json => {
      let object: Json = EMPTY
      for (let i = 0; i < depth; i++) object = { ...EMPTY, refs: [object] }
      return object
    }
    expect(read(nested(1_000)).depth()).toBe(1_000)
    expect(refusal(nested(1_500))).toEqual(['Error while parsing cell object', 400])
  })

  test('has no more cells than a message may have', () => {
    const wide = (cells: number): Json => ({
      data: EMPTY.data,
      refs: Array.from({ length: 4 }, (_, i) => deep((cells - 1 + i) >> 2)),
    })
    const deep = (cells: number): Json => {
      const [inner, rest] = [Math.min(cells - 1, 1_000), cells - 1 - Math.min(cells - 1, 1_000)]
      const refs = [inner, Math.min(rest, 1_000), Math.max(0, rest - 1_000)].filter((n) => n > 0).map(chain)
      return { data: EMPTY.data, refs }
    }
    const chain = (cells: number): Json => (cells === 1 ? EMPTY : { data: EMPTY.data, refs: [chain(cells - 1)] })
    expect(refusal(wide(8_192))).toEqual(['none', undefined])
    expect(refusal(wide(8_193))).toEqual(['Error while parsing cell object', 400])
  })
})
