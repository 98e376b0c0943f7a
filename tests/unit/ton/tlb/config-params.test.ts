import { describe, expect, test } from 'bun:test'
import { beginCell } from '../../../../src/ton/builder.ts'
import { configParam, configParams, loadConfigParams } from '../../../../src/ton/tlb/config-params.ts'
import { parseCell } from '../../../../src/ton/tlb/tag.ts'
import { configDictionary, configValue } from '../../../support/config-dictionary.ts'

describe('ConfigParams', () => {
  const config = configDictionary([0, 1, 34, -1, -999])

  test('lists parameters of either sign', () => {
    expect(Array.from(configParams(config), ([index]) => index)).toEqual([0, 1, 34, -999, -1])
  })

  test('finds a parameter, or knows that there is none', () => {
    expect(configParam(config, 34)?.hash()).toEqual(configValue(34).hash())
    expect(configParam(config, -1)?.hash()).toEqual(configValue(255).hash())
    expect(configParam(config, 2)).toBeNull()
  })

  test('stand behind the address of the configuration contract', () => {
    const cell = beginCell().bytes(Buffer.alloc(32, 0x55)).ref(config).endCell()
    expect(parseCell(cell, loadConfigParams)).toEqual({ config_addr: Buffer.alloc(32, 0x55), config })
  })
})
