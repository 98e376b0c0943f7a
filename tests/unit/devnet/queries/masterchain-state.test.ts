import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  getBlockOutMsgQueueSize,
  getConfigAll,
  getConfigParams,
  getDispatchQueueInfo,
  getLibraries,
  getLibrariesWithProof,
  getOutMsgQueueSizes,
} from '../../../../src/liteserver/client.ts'
import { MASTERCHAIN } from '../../../../src/ton/block-id.ts'
import { checkConfig } from '../../../../src/ton/proof/config.ts'
import { PROVEN } from '../../../../src/ton/proof/evidence.ts'
import { checkLibrariesWithProof } from '../../../../src/ton/proof/libraries.ts'
import { checkLookup } from '../../../../src/ton/proof/lookup.ts'
import { checkOutMsgQueueSize } from '../../../../src/ton/proof/queues.ts'
import { configParam, configParams } from '../../../../src/ton/tlb/config-params.ts'
import { parseMcStateExtra } from '../../../../src/ton/tlb/mc-state-extra.ts'
import { parseShardStateTotals, parseShardStateUnsplit, sharedLibs } from '../../../../src/ton/tlb/shard-state.ts'
import { archiveAt } from '../../../support/archive-client.ts'
import { recordedChain } from '../../../support/recorded-chain.ts'

const chain = recordedChain()
const query = archiveAt(chain.last)
const master = (seqno: number) => chain.masterchain(seqno)!
const FROM_KEY_BLOCK = 0x8000

describe('the configuration', () => {
  test('is proven whole, from the state and from the key block', async () => {
    for (const seqno of [31, 60, 104, chain.last]) {
      const { id, state } = master(seqno)
      const real = parseMcStateExtra(parseShardStateUnsplit(state).custom!).config.config
      for (const mode of [0, FROM_KEY_BLOCK]) {
        const { config } = checkConfig(await getConfigAll(query, id, mode), { id, mode }, PROVEN)
        expect(config.hash(0)).toEqual(real.hash())
        expect([...configParams(config)].length).toBe([...configParams(real)].length)
      }
    }
  })

  test('shows the asked parameters and those that the mode needs, and no others', async () => {
    const { id } = master(200)
    const needed: [number, number[]][] = [
      [0, []],
      [16, [34]],
      [256, [12]],
      [512, [8]],
    ]
    for (const [mode, shown] of needed) {
      const answer = await getConfigParams(query, id, [15], mode)
      const { config } = checkConfig(answer, { id, mode, param_list: [15] }, PROVEN)
      for (const index of [15, ...shown]) expect(configParam(config, index)!.exotic).toBe(false)
      expect(() => [...configParams(config)]).toThrow()
    }
  })

  test('of a block that the head does not know is refused', async () => {
    const { id } = master(200)
    const early = archiveAt(100)
    await expect(getConfigAll(early, id)).rejects.toThrow('not in db')
    await expect(getConfigAll(early, id, FROM_KEY_BLOCK)).rejects.toThrow('newer than the reference masterchain block')
    const wrong = { ...id, file_hash: Buffer.alloc(32, 1) }
    await expect(getConfigAll(query, wrong, FROM_KEY_BLOCK)).rejects.toThrow('is unknown from the perspective')
    await expect(getConfigAll(query, master(5).id, FROM_KEY_BLOCK)).rejects.toThrow('not in db')
  })
})

describe('libraries', () => {
  const hashes = [
    ...sharedLibs(parseShardStateTotals(parseShardStateUnsplit(master(chain.last).state).totals).libraries),
  ].map(([hash]) => hash)

  test('are given once each, the first sixteen that were asked for', async () => {
    const { result } = await getLibraries(query, [...hashes, ...hashes].reverse())
    expect(result.map(({ hash }) => hash)).toEqual(hashes.slice().sort(Buffer.compare))
    const behind = [...Array.from({ length: 16 }, (_, i) => Buffer.alloc(32, i)), ...hashes]
    expect((await getLibraries(query, behind)).result).toEqual([])
  })

  test('are proven to be there, and the others to be missing', async () => {
    const { id } = master(chain.last)
    const library_list = [...hashes, Buffer.alloc(32, 9)]
    const request = { id, mode: 0, library_list }
    const proven = checkLibrariesWithProof(await getLibrariesWithProof(query, id, library_list), request, PROVEN)
    expect([...proven.keys()].sort()).toEqual(hashes.map((hash) => hash.toString('hex')).sort())
  })
})

describe('message queues', () => {
  test('have the same size by block as at the head', async () => {
    for (const seqno of [20, 150, chain.last]) {
      const { shards } = await getOutMsgQueueSizes(archiveAt(seqno), undefined)
      expect(shards[0]!.id.seqno).toBe(seqno)
      for (const { id, size } of shards) {
        const answer = await getBlockOutMsgQueueSize(query, id, true)
        expect(checkOutMsgQueueSize(answer, { id }, PROVEN)).toBe(size)
      }
    }
  })

  test('are refused without a positive number of accounts', async () => {
    const request = { mode: 0, id: master(20).id, max_accounts: 0 }
    await expect(query('liteServer.getDispatchQueueInfo', request)).rejects.toThrow('invalid max_accounts')
    expect((await getDispatchQueueInfo(query, master(20).id, { max_accounts: 5, want_proof: true })).complete).toBe(
      true,
    )
  })
})

describe('a lookup with proof', () => {
  test('finds what fits, and ties it to the masterchain block that was named', async () => {
    const lists = [...chain.shards(0).values(), ...chain.shards(MASTERCHAIN).values()]
    const blocks = lists.flat().filter(({ id }) => id.seqno > 1)
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...blocks), fc.constantFrom(1, 2, 4), fc.nat(40), async (block, mode, later) => {
        const { workchain, shard, seqno } = block.id
        const mc_block_id = master(Math.min(chain.last, block.mc_seqno + later)).id
        const request = {
          mode,
          id: { workchain, shard, seqno },
          mc_block_id,
          lt: block.info.start_lt,
          utime: block.info.gen_utime,
        }
        const found = checkLookup(await query('liteServer.lookupBlockWithProof', request), request, PROVEN)
        if (mode !== 4) expect(found.id).toEqual(block.id)
        else expect(found.info.gen_utime).toBe(block.info.gen_utime)
      }),
      { numRuns: 150 },
    )
  })
})
