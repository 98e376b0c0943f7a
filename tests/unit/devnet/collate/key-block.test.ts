import { describe, expect, test } from 'bun:test'
import { nextConfig } from '../../../../src/devnet/collate/key-block.ts'
import { configFault } from '../../../../src/devnet/collate/key-block-config.ts'
import { beginCell } from '../../../../src/ton/builder.ts'
import type { Cell } from '../../../../src/ton/cell.ts'
import { key32 } from '../../../../src/ton/dictionary.ts'
import { updateDict } from '../../../../src/ton/dictionary-update.ts'
import { configParams } from '../../../../src/ton/tlb/config-params.ts'
import { parseMcStateExtra } from '../../../../src/ton/tlb/mc-state-extra.ts'
import { parseShardStateUnsplit } from '../../../../src/ton/tlb/shard-state.ts'
import { recordedChain } from '../../../support/recorded-chain.ts'

const chain = recordedChain()
const stateOf = (seqno: number) => {
  const { accounts, custom } = parseShardStateUnsplit(chain.masterchain(seqno)!.state)
  return { accounts, config: parseMcStateExtra(custom!).config }
}
const { config } = stateOf(1).config
const OWN = stateOf(1).config.config_addr
const withParam = (index: number, value: Cell | null): Cell =>
  updateDict(config, [{ key: key32(index), store: value && ((builder) => builder.ref(value)) }], 32)!
const address = (byte: number): Cell => beginCell().bytes(Buffer.alloc(32, byte)).endCell()

describe('the configuration of the next block', () => {
  test('changes in the recorded key blocks and in no other one', () => {
    const keys: number[] = []
    for (let seqno = 2; seqno <= chain.last; seqno++) {
      const { changed, params, refused } = nextConfig(stateOf(seqno - 1).config, stateOf(seqno).accounts)
      expect(refused).toBeNull()
      expect(params.config.hash().equals(stateOf(seqno).config.config.hash())).toBe(true)
      if (changed) keys.push(seqno)
    }
    expect(keys).toEqual([30, 31, 44, 103])
  })

  test('stays what it was where the contract keeps none', () => {
    const elsewhere = { ...stateOf(1).config, config_addr: Buffer.alloc(32, 9) }
    expect(nextConfig(elsewhere, stateOf(1).accounts)).toMatchObject({
      params: elsewhere,
      changed: false,
      refused: 'the configuration contract keeps no configuration',
    })
  })
})

describe('a configuration', () => {
  test('is in order as the recorded network and others have it', () => {
    expect(configFault(config, OWN, config)).toBeNull()
    expect(configFault(withParam(-77, address(1)), OWN, config)).toBeNull()
    expect(configFault(withParam(4, address(1)), OWN, config)).toBeNull()
  })

  test('lacks nothing that nodes need', () => {
    for (const index of [18, 20, 21, 22, 23, 24, 25, 28, 34])
      expect(configFault(withParam(index, null), null, config)).toContain(`parameter ${index} is missing`)
  })

  test('has no parameters of unknown numbers or of another form', () => {
    expect(configFault(withParam(38, address(1)), null, config)).toContain('no configuration parameter 38')
    const broken = beginCell().uint(1, 7).endCell()
    for (const [index] of configParams(config))
      if (![9, 10, 11, 13, 16, 19, 29, 31].includes(index))
        expect(configFault(withParam(index, broken), null, config)).toContain(`parameter ${index} is not`)
  })

  test('of a contract that takes over names that contract', () => {
    expect(configFault(withParam(0, address(3)), Buffer.alloc(32, 3), config)).toBeNull()
    expect(configFault(withParam(0, address(3)), OWN, config)).toContain('another contract')
    expect(configFault(withParam(0, address(3)), null, config)).toBeNull()
  })
})
