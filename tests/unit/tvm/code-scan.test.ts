import { describe, expect, test } from 'bun:test'
import { beginCell } from '../../../src/ton/builder.ts'
import { mayReadPrevBlocks } from '../../../src/tvm/code-scan.ts'
import { libraryCell } from '../../support/exotic-cells.ts'
import { codeOf, TVM } from '../../support/tvm-code.ts'

describe('code that may read the earlier blocks', () => {
  test('is noticed at any bit and at any depth', () => {
    for (const instruction of [TVM.prevBlocks, TVM.prevKeyBlock, TVM.getParam13, 'f8810d', 'ed47', 'ed1e', 'f840'])
      for (let shift = 0; shift < 8; shift++) {
        const code = beginCell().uint(0, shift).bytes(Buffer.from(instruction, 'hex')).uint(0, 3).endCell()
        expect(mayReadPrevBlocks(code)).toBe(true)
        expect(mayReadPrevBlocks(codeOf('00', codeOf('00'), codeOf('00', code)))).toBe(true)
      }
  })

  test('is not suspected in code without such instructions', () => {
    for (const code of [codeOf(''), codeOf('f8'), codeOf(TVM.balance + TVM.now + TVM.configParam), codeOf('f835')])
      expect(mayReadPrevBlocks(code)).toBe(false)
  })

  test('may hide in a library, whose hash says nothing', () => {
    const hash = Buffer.alloc(32, Buffer.from(TVM.prevBlocks.slice(0, 4), 'hex'))
    expect(mayReadPrevBlocks(libraryCell(hash))).toBe(false)
  })

  test('is looked at once where it is shared', () => {
    let code = codeOf('00')
    for (let i = 0; i < 60; i++) code = codeOf('00', code, code)
    expect(mayReadPrevBlocks(code)).toBe(false)
  })
})
