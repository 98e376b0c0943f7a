import { expect, test } from 'bun:test'
import { describeChannel } from '../../../src/contracts/payment-channel-description.ts'

test('a payout has a line for each amount, with its length in bytes', () => {
  expect(describeChannel({ _: 'pchan.statePayout', A: 0n, B: 256n })).toBe(
    [
      '(chan_state_payout',
      '  A:(nanograms',
      '    amount:(var_uint len:0 value:0))',
      '  B:(nanograms',
      '    amount:(var_uint len:2 value:256)))\n',
    ].join('\n'),
  )
})

test('the closing phase speaks of promises', () => {
  const amounts = { signed_A: false, signed_B: true, min_A: 1n, min_B: 255n, expire_at: 7n, A: 0n, B: 0n }
  expect(describeChannel({ _: 'pchan.stateClose', ...amounts })).toBe(
    [
      '(chan_state_close signed_A:0 signed_B:1',
      '  promise_A:(nanograms',
      '    amount:(var_uint len:1 value:1))',
      '  promise_B:(nanograms',
      '    amount:(var_uint len:1 value:255)) expire_at:7',
      '  A:(nanograms',
      '    amount:(var_uint len:0 value:0))',
      '  B:(nanograms',
      '    amount:(var_uint len:0 value:0)))\n',
    ].join('\n'),
  )
})
