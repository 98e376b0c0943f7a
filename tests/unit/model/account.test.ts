import { describe, expect, test } from 'bun:test'
import { readAccountCell } from '../../../src/model/account.ts'
import { NO_TRANSACTION } from '../../../src/model/transaction-id.ts'
import { parseBocRoot } from '../../../src/ton/boc.ts'
import { beginCell } from '../../../src/ton/builder.ts'
import { contentsOf, readVariants } from '../../support/account-variants.ts'

const ADDRESS = { workchain: 0, hash: Buffer.alloc(32, 1) }
const LAST = { lt: 77n, hash: Buffer.alloc(32, 2) }

describe('accounts', () => {
  test('of every kind that was recorded are read', () => {
    for (const variant of readVariants()) {
      const account = readAccountCell(ADDRESS, parseBocRoot(Buffer.from(variant.account_boc, 'base64')), LAST)
      const { balance, code, data, frozenHash } = contentsOf(variant)
      expect(account).toMatchObject({ address: ADDRESS, balance, last_transaction: LAST })
      expect([account.code?.hash(), account.data?.hash()]).toEqual([code?.hash(), data?.hash()])
      expect(account.frozen_hash).toEqual(frozenHash)
      expect(account.status === 'frozen').toBe(frozenHash !== null)
    }
  })

  test('that do not exist have nothing', () => {
    for (const cell of [null, beginCell().bit(false).endCell()])
      expect(readAccountCell(ADDRESS, cell, NO_TRANSACTION)).toEqual({
        address: ADDRESS,
        status: 'nonexist',
        balance: 0n,
        extra_currencies: [],
        last_transaction: NO_TRANSACTION,
        code: null,
        data: null,
        frozen_hash: null,
      })
  })
})
