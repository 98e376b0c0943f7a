import { expect, test } from 'bun:test'
import { hash } from 'node:crypto'
import fc from 'fast-check'
import { completeBatch } from '../../src/indexer/accounts.ts'
import { openBlock } from '../../src/indexer/opened-block.ts'
import { parseBatch } from '../../src/indexer/parse.ts'
import { knownCells } from '../../src/store/account-cells.ts'
import { parseBocRoot } from '../../src/ton/boc.ts'
import { cellToBoc } from '../../src/ton/boc-writer.ts'
import type { Cell } from '../../src/ton/cell.ts'
import { cellTable } from '../support/cell-table.ts'
import { failureOf } from '../support/failure.ts'
import { madeBatch } from '../support/made-batch.ts'
import { type Mutation, mutated } from '../support/mutated-cell.ts'
import { recordedChain } from '../support/recorded-chain.ts'
import { traceMemory } from '../support/trace-memory.ts'

const chain = recordedChain()
const masterchain = openBlock(chain.masterchain(40)!.id, chain.masterchain(40)!.data)
const samples = [...chain.shards(0).values()].flat().filter((_, i) => i % 25 === 0)

/** Into the transactions more often than anywhere else: the fourth reference of a block, and its third. */
const path = fc.oneof(
  fc.array(fc.nat(3), { maxLength: 14 }),
  fc.array(fc.nat(3), { maxLength: 20 }).map((rest) => [3, 2, ...rest]),
)

const mutation: fc.Arbitrary<Mutation> = fc.record({
  path,
  kind: fc.constantFrom('flip', 'flip', 'cut', 'grow', 'drop', 'swap', 'double', 'prune'),
  at: fc.nat(2047),
})

/** All that the index does with a block, up to the write. */
const read = (root: Cell, id: (typeof samples)[number]['id']): void => {
  const bytes = cellToBoc(root)
  const named = { ...id, root_hash: parseBocRoot(bytes).hash(), file_hash: hash('sha256', bytes, 'buffer') }
  const batch = parseBatch(masterchain, [openBlock(named, bytes)])
  completeBatch(batch, knownCells(cellTable().table))
  const memory = traceMemory()
  memory.add(madeBatch(1, batch.transactions))
}

test('a block that was changed anywhere is read or refused, and never breaks anything', () => {
  const met = new Map<string, number>()
  fc.assert(
    fc.property(fc.constantFrom(...samples), fc.array(mutation, { minLength: 1, maxLength: 3 }), (block, changes) => {
      const kind = failureOf(() => read(changes.reduce(mutated, block.root), block.id))
      expect(['none', 'malformed', 'proof', 'limit']).toContain(kind)
      met.set(kind, (met.get(kind) ?? 0) + 1)
    }),
    { numRuns: 400 },
  )
  expect(met.get('none')).toBeGreaterThan(0)
  expect(met.get('malformed')).toBeGreaterThan(0)
}, 60_000)
