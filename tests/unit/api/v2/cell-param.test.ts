import { describe, expect, test } from 'bun:test'
import { bagCells, boc } from '../../../../src/api/v2/cell-param.ts'
import { isTonlithError } from '../../../../src/common/errors.ts'
import type { Json } from '../../../../src/common/lossless-json.ts'
import { cellToBoc, serializeBoc } from '../../../../src/ton/boc-writer.ts'
import { beginCell } from '../../../../src/ton/builder.ts'
import { treeText } from '../../../support/cell-tree.ts'

const CELL = beginCell().uint(7, 32).endCell()
const TEXT = cellToBoc(CELL).toString('base64')

const refusal = (run: () => unknown): string => {
  try {
    run()
  } catch (error) {
    if (isTonlithError(error, 'invalid')) return error.message
    throw error
  }
  return 'none'
}

describe('a bag of cells', () => {
  const param = boc('A message')
  const read = (input: Json | undefined) => param.read(input, 'boc')

  test('is read with its bytes', () => {
    const { boc, root } = read(TEXT)
    expect(boc).toEqual(cellToBoc(CELL))
    expect(root.hash()).toEqual(CELL.hash())
  })

  test('is the same in every form', () => {
    const other = serializeBoc([CELL], { crc: false, index: true }).toString('base64')
    expect(other).not.toBe(TEXT)
    expect(param.key(read(other))).toBe(param.key(read(TEXT)))
  })

  test('must be there', () => {
    for (const input of [undefined, null, '']) expect(refusal(() => read(input))).toBe('empty boc')
  })

  test('must be base64 of the standard alphabet', () => {
    for (const input of ['!!', 'AAA', `${TEXT}\n`, '-_-_', 5, true, [TEXT], { bytes: TEXT }])
      expect(refusal(() => read(input))).toBe('failed to parse boc')
  })

  test('must have one root, and nothing behind it; the refusal names the field', () => {
    const two = serializeBoc([CELL, beginCell().endCell()], { crc: true, index: false }).toString('base64')
    const longer = Buffer.concat([cellToBoc(CELL), Buffer.from('more')]).toString('base64')
    for (const input of ['AAAA', two, longer, TEXT.slice(0, -4)])
      expect(refusal(() => read(input))).toStartWith('INVALID_BAG_OF_CELLS: boc: ')
  })
})

describe('a cell as bag', () => {
  test('is read; the empty text stands for none where none is allowed', () => {
    expect(bagCells.required('').read(TEXT, 'body').hash()).toEqual(CELL.hash())
    expect(bagCells.optional('').read(TEXT, 'body')!.hash()).toEqual(CELL.hash())
    for (const input of [undefined, null, '']) {
      expect(bagCells.optional('').read(input, 'body')).toBeUndefined()
      expect(refusal(() => bagCells.required('').read(input, 'body'))).toBe('empty body')
    }
    expect(refusal(() => bagCells.optional('').read('AAAA', 'body'))).toStartWith('INVALID_BAG_OF_CELLS: body: ')
  })

  test('has a key of its own', () => {
    const param = bagCells.optional('')
    expect(param.key(undefined)).toBe('')
    expect(param.key(CELL)).toBe(CELL.hash().toString('hex'))
  })
})

describe('what is too large for any message', () => {
  const zeros = (bytes: number): string => Buffer.alloc(bytes).toString('base64')

  test('is refused by its length, before it is read', () => {
    expect(refusal(() => boc('').read(zeros(65_536), 'boc'))).toBe('external message is larger than 65535 bytes')
    expect(refusal(() => boc('').read(zeros(65_535), 'boc'))).toStartWith('INVALID_BAG_OF_CELLS: boc: ')
  })

  test('is refused by the count in its header where it is a part', () => {
    const read = (count: number) => refusal(() => bagCells.required('').read(treeText(count), 'body'))
    expect(read(8_192)).toBe('none')
    expect(read(8_193)).toBe('INVALID_BAG_OF_CELLS: body: bag of cells has more than 8192 cells')
    expect(refusal(() => bagCells.required('').read(zeros(300_000), 'body'))).toBe(
      'INVALID_BAG_OF_CELLS: body: bag of cells is larger than 262140 bytes',
    )
  })
})
