import { describe, expect, test } from 'bun:test'
import { hash } from 'node:crypto'
import { finish } from '../../../../src/common/steps.ts'
import type { CollatedBlock } from '../../../../src/devnet/collate/collation.ts'
import { masterchainBlockSteps } from '../../../../src/devnet/collate/masterchain-block.ts'
import { shardBlockSteps } from '../../../../src/devnet/collate/shard-block.ts'
import { blockIdText, MASTERCHAIN } from '../../../../src/ton/block-id.ts'
import { parseBocRoot } from '../../../../src/ton/boc.ts'
import { applyUpdate } from '../../../../src/ton/merkle.ts'
import { parseBlock } from '../../../../src/ton/tlb/block.ts'
import { createExecutor } from '../../../../src/tvm/executor.ts'
import { differences, recordedCollation } from '../../../support/recollated.ts'
import { recordedMasterchainCollation } from '../../../support/recollated-masterchain.ts'
import { recordedChain } from '../../../support/recorded-chain.ts'
import { mergeBlocks } from '../../../support/split-blocks.ts'

const chain = recordedChain()
const executor = await createExecutor()
const collated = (seqno: number) => {
  const block = chain.masterchain(seqno)!
  const input = recordedMasterchainCollation(chain, block, executor)
  return { block, input, made: finish(masterchainBlockSteps(input)) }
}

describe('a masterchain block', () => {
  test('is made as the validator made it, every one of the recorded network', () => {
    const different: string[] = []
    for (let seqno = 1; seqno <= chain.last; seqno++) {
      const { block, made } = collated(seqno)
      const names = differences(made, block)
      if (names.length > 0) different.push(`${seqno}: ${names.join(', ')}`)
    }
    console.log(`${chain.last - different.length} masterchain blocks equal, ${different.length} different`)
    expect(different).toEqual([])
  }, 180_000)

  test('is a bag of cells whose Merkle update leads to its state', () => {
    for (const seqno of [1, 22, 29, 30, 103]) {
      const { input, made } = collated(seqno)
      const root = parseBocRoot(made.data)
      expect(root.hash().equals(made.id.root_hash)).toBe(true)
      expect(hash('sha256', made.data, 'buffer').equals(made.id.file_hash)).toBe(true)
      expect(applyUpdate(input.prev[0]!.state, parseBlock(root).state_update).hash().equals(made.state.hash())).toBe(
        true,
      )
    }
  })

  test('takes no block of a shard that is not older, while the global version is below 13', () => {
    const input = recordedMasterchainCollation(chain, chain.masterchain(29)!, executor)
    const [top] = input.shards
    const shards = [{ ...top!, info: { ...top!.info, gen_utime: input.now } }]
    expect(() => finish(masterchainBlockSteps({ ...input, shards }))).toThrow('not older')
  })

  test('takes no half of a split shard alone', () => {
    const input = recordedMasterchainCollation(chain, chain.masterchain(29)!, executor)
    expect(input.shards.length).toBe(2)
    expect(() => finish(masterchainBlockSteps({ ...input, shards: input.shards.slice(0, 1) }))).toThrow('other half')
  })
})

describe('blocks around a merge of shards', () => {
  const { chain: merging, blocks } = mergeBlocks()

  test('are made as the validators made them, those of the masterchain and of the shards', () => {
    expect(blocks.filter(({ info }) => info.after_merge).length).toBe(1)
    for (const block of blocks) {
      const steps =
        block.id.workchain === MASTERCHAIN
          ? masterchainBlockSteps(recordedMasterchainCollation(merging, block, executor))
          : shardBlockSteps(recordedCollation(merging, block, executor))
      expect([blockIdText(block.id), differences(finish<CollatedBlock>(steps), block)]).toEqual([
        blockIdText(block.id),
        [],
      ])
    }
  })
})
