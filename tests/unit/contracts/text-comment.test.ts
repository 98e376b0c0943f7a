import { expect, test } from 'bun:test'
import { textComment } from '../../../src/contracts/text-comment.ts'
import { beginCell } from '../../../src/ton/builder.ts'

const comment = (text: string | Buffer, opcode = 0) => beginCell().uint(opcode, 32).bytes(Buffer.from(text)).endCell()

test('a comment goes on in references', () => {
  const tail = beginCell().bytes(Buffer.from('wörld')).endCell()
  const body = beginCell().uint(0, 32).bytes(Buffer.from('hello, ')).ref(tail).endCell()
  expect(textComment(body)).toBe('hello, wörld')
  expect(textComment(comment(''))).toBe('')
})

test('bytes that are no UTF-8 are replaced', () => {
  expect(textComment(comment(Buffer.of(0x41, 0xff)))).toBe('A\ufffd')
})

test('other bodies have none', () => {
  expect(textComment(comment('x', 1))).toBeNull()
  expect(textComment(beginCell().uint(0, 31).endCell())).toBeNull()
  expect(textComment(beginCell().uint(0, 32).uint(1, 3).endCell())).toBeNull()
})

test('one that is longer than any could be is not read', () => {
  let tail = beginCell().endCell()
  for (let i = 0; i < 600; i++) tail = beginCell().bytes(Buffer.alloc(120, 0x61)).ref(tail).endCell()
  expect(textComment(beginCell().uint(0, 32).ref(tail).endCell())).toBeNull()
})
