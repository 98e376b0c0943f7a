import { expect, test } from 'bun:test'
import { type Builder, beginCell } from '../../../../src/ton/builder.ts'
import { parseElectionTimes, parseStakeLimits } from '../../../../src/ton/tlb/config-elections.ts'

const numbers = (builder: Builder, width: number, values: readonly number[]): Builder =>
  values.reduce((all, value) => all.uint(value, width), builder)

test('parameters 15 and 17', () => {
  expect(parseElectionTimes(numbers(beginCell(), 32, [1, 2, 3, 4]).endCell())).toEqual({
    validators_elected_for: 1,
    elections_start_before: 2,
    elections_end_before: 3,
    stake_held_for: 4,
  })
  expect(parseStakeLimits(beginCell().coins(1n).coins(2n).coins(3n).uint(0x30000, 32).endCell())).toEqual({
    min_stake: 1n,
    max_stake: 2n,
    min_total_stake: 3n,
    max_stake_factor: 0x30000,
  })
})
