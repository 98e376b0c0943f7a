import { describe, expect, test } from 'bun:test'
import { readWalletInfo } from '../../../src/contracts/wallet-info.ts'
import { WALLET_TYPES, walletCode } from '../../../src/contracts/wallet-info-codes.ts'
import { parseBocRoot } from '../../../src/ton/boc.ts'
import { beginCell } from '../../../src/ton/builder.ts'
import type { Cell } from '../../../src/ton/cell.ts'
import { parseAccount } from '../../../src/ton/tlb/account.ts'
import { readVariants } from '../../support/account-variants.ts'

/** The code of a recorded account. */
const codeOf = (label: string): Cell => {
  const boc = readVariants().find((each) => each.label === label)!.account_boc
  const account = parseAccount(parseBocRoot(Buffer.from(boc, 'base64')))
  if (account._ !== 'account' || account.storage.state._ !== 'account_active') throw new Error('no code')
  return account.storage.state.code!
}

const BETA = codeOf('raw.wallet.v5.beta')
const V3 = codeOf('wallet.v3.r2')
const V1 = codeOf('existing.v1r1')

const KEY = Buffer.alloc(32, 7)

describe('wallet v5 beta', () => {
  const WALLET_ID = (0xffffff27n << 48n) | 0x01020304n
  const data = (seqno: bigint): Cell => beginCell().uint(seqno, 33).uint(WALLET_ID, 80).bytes(KEY).bit(false).endCell()

  test('has a seqno of 33 bits and a wallet id of 80', () => {
    expect(readWalletInfo(BETA, data(4_294_967_295n))).toEqual({
      wallet_type: 'wallet v5 beta',
      seqno: 4_294_967_295,
      wallet_id: WALLET_ID,
      is_signature_allowed: true,
    })
  })

  test('shows by a seqno below zero that signatures are refused', () => {
    const info = readWalletInfo(BETA, data((1n << 33n) - 5n))
    expect(info).toMatchObject({ seqno: 5, is_signature_allowed: false })
  })

  test('is told by its library reference', () => expect(walletCode(BETA)?.layout).toBe('v5-beta'))
})

test('seqno and wallet id are unsigned', () => {
  const data = beginCell().uint(0xfffffff0, 32).uint(0x80000001, 32).bytes(KEY).endCell()
  expect(readWalletInfo(V3, data)).toEqual({ wallet_type: 'wallet v3 r2', seqno: 0xfffffff0, wallet_id: 0x80000001n })
})

test('the first versions have no wallet id', () => {
  const data = beginCell().uint(9, 32).bytes(KEY).endCell()
  expect(readWalletInfo(V1, data)).toEqual({ wallet_type: 'wallet v1 r1', seqno: 9 })
})

test('code without data, or with data that is too short or no ordinary cell, is no wallet', () => {
  expect(readWalletInfo(V3, null)).toBeNull()
  expect(readWalletInfo(V3, beginCell().uint(1, 63).endCell())).toBeNull()
  expect(readWalletInfo(V3, BETA)).toBeNull()
})

test('no code and unknown code are no wallet', () => {
  expect(readWalletInfo(null, null)).toBeNull()
  expect(readWalletInfo(beginCell().endCell(), beginCell().uint(1, 64).endCell())).toBeNull()
})

test('every name is there once', () => expect(new Set(WALLET_TYPES).size).toBe(11))
