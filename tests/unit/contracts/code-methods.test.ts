import { expect, test } from 'bun:test'
import { codeMethods } from '../../../src/contracts/code-methods.ts'
import { beginCell } from '../../../src/ton/builder.ts'
import type { Cell } from '../../../src/ton/cell.ts'
import { methodId } from '../../../src/ton/method-id.ts'
import { encodeDict } from '../../support/dict-encoder.ts'

const KEY_BITS = 19
const codeOf = (dict: Cell, setcp = 0xff00): Cell =>
  beginCell().uint(setcp, 16).uint(0x3d29, 14).uint(KEY_BITS, 10).uint(0xf4bc, 16).ref(dict).endCell()
const dictOf = (ids: readonly number[]): Cell =>
  encodeDict(
    ids.map((id) => ({ key: id.toString(2).padStart(KEY_BITS, '0'), value: (builder) => builder.uint(1, 8) })),
    KEY_BITS,
    { label: (fitting) => fitting[0]! },
  )

test('the methods of compiled code are the keys of its dictionary', () => {
  const ids = [0, methodId('seqno'), methodId('get_public_key'), 0x7ffff]
  expect(codeMethods(codeOf(dictOf(ids)))).toEqual(ids.toSorted((a, b) => a - b))
})

test('other code has none that can be told', () => {
  expect(codeMethods(beginCell().endCell())).toBeNull()
  expect(codeMethods(codeOf(dictOf([1, 2]), 0xff01))).toBeNull()
  expect(codeMethods(codeOf(beginCell().uint(0, 3).endCell()))).toBeNull()
  expect(codeMethods(beginCell().uint(0xff00, 16).uint(0x3d29, 14).uint(KEY_BITS, 10).endCell())).toBeNull()
})

test('a dictionary of few cells and very many entries is given up', () => {
  let node = beginCell().uint(0, 2).endCell()
  for (let bit = 0; bit < KEY_BITS; bit++) node = beginCell().uint(0, 2).ref(node).ref(node).endCell()
  expect(codeMethods(codeOf(node))).toBeNull()
})
