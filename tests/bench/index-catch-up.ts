import { type BundleWire, decodeBundle } from '../../src/indexer/bundle-wire.ts'
import { actionNoter } from '../../src/indexer/note-actions.ts'
import { joinTraces } from '../../src/indexer/trace.ts'
import type { Batch } from '../../src/model/batch.ts'
import { packTransactions } from '../../src/store/pack-transactions.ts'
import { openIndexReader } from '../../src/store/queries/open-index-reader.ts'
import { writeBatch } from '../../src/store/write.ts'
import type { BlockIdExt } from '../../src/ton/block-id.ts'
import { temporaryIndex } from '../support/temporary-index.ts'
import type { ToCatchUpReader } from './catch-up-reader.ts'
import { sampleBatches, serializedBlocks } from './index-batches.ts'
import { withEntities } from './index-entities.ts'
import { laterBatch } from './index-store.ts'
import { figure, type Row } from './table.ts'

const TRANSACTIONS = Number(process.env['TONLITH_BENCH_TRANSACTIONS'] ?? 50_000)
/** Batches that are made before the clock runs. */
const ROUND = 16
/** Bundles that are on their way at the same time. */
const AHEAD = 4

/**
 * Catching up with blocks of mainnet on two threads, from their bytes to rows on disk: a Worker opens, parses and packs
 * them, this thread takes them over and writes. What is written is the same block with other lts and hashes, which is made
 * beforehand: the same work, and no block twice.
 */
export const benchIndexCatchUp = async (): Promise<Row[]> => {
  const serialized = serializedBlocks()
  if (!serialized) return [{ what: 'index: catching up', ours: 'TONLITH_CHAIN_DATA names no blocks of mainnet' }]
  const { batches } = sampleBatches()
  const { index, remove } = await temporaryIndex()
  const note = actionNoter(openIndexReader(index))
  const reader = new Worker(new URL('./catch-up-reader.ts', import.meta.url))
  const arrived: BundleWire[] = []
  let wake = (): void => {}
  reader.onmessage = ({ data }: MessageEvent<BundleWire>) => {
    arrived.push(data)
    wake()
  }
  const tell = (message: ToCatchUpReader): void => reader.postMessage(message)
  const take = async (): Promise<BundleWire> => {
    while (arrived.length === 0)
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    return arrived.shift()!
  }
  tell(serialized)
  const rates: number[] = []
  const cpus: number[] = []
  let previous: BlockIdExt | undefined
  try {
    for (let seqno = 1, written = 0; written < TRANSACTIONS; ) {
      const made: Batch[] = []
      for (let i = 0; i < ROUND; i++, seqno++) {
        const batch = withEntities(laterBatch(batches[(seqno - 1) % batches.length]!, seqno, previous))
        made.push({ ...batch, packed: packTransactions(batch) })
        previous = batch.mc
      }
      const first = seqno - ROUND - 1
      Bun.gc(true)
      const cpu = process.cpuUsage()
      const start = performance.now()
      for (let i = 0; i < AHEAD; i++) tell({ bring: first + i })
      let transactions = 0
      for (const [i, batch] of made.entries()) {
        const bundle = decodeBundle(await take())
        if (i + AHEAD < ROUND) tell({ bring: first + i + AHEAD })
        transactions += bundle.batch!.transactions.filter(({ account }) => account.workchain === 0).length
        writeBatch(index, batch, joinTraces, 'range', note)
      }
      const ms = performance.now() - start
      const { user, system } = process.cpuUsage(cpu)
      rates.push((transactions / ms) * 1000)
      cpus.push((user + system) / transactions)
      written += transactions
    }
  } finally {
    reader.terminate()
    await remove()
  }
  const ascending = rates.toSorted((a, b) => a - b)
  const middle = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!
  return [
    {
      what: `index: catching up with mainnet shard blocks, from bytes to rows, two threads (${rates.length} rounds)`,
      ours: `${figure(middle(rates), 'transactions/s')}, best ${figure(ascending.at(-1)!, 'transactions/s')}, CPU ${figure(middle(cpus), 'µs/transaction')}`,
    },
  ]
}
