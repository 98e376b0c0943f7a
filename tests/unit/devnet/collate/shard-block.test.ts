import { describe, expect, test } from 'bun:test'
import { hash } from 'node:crypto'
import { finish } from '../../../../src/common/steps.ts'
import { shardBlockSteps } from '../../../../src/devnet/collate/shard-block.ts'
import { parseBocRoot } from '../../../../src/ton/boc.ts'
import { beginCell } from '../../../../src/ton/builder.ts'
import { applyUpdate } from '../../../../src/ton/merkle.ts'
import { parseBlock } from '../../../../src/ton/tlb/block.ts'
import { createExecutor } from '../../../../src/tvm/executor.ts'
import { externalsOf, recordedCollation } from '../../../support/recollated.ts'
import { recordedChain } from '../../../support/recorded-chain.ts'

const chain = recordedChain()
const executor = await createExecutor()
const blocks = [...chain.shards(0).values()].flat()
/** The recorded block that ran most external messages. */
const busy = blocks.reduce((most, block) =>
  externalsOf(block.root).length > externalsOf(most.root).length ? block : most,
)
const input = recordedCollation(chain, busy, executor)

describe('a shard block', () => {
  test('is a bag of cells whose Merkle update leads to its state', () => {
    const made = finish(shardBlockSteps(input))
    const root = parseBocRoot(made.data)
    expect(root.hash().equals(made.id.root_hash)).toBe(true)
    expect(hash('sha256', made.data, 'buffer').equals(made.id.file_hash)).toBe(true)
    expect(applyUpdate(input.prev[0]!.state, parseBlock(root).state_update).hash().equals(made.state.hash())).toBe(true)
  })

  test('ends at the bound on its transactions, and the rest is left or queued', () => {
    const made = finish(shardBlockSteps({ ...input, max_transactions: 3 }))
    expect(made.transactions).toBe(3)
    expect(made.taken.length + made.refused.length + made.left.length).toBe(input.externals.length)
    expect(made.left.length).toBeGreaterThan(0)
  })

  test('refuses an external message that is none, and goes on', () => {
    const odd = [beginCell().endCell(), beginCell().uint(2, 2).endCell(), beginCell().uint(1, 1).bit(true).endCell()]
    const made = finish(shardBlockSteps({ ...input, externals: [...odd, ...input.externals] }))
    expect(made.refused.map(({ message }) => message)).toEqual(odd)
    expect(made.taken).toEqual([...input.externals])
  })

  test('leaves external messages to other shards', () => {
    const [left, right] = [1n << 62n, -(1n << 62n)].map((shard) => blocks.filter(({ id }) => id.shard === shard))
    const externals = right!.flatMap(({ root }) => externalsOf(root)).slice(0, 10)
    const made = finish(shardBlockSteps({ ...recordedCollation(chain, left!.at(-1)!, executor), externals }))
    expect(made.left).toEqual(externals)
    expect(made.taken).toEqual([])
  })

  test('cannot be made without the state of a neighbour, nor behind a block of another shard', () => {
    const failure = (changes: Partial<typeof input>): string => {
      try {
        finish(shardBlockSteps({ ...recordedCollation(chain, blocks.at(-1)!, executor), ...changes }))
        return 'none'
      } catch (error) {
        return String(error)
      }
    }
    expect(failure({ neighbours: [] })).toContain('is not given')
    expect(failure({ prev: [input.master] })).toContain('follows these')
  })
})
