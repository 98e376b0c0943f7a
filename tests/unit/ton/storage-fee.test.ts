import { describe, expect, test } from 'bun:test'
import { transactionFees } from '../../../src/model/fees.ts'
import { type StorageDebt, storageFee } from '../../../src/ton/storage-fee.ts'
import { parseAccount } from '../../../src/ton/tlb/account.ts'
import { configParam } from '../../../src/ton/tlb/config-params.ts'
import { parseStoragePrices, type StoragePrices } from '../../../src/ton/tlb/storage-prices.ts'
import { parseTransaction } from '../../../src/ton/tlb/transaction.ts'
import { recordedConfig, recordedExternals } from '../../support/recorded-externals.ts'

const price = (utime_since: number, bit: bigint, cell: bigint): StoragePrices => ({
  utime_since,
  bit_price_ps: bit,
  cell_price_ps: cell,
  mc_bit_price_ps: bit * 1000n,
  mc_cell_price_ps: cell * 1000n,
})

const debt = (some: Partial<StorageDebt>): StorageDebt => ({
  used: { cells: 10n, bits: 1000n },
  last_paid: 1000,
  now: 1000 + 65_536,
  masterchain: false,
  ...some,
})

describe('the fee of storage', () => {
  test('is what every transaction of the recorded network paid', () => {
    let count = 0
    for (const { address, entry, transaction, block } of recordedExternals()) {
      const account = parseAccount(entry.account)
      if (account._ !== 'account') continue
      const prices = parseStoragePrices(configParam(recordedConfig(block.mc_seqno - 1), 18)!)
      const { used, last_paid } = account.storage_stat
      const masterchain = address.workchain === -1
      const { now } = parseTransaction(transaction)
      const fee = storageFee(prices, { used, last_paid, now, masterchain })
      expect(fee).toBe(transactionFees(transaction).storage_fee)
      count++
    }
    expect(count).toBeGreaterThan(1_000)
  })

  test('is rounded up once, to whole nano-units', () => {
    const prices = [price(0, 1n, 500n)]
    expect(storageFee(prices, debt({}))).toBe(6_000n)
    expect(storageFee(prices, debt({ now: 1001 }))).toBe(1n)
    expect(storageFee(prices, debt({ now: 1000 }))).toBe(0n)
    expect(storageFee(prices, debt({ now: 999 }))).toBe(0n)
  })

  test('has prices of its own in the masterchain', () => {
    expect(storageFee([price(0, 1n, 500n)], debt({ masterchain: true }))).toBe(6_000_000n)
  })

  test('changes with the prices', () => {
    const prices = [price(0, 1n, 500n), price(1000 + 32_768, 2n, 1000n)]
    expect(storageFee(prices, debt({}))).toBe(9_000n)
    expect(storageFee(prices, debt({ now: 1000 + 32_768 }))).toBe(3_000n)
    expect(storageFee([price(1000 + 65_536, 1n, 500n)], debt({}))).toBe(0n)
    expect(storageFee([], debt({}))).toBe(0n)
  })

  test('is nothing for an account that never pays', () => {
    expect(storageFee([price(0, 1n, 500n)], debt({ last_paid: 0 }))).toBe(0n)
  })

  test('does not lose a digit', () => {
    const used = { cells: 2n ** 55n, bits: 2n ** 55n + 1n }
    expect(storageFee([price(0, 1n << 16n, 0n)], debt({ used, now: 1001 }))).toBe(2n ** 55n + 1n)
  })
})
