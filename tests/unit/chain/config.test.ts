import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readConfig, readConfigParam } from '../../../src/chain/config.ts'
import type { Cell } from '../../../src/ton/cell.ts'
import { parseMcStateExtra } from '../../../src/ton/tlb/mc-state-extra.ts'
import { parseShardStateUnsplit } from '../../../src/ton/tlb/shard-state.ts'
import { type ArchiveReader, startArchiveReader } from '../../support/archive-gateway.ts'
import { recordedChain } from '../../support/recorded-chain.ts'

const signal = new AbortController().signal

/** The configuration as the recorded state itself has it. */
const configOf = (seqno: number): Cell =>
  parseMcStateExtra(parseShardStateUnsplit(recordedChain().masterchain(seqno)!.state).custom!).config.config

describe('reading the configuration', () => {
  let reader: ArchiveReader
  beforeAll(async () => {
    reader = await startArchiveReader()
  })
  afterAll(() => reader.stop())

  test('is that of the masterchain block, before and behind every key block', async () => {
    const keyBlocks = recordedChain().keyBlocks.filter((seqno) => seqno > 1)
    for (const seqno of keyBlocks.flatMap((key) => [key - 1, key, key + 1])) {
      const config = await readConfig(reader.chain, { seqno, signal })
      expect(config.hash().toString('hex')).toBe(configOf(seqno).hash().toString('hex'))
    }
  })

  test('is asked for once between two key blocks', async () => {
    const before = reader.asked()['getConfigAll']
    for (const seqno of [105, 110, 200, 300]) await readConfig(reader.chain, { seqno, signal })
    await readConfig(reader.chain, { seqno: undefined, signal })
    expect(reader.asked()['getConfigAll']).toBe(before!)
  })

  test('has no cell for a parameter that does not exist', async () => {
    expect(await readConfigParam(reader.chain, 5555, { seqno: undefined, signal })).toBeNull()
    expect((await readConfigParam(reader.chain, 0, { seqno: undefined, signal }))?.bits).toBe(256)
  })
})
