import { describe, expect, test } from 'bun:test'
import { shownTexts, type Value, valueText } from '../../../../src/indexer/audit/value-text.ts'

describe('a value in words', () => {
  const cases: [Value, string][] = [
    [null, 'none'],
    [undefined, 'none'],
    ['none', '"none"'],
    [true, 'true'],
    [7, '7'],
    [2n ** 256n, '115792089237316195423570985008687907853269984665640564039457584007913129639936'],
    [Buffer.from([0, 255]), '0x00ff'],
    [{ workchain: -1, hash: Buffer.alloc(32, 0xab) }, `-1:${'AB'.repeat(32)}`],
    [[1n, 'a', null], '[1, "a", none]'],
    [{ b: '2', a: { c: 1 } }, '{"a": {"c": 1}, "b": "2"}'],
    ['\u001b[2J\u009b\u202e\n"', '"\\u001b[2J\\u009b\\u202e\\n\\""'],
  ]
  for (const [value, text] of cases)
    test(text.slice(0, 40), () => expect(valueText(value).toLowerCase()).toBe(text.toLowerCase()))
})

test('texts are shown from a little before their first difference on, and not without end', () => {
  expect(shownTexts('abc', 'abd')).toEqual(['abc', 'abd'])
  const same = 'x'.repeat(1000)
  const [ours, live] = shownTexts(`${same}1${same}`, `${same}2`)
  expect(ours).toMatch(/^…x{40}1x+…$/)
  expect(live).toBe(`…${'x'.repeat(40)}2`)
  expect(ours.length).toBeLessThan(170)
})
