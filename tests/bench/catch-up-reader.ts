import { readFileSync } from 'node:fs'
import { BLOCK_READER_STEPS, INDEX_WORKER_STEPS } from '../../src/cli/index-messages.ts'
import { yieldToOtherThreads } from '../../src/common/thread-priority.ts'
import { encodeBundle } from '../../src/indexer/bundle-wire.ts'
import { type OpenedBlock, openBlock } from '../../src/indexer/opened-block.ts'
import type { SerializedBlock } from './index-batches.ts'

/** The entry of a Worker that opens, parses and packs blocks as cli/block-reader-worker.ts does, but for the network. */

declare const self: Worker

/** `read`: blocks to hold ready; `bring`: the place among them of the one that is wanted. */
export type ToCatchUpReader = { masterchain: SerializedBlock; shards: SerializedBlock[] } | { bring: number }

/** What cli/block-reader-worker.ts stands behind the thread that writes. */
yieldToOtherThreads(BLOCK_READER_STEPS - INDEX_WORKER_STEPS)

let blocks: { masterchain: () => OpenedBlock; shards: (() => OpenedBlock)[] } | undefined

const opener = ({ id, file }: SerializedBlock): (() => OpenedBlock) => {
  const bytes = readFileSync(file)
  const own = { ...id, root_hash: Buffer.from(id.root_hash), file_hash: Buffer.from(id.file_hash) }
  return () => openBlock(own, Buffer.from(bytes))
}

self.onmessage = ({ data }: MessageEvent<ToCatchUpReader>) => {
  if ('masterchain' in data) {
    blocks = { masterchain: opener(data.masterchain), shards: data.shards.map(opener) }
    return
  }
  const masterchain = { ...blocks!.masterchain(), bytes: 0 }
  const shard = { ...blocks!.shards[data.bring % blocks!.shards.length]!(), bytes: 0 }
  const { wire, transfer } = encodeBundle({ seqno: data.bring, masterchain, shards: [shard], bytes: 0 }, true)
  self.postMessage(wire, transfer)
}
