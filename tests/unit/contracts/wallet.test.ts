import { expect, test } from 'bun:test'
import { readSeqnoWallet } from '../../../src/contracts/wallet.ts'
import { beginCell } from '../../../src/ton/builder.ts'
import { beginParse } from '../../../src/ton/slice.ts'
import { failureOf } from '../../support/failure.ts'

test('seqno and wallet id are unsigned', () => {
  const data = beginCell().uint(0xfffffff0, 32).uint(0x80000001, 32).endCell()
  expect(readSeqnoWallet('wallet.v3.accountState', beginParse(data))).toEqual({
    _: 'wallet.v3.accountState',
    wallet_id: 0x80000001n,
    seqno: 0xfffffff0,
  })
})

test('data of 63 bits is malformed', () => {
  const data = beginCell().uint(1, 63).endCell()
  expect(failureOf(() => readSeqnoWallet('wallet.v4.accountState', beginParse(data)))).toBe('malformed')
})
