import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import fc from 'fast-check'
import { actionNoter } from '../../src/indexer/note-actions.ts'
import { scopeOf, selectBatch } from '../../src/indexer/scope.ts'
import { joinTraces } from '../../src/indexer/trace.ts'
import type { Batch } from '../../src/model/batch.ts'
import { openIndexReader } from '../../src/store/queries/open-index-reader.ts'
import { readRanges } from '../../src/store/ranges.ts'
import { type BatchPurpose, writeBatch } from '../../src/store/write.ts'
import { rawAddress } from '../../src/ton/address.ts'
import { indexFaults } from '../support/index-check.ts'
import { logicalDump } from '../support/logical-dump.ts'
import { recordedBatch } from '../support/recorded-batches.ts'
import { recordedChain } from '../support/recorded-chain.ts'
import { completedBatch } from '../support/recorded-index.ts'
import { type TemporaryIndex, temporaryIndex } from '../support/temporary-index.ts'

setDefaultTimeout(300_000)

const [FIRST, LAST] = [96, 126]

const chain = recordedChain()
const batches = Array.from({ length: LAST - FIRST + 1 }, (_, i) => recordedBatch(chain, FIRST + i))
const accounts = [
  ...new Set(batches.flatMap(({ transactions }) => transactions.map(({ account }) => rawAddress(account)))),
]

/** Something that is stored: of a masterchain block, what touches some accounts. */
interface Piece {
  at: number
  purpose: BatchPurpose
  about: readonly string[]
}

const opened: TemporaryIndex[] = []
afterAll(() => Promise.all(opened.map(({ remove }) => remove())))

const filled = async (pieces: readonly Piece[]): Promise<TemporaryIndex['index']> => {
  const temporary = await temporaryIndex()
  opened.push(temporary)
  const { index } = temporary
  const note = actionNoter(openIndexReader(index))
  for (const { at, purpose, about } of pieces) {
    const batch: Batch = selectBatch(batches[at]!, scopeOf(about))
    index.environment.renew()
    writeBatch(index, completedBatch(index, chain, batch), joinTraces, purpose, note)
  }
  index.environment.renew()
  return index
}

/** What is wanted of each block in the end: for how many of the chosen accounts, and whether it counts as indexed. */
const wanted = fc.array(fc.record({ indexed: fc.boolean(), share: fc.integer({ min: 0, max: 3 }) }), {
  minLength: batches.length,
  maxLength: batches.length,
})

const chosen = fc.shuffledSubarray(accounts, { minLength: 2, maxLength: 8 })

test('parts of blocks in any order, once or again, make the same index as whole blocks from below', async () => {
  let transactions = 0
  await fc.assert(
    fc.asyncProperty(chosen, wanted, fc.infiniteStream(fc.nat(1_000_000)), async (about, blocks, random) => {
      const some = <T>(list: readonly T[]): T[] => list.filter(() => random.next().value % 2 === 0)
      const whole = blocks.map(({ indexed, share }, at): Piece => {
        const part = about.slice(0, Math.ceil((about.length * share) / 3))
        return { at, purpose: indexed ? 'range' : 'history', about: part }
      })
      const parts = whole.flatMap((piece): Piece[] => {
        const first: Piece = { ...piece, purpose: 'history', about: some(piece.about) }
        return [first, { ...piece, about: some(piece.about) }, { ...first, about: piece.about }, ...some([piece])]
      })
      const shuffled = parts
        .map((piece) => ({ piece, place: random.next().value }))
        .sort((a, b) => a.place - b.place)
        .map(({ piece }) => piece)
      const [straight, mixed] = [await filled(whole), await filled(shuffled)]
      expect(logicalDump(mixed)).toEqual(logicalDump(straight))
      expect(indexFaults(mixed)).toEqual([])
      transactions += mixed.tables.transactions.getCount()
      const indexed = readRanges(mixed.tables).flatMap(({ first, last }) => [last - first + 1])
      expect(indexed.reduce((sum, size) => sum + size, 0)).toBe(blocks.filter((block) => block.indexed).length)
    }),
    { numRuns: 12 },
  )
  expect(transactions).toBeGreaterThan(100)
})
