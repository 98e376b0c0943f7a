import { describe, expect, test } from 'bun:test'
import { type Builder, beginCell } from '../../../../src/ton/builder.ts'
import type { Cell } from '../../../../src/ton/cell.ts'
import { configParam, configParams, loadConfigParams } from '../../../../src/ton/tlb/config-params.ts'
import { parseCell } from '../../../../src/ton/tlb/tag.ts'
import { encodeDict } from '../../../support/dict-encoder.ts'

const address = (n: number): Cell => beginCell().bytes(Buffer.alloc(32, n)).endCell()
const dictionary = (indices: readonly number[]): Cell =>
  encodeDict(
    indices.map((index) => ({
      key: BigInt.asUintN(32, BigInt(index)).toString(2).padStart(32, '0'),
      value: (builder: Builder) => builder.ref(address(index & 0xff)),
    })),
    32,
    { label: (fitting) => fitting[0]! },
  )

describe('ConfigParams', () => {
  const config = dictionary([0, 1, 34, -1, -999])

  test('lists parameters of either sign', () => {
    expect(Array.from(configParams(config), ([index]) => index)).toEqual([0, 1, 34, -999, -1])
  })

  test('finds a parameter, or knows that there is none', () => {
    expect(configParam(config, 34)?.hash()).toEqual(address(34).hash())
    expect(configParam(config, -1)?.hash()).toEqual(address(255).hash())
    expect(configParam(config, 2)).toBeNull()
  })

  test('stand behind the address of the configuration contract', () => {
    const cell = beginCell().bytes(Buffer.alloc(32, 0x55)).ref(config).endCell()
    expect(parseCell(cell, loadConfigParams)).toEqual({ config_addr: Buffer.alloc(32, 0x55), config })
  })
})
