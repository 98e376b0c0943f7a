import { describe, expect, test } from 'bun:test'
import { beginCell } from '../../../../src/ton/builder.ts'
import { configAddresses, parseConfigAddress } from '../../../../src/ton/tlb/config-addresses.ts'
import { configDictionary } from '../../../support/config-dictionary.ts'
import { failureOf } from '../../../support/failure.ts'

describe('configAddresses', () => {
  const [zero, one, two] = [0, 1, 2].map((n) => Buffer.alloc(32, n))

  test('falls back to the configuration contract and the elector', () => {
    expect(configAddresses(configDictionary([0, 1, 4]))).toEqual({
      config_addr: zero!,
      elector_addr: one!,
      minter_addr: zero!,
      fee_collector_addr: one!,
      dns_root_addr: Buffer.alloc(32, 4),
    })
  })

  test('takes what is set', () => {
    expect(configAddresses(configDictionary([2, 3]))).toEqual({
      config_addr: null,
      elector_addr: null,
      minter_addr: two!,
      fee_collector_addr: Buffer.alloc(32, 3),
      dns_root_addr: null,
    })
  })

  test('refuses what is no address', () => {
    expect(failureOf(() => parseConfigAddress(beginCell().uint(0, 255).endCell()))).toBe('malformed')
    expect(failureOf(() => parseConfigAddress(beginCell().uint(0, 257).endCell()))).toBe('malformed')
  })
})
