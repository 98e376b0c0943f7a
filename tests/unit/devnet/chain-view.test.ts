import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { embeddedRecording } from '../../../src/devnet/archive.ts'
import type { ChainBlock, LookupKey } from '../../../src/devnet/chain.ts'
import { viewAt } from '../../../src/devnet/chain-view.ts'
import { shardContains } from '../../../src/ton/block-id.ts'
import { recordedChain } from '../../support/recorded-chain.ts'

const chain = recordedChain()
const all = embeddedRecording().blocks.map(({ id }) => chain.block(id)!)

const keyOf = ({ id, info }: ChainBlock, by: LookupKey): bigint =>
  by === 'lt' ? info.end_lt : BigInt(by === 'seqno' ? id.seqno : info.gen_utime)

/** The same lookup in the simplest words: of all that are known, the first in the account's chain. */
const expected = (head: number, workchain: number, prefix: bigint, by: LookupKey, value: bigint) =>
  all
    .filter(({ id, mc_seqno }) => id.workchain === workchain && mc_seqno <= head && shardContains(id.shard, prefix))
    .filter((block) => (by === 'seqno' ? keyOf(block, by) === value : keyOf(block, by) >= value))
    .sort((a, b) => a.id.seqno - b.id.seqno)[0]

describe('a chain at a masterchain block', () => {
  test('knows what was committed up to there', () => {
    for (const seqno of [1, 17, 200, chain.last]) {
      const view = viewAt(chain, seqno)
      expect(view.head.id.seqno).toBe(seqno)
      for (const { id, mc_seqno } of all) expect(view.block(id) !== undefined).toBe(mc_seqno <= seqno)
      expect(view.masterchain(seqno)).toBeDefined()
      expect(view.masterchain(seqno + 1)).toBeUndefined()
    }
  })

  test('looks blocks up by seqno, end lt and time as a search through all blocks does', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: chain.last }),
        fc.constantFrom(...all),
        fc.constantFrom<LookupKey>('seqno', 'lt', 'utime'),
        fc.bigInt({ min: -2n, max: 2n }),
        fc.bigInt({ min: -(1n << 63n), max: (1n << 63n) - 1n }),
        (head, near, by, offset, prefix) => {
          const { workchain } = near.id
          const value = keyOf(near, by) + offset
          const want = expected(head, workchain, prefix, by, value)
          const look = () => viewAt(chain, head).lookup({ workchain, prefix }, by, value)
          if (want) expect(look()).toBe(want)
          else expect(look).toThrow('ltdb: block not found')
        },
      ),
      { numRuns: 500 },
    )
  })

  test('says why a block is not there', () => {
    const view = viewAt(chain, 50)
    const at = { workchain: 0, prefix: 1n << 62n }
    const sync = ' (possibly out of sync: shard_client_seqno=50 ls_seqno=50)'
    const where = 'cannot find block (0,4000000000000000)'
    expect(() => view.lookup(at, 'seqno', 999n)).toThrow(`${where} seqno=999: ltdb: block not found${sync}`)
    expect(() => view.lookup(at, 'lt', 1n << 62n)).toThrow(`ltdb: block not found${sync}`)
    expect(() => view.lookup(at, 'utime', 3_000_000_000n)).toThrow(`ltdb: block not found${sync}`)
    expect(() => view.lookup(at, 'seqno', 0n)).toThrow(/seqno=0: ltdb: block not found$/)
    expect(() => view.lookup({ workchain: 5, prefix: 0n }, 'lt', 7n)).toThrow(
      /^cannot find block \(5,0000000000000000\) lt=7: lt not in db$/,
    )
    expect(() => view.lookup({ workchain: 5, prefix: 0n }, 'utime', 7n)).toThrow('utime=7: ts not in db')
  })
})
