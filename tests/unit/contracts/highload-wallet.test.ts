import { expect, test } from 'bun:test'
import { readHighloadWalletV2 } from '../../../src/contracts/highload-wallet.ts'
import { beginCell } from '../../../src/ton/builder.ts'
import { beginParse } from '../../../src/ton/slice.ts'
import { failureOf } from '../../support/failure.ts'

test('the wallet id comes first and is unsigned', () => {
  const data = beginCell().uint(0xffffffff, 32).uint(1, 64).endCell()
  expect(readHighloadWalletV2(beginParse(data))).toEqual({
    _: 'wallet.highload.v2.accountState',
    wallet_id: 0xffffffffn,
  })
})

test('data of 31 bits is malformed', () => {
  expect(failureOf(() => readHighloadWalletV2(beginParse(beginCell().uint(1, 31).endCell())))).toBe('malformed')
})
