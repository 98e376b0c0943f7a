import type { BlockIdExt } from '../../../src/ton/block-id.ts'
import { encode } from '../../../src/ton/tl/codec.ts'
import { encodeError, type LiteAnswer } from '../../../src/ton/tl/lite-api.ts'
import type { Fate, Lie, Told } from '../lying-liteserver.ts'
import { flipped, READS, withBags, withBlocks } from './pieces.ts'

/** The same lie in the answer to every read. */
const always = (name: string, fate: Fate, tell: (honest: LiteAnswer) => Told): Lie => ({
  name,
  fate,
  tells: Object.fromEntries(READS.map((method) => [method, tell])),
})

/** As much as fits into a packet. */
const LONGEST = Buffer.alloc(15 << 20, 0x55)

const withLongBag = (honest: LiteAnswer): LiteAnswer => {
  let left = 1
  return withBags(honest, (bag) => (left-- > 0 ? LONGEST : bag))
}

const bitAt = (share: number, name: string): Lie =>
  always(`one bit flipped in each bag of cells, ${name}`, 'either', (honest) =>
    withBags(honest, (bag) => flipped(bag, Math.floor(share * (bag.length * 8 - 1)))),
  )

const renamed = (name: string, change: (id: BlockIdExt) => BlockIdExt): Lie =>
  always(`${name} for each block that is named`, 'either', (honest) => withBlocks(honest, change))

/** As long as an answer can be. */
export const LONG_LIE = always('15 MiB in the place of the first bag of cells', 'refused', withLongBag)

/** Lies that take no knowledge of what the answer is about. */
export const LIES_ABOUT_ANYTHING: readonly Lie[] = [
  always('an answer to another question', 'refused', () => ({ _: 'liteServer.currentTime', now: 1 })),
  always('bytes behind the answer', 'refused', (honest) => Buffer.concat([encode(honest), Buffer.alloc(4)])),
  always('half of the answer', 'refused', (honest) => {
    const bytes = encode(honest)
    return bytes.subarray(0, (bytes.length >> 3) << 2)
  }),
  always('no bytes at all', 'refused', () => Buffer.alloc(0)),
  always('half of each bag of cells', 'refused', (honest) =>
    withBags(honest, (bag) => bag.subarray(0, bag.length >> 1)),
  ),
  always('nothing in the place of each bag of cells', 'refused', (honest) => withBags(honest, () => Buffer.alloc(0))),
  bitAt(0.1, 'a tenth of the way in'),
  bitAt(0.37, 'at a third'),
  bitAt(0.71, 'at two thirds'),
  bitAt(1, 'the last one'),
  renamed('the seqno before', (id) => ({ ...id, seqno: id.seqno - 1 })),
  renamed('another root hash', (id) => ({ ...id, root_hash: flipped(id.root_hash, 77) })),
  renamed('another file hash', (id) => ({ ...id, file_hash: flipped(id.file_hash, 5) })),
  renamed('another shard', (id) => ({ ...id, shard: id.shard ^ (1n << 62n) })),
  renamed('another workchain', (id) => ({ ...id, workchain: ~id.workchain })),
  {
    ...always('an error', 'refused', () => encodeError(0, 'internal error')),
    // Asked once, as any error that is about the question.
    beside: 'either',
    insteadOfError: () => encodeError(0, 'internal error'),
  },
  always('"not ready" for what it has', 'refused', () => encodeError(651, 'block is not applied')),
]
