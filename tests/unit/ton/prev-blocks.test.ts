import { describe, expect, test } from 'bun:test'
import { getConfigParams } from '../../../src/liteserver/client.ts'
import { type BlockIdExt, MASTERCHAIN } from '../../../src/ton/block-id.ts'
import { prevBlocksTuple, readPrevBlocks } from '../../../src/ton/prev-blocks.ts'
import { PROVEN } from '../../../src/ton/proof/evidence.ts'
import { checkPrevBlocks, NEED_PREV_BLOCKS } from '../../../src/ton/proof/prev-blocks.ts'
import { stackInt } from '../../../src/ton/stack.ts'
import { parseMcStateExtra, parseMcStateHistory } from '../../../src/ton/tlb/mc-state-extra.ts'
import { parseShardStateUnsplit } from '../../../src/ton/tlb/shard-state.ts'
import { archiveAt } from '../../support/archive-client.ts'
import { bitFlips } from '../../support/bit-flips.ts'
import { failureOf } from '../../support/failure.ts'
import { recordedChain } from '../../support/recorded-chain.ts'

const chain = recordedChain()
const SEQNOS = [1, 2, 15, 16, 17, 29, 30, 31, 99, 100, 101, 103, 104, 200, 318, 360]

const idOf = (seqno: number): BlockIdExt => (seqno === 0 ? chain.zerostate(MASTERCHAIN)! : chain.masterchain(seqno)!).id

const historyAt = (seqno: number) =>
  parseMcStateHistory(parseMcStateExtra(parseShardStateUnsplit(chain.masterchain(seqno)!.state).custom!).history)

/** The same, counted on the list of all blocks. */
const counted = (seqno: number) => {
  const backwards = (from: number, step: number): BlockIdExt[] =>
    Array.from({ length: Math.min(16, Math.floor(from / step) + 1) }, (_, i) => idOf(from - i * step))
  return {
    last_mc_blocks: backwards(seqno, 1),
    prev_key_block: idOf(chain.keyBlocks.findLast((key) => key <= seqno) ?? 0),
    last_mc_blocks_100: backwards(seqno - (seqno % 100), 100),
  }
}

describe('the earlier blocks that contracts see', () => {
  test('are those of the chain', () => {
    for (const seqno of SEQNOS) expect(readPrevBlocks(historyAt(seqno), idOf(seqno))).toEqual(counted(seqno))
  })

  test('are proven by the answer of a liteserver', async () => {
    for (const seqno of SEQNOS) {
      const id = idOf(seqno)
      const answer = await getConfigParams(archiveAt(chain.last), id, [], NEED_PREV_BLOCKS)
      expect(checkPrevBlocks(answer, { id }, PROVEN)).toEqual(counted(seqno))
    }
  })

  test('are not believed of another block, nor when a bit is wrong', async () => {
    const id = idOf(318)
    const answer = await getConfigParams(archiveAt(chain.last), id, [], NEED_PREV_BLOCKS)
    expect(failureOf(() => checkPrevBlocks(answer, { id: idOf(317) }, PROVEN))).toBe('proof')
    for (const { path, value } of bitFlips(answer, 60, /^(mode|_)/)) {
      const outcome = failureOf(() => checkPrevBlocks(value, { id }, PROVEN))
      expect([path, outcome]).toEqual([path, 'proof'])
    }
  })

  test('come with hundredths from global version 9 on', () => {
    const blocks = counted(318)
    const lengthAt = (version: number) => {
      const tuple = prevBlocksTuple(blocks, version)
      return tuple._ === 'vm_stk_tuple' && tuple.data.length
    }
    expect([8, 9].map(lengthAt)).toEqual([2, 3])
    const tuple = prevBlocksTuple(blocks, 12)
    const key = tuple._ === 'vm_stk_tuple' && tuple.data[1]
    expect(key && key._ === 'vm_stk_tuple' && key.data.slice(0, 3)).toEqual([
      stackInt(-1),
      stackInt(2n ** 63n),
      stackInt(103),
    ])
  })
})
