import { expect, test } from 'bun:test'
import { inTurns } from '../../../src/common/steps.ts'
import { shardBlockSteps } from '../../../src/devnet/collate/shard-block.ts'
import { blockIdText } from '../../../src/ton/block-id.ts'
import { createExecutor } from '../../../src/tvm/executor.ts'
import { differences, recordedCollation } from '../../support/recollated.ts'
import { recordedChain } from '../../support/recorded-chain.ts'

/** The blocks that real validators made of the shards of this chain, made anew from the states that they had before. */

test('every shard block of the recorded chain is made as the validator made it', async () => {
  const chain = recordedChain()
  const executor = await createExecutor()
  const blocks = [...chain.shards(0).values()].flat()
  const different: string[] = []
  for (const block of blocks) {
    const made = await inTurns(shardBlockSteps(recordedCollation(chain, block, executor)), () => executor.ready())
    const names = [...differences(made, block), ...made.refused.map(({ reason }) => reason)]
    if (names.length > 0) different.push(`${blockIdText(block.id)}: ${names.join(', ')}`)
  }
  console.log(`${blocks.length - different.length} shard blocks equal, ${different.length} different`)
  expect(different).toEqual([])
}, 180_000)
