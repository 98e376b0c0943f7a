import type { RecordedChain } from '../../src/devnet/recorded-chain.ts'
import type { Detector } from '../../src/indexer/detect.ts'
import type { Bundle } from '../../src/indexer/fetch.ts'
import { newBlocks, shardTops } from '../../src/indexer/new-blocks.ts'
import { actionNoter } from '../../src/indexer/note-actions.ts'
import { openBlock } from '../../src/indexer/opened-block.ts'
import { storeBundle } from '../../src/indexer/store-bundle.ts'
import { joinTraces } from '../../src/indexer/trace.ts'
import type { IndexStore } from '../../src/store/index-store.ts'
import { openIndexReader } from '../../src/store/queries/open-index-reader.ts'
import type { BlockIdExt } from '../../src/ton/block-id.ts'
import { recordedDetectionSource, recordedDetector } from './recorded-detection.ts'

/** The bundle of one recorded masterchain block. */
export const recordedBundle = (chain: RecordedChain, seqno: number): Bundle => {
  const open = (id: BlockIdExt) => ({ ...openBlock(id, chain.block(id)!.data), bytes: 0 })
  const before = seqno > 1 ? shardTops(open(chain.masterchain(seqno - 1)!.id)) : []
  const masterchain = open(chain.masterchain(seqno)!.id)
  const { blocks } = newBlocks(before, shardTops(masterchain), open)
  return { seqno, masterchain, shards: blocks.map(({ id }) => open(id)), bytes: 0 }
}

/** Fills an index with recorded masterchain blocks as the pipeline does, what accounts are included. */
export const indexRecorded = async (
  index: IndexStore,
  chain: RecordedChain,
  seqnos: Iterable<number>,
  given?: Detector,
): Promise<Detector> => {
  const source = recordedDetectionSource(chain)
  const { config, fetchAccount } = source
  const note = actionNoter(openIndexReader(index))
  const detector = given ?? recordedDetector(chain, source)
  for (const seqno of seqnos) {
    const bundle = recordedBundle(chain, seqno)
    const detection = { detector, config }
    const options = { store: index, join: joinTraces, note, fetchAccount, purpose: 'range', detection } as const
    await storeBundle({ ...options, select: (batch) => batch }, bundle)
  }
  return detector
}

/** The seqnos of all recorded masterchain blocks from one on. */
export const seqnosFrom = (chain: RecordedChain, first: number): number[] =>
  Array.from({ length: chain.last - first + 1 }, (_, i) => first + i)
