import { decodeBundle, encodeBundle } from '../../src/indexer/bundle-wire.ts'
import type { Bundle } from '../../src/indexer/fetch.ts'
import type { OpenedBlock } from '../../src/indexer/opened-block.ts'

/** A bundle of opened blocks; of how many bytes they are is not told. */
export const bundleOf = (masterchain: OpenedBlock, shards: readonly OpenedBlock[]): Bundle => ({
  seqno: masterchain.id.seqno,
  masterchain: { ...masterchain, bytes: 0 },
  shards: shards.map((shard) => ({ ...shard, bytes: 0 })),
  bytes: 0,
})

/** The bundle as another thread gets it; its shard blocks cannot be used any more. */
export const crossed = (bundle: Bundle): Bundle => {
  const { wire, transfer } = encodeBundle(bundle, true)
  return decodeBundle(structuredClone(wire, { transfer }))
}
