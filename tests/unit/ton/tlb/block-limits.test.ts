import { describe, expect, test } from 'bun:test'
import { type Builder, beginCell } from '../../../../src/ton/builder.ts'
import { parseBlockLimits } from '../../../../src/ton/tlb/block-limits.ts'
import { failureOf } from '../../../support/failure.ts'

const numbers = (builder: Builder, width: number, values: readonly number[]): Builder =>
  values.reduce((all, value) => all.uint(value, width), builder)

describe('parameters 22 and 23', () => {
  const limits = (builder: Builder): Builder => numbers(builder.uint(0xc3, 8), 32, [1, 2, 3])
  const LIMITS = { underload: 1, soft_limit: 2, hard_limit: 3 }
  const three = (tag: number): Builder => limits(limits(limits(beginCell().uint(tag, 8))))

  test('of the first form', () => {
    expect(parseBlockLimits(three(0x5d).endCell())).toEqual({
      _: 'block_limits',
      bytes: LIMITS,
      gas: LIMITS,
      lt_delta: LIMITS,
      collated_data: null,
      imported_msg_queue: null,
    })
  })

  test('of the second form', () => {
    const cell = numbers(limits(three(0x5e)).uint(0xd3, 8), 32, [4, 5]).endCell()
    expect(parseBlockLimits(cell)).toMatchObject({
      _: 'block_limits_v2',
      collated_data: LIMITS,
      imported_msg_queue: { max_bytes: 4, max_msgs: 5 },
    })
  })

  test('of another tag are refused', () => {
    expect(failureOf(() => parseBlockLimits(three(0x5f).endCell()))).toBe('malformed')
  })
})
