import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { MAX_NEW_BLOCKS, newBlocks, shardTops } from '../../../src/indexer/new-blocks.ts'
import { type OpenedBlock, openBlock } from '../../../src/indexer/opened-block.ts'
import { type BlockIdExt, blockIdText, SHARD_ALL } from '../../../src/ton/block-id.ts'
import { beginCell } from '../../../src/ton/builder.ts'
import { key32 } from '../../../src/ton/dictionary.ts'
import { buildDict } from '../../../src/ton/dictionary-writer.ts'
import { beginParse } from '../../../src/ton/slice.ts'
import { parseBlockExtra } from '../../../src/ton/tlb/block-extra.ts'
import { parseMcBlockExtra } from '../../../src/ton/tlb/mc-block-extra.ts'
import { shardChild, shardParent } from '../../../src/ton/tlb/shard-ident.ts'
import { failureOf } from '../../support/failure.ts'
import { madeHash } from '../../support/made-batch.ts'
import { recordedChain } from '../../support/recorded-chain.ts'

/** A real opened block, of which the walk reads only the id and the links. */
const sample = (): OpenedBlock => {
  const block = recordedChain().masterchain(5)!
  return openBlock(block.id, block.data)
}

const idOf = (shard: bigint, seqno: number, fork = ''): BlockIdExt => ({
  workchain: 0,
  shard,
  seqno,
  root_hash: madeHash(`root ${shard} ${seqno} ${fork}`),
  file_hash: madeHash(`file ${shard} ${seqno} ${fork}`),
})

/** Blocks of a made workchain by the text of their ids. */
class Made {
  readonly blocks = new Map<string, OpenedBlock>()
  private readonly template = sample()

  add(id: BlockIdExt, prev: BlockIdExt[]): BlockIdExt {
    this.blocks.set(blockIdText(id), { ...this.template, id, prev })
    return id
  }

  next(top: BlockIdExt): BlockIdExt {
    return this.add(idOf(top.shard, top.seqno + 1), [top])
  }

  readonly find = (id: BlockIdExt): OpenedBlock | undefined => this.blocks.get(blockIdText(id))
}

/** Fetches what is missing, round by round, as the index does. */
const walk = (before: BlockIdExt[], tops: BlockIdExt[], made: Made): BlockIdExt[] => {
  const known = new Map<string, OpenedBlock>()
  for (;;) {
    const { blocks, missing } = newBlocks(before, tops, (id) => known.get(blockIdText(id)))
    if (missing.length === 0) return blocks.map(({ id }) => id)
    for (const id of missing) {
      expect(known.has(blockIdText(id))).toBe(false)
      known.set(blockIdText(id), made.find(id)!)
    }
  }
}

const texts = (ids: readonly BlockIdExt[]): string[] => ids.map(blockIdText)

interface Move {
  shard: number
  kind: 'block' | 'split' | 'merge'
}

const moves = fc.array(fc.record({ shard: fc.nat(), kind: fc.constantFrom('block', 'block', 'split', 'merge') }), {
  maxLength: 12,
}) as fc.Arbitrary<Move[]>

/** Makes one move of the shards; gives the blocks that it made. */
const advance = (tops: BlockIdExt[], { shard: at, kind }: Move, made: Made): BlockIdExt[] => {
  const top = tops[at % tops.length]!
  const sibling = tops.find(
    ({ shard }) => shard !== top.shard && top.shard !== SHARD_ALL && shardParent(shard) === shardParent(top.shard),
  )
  const replace = (old: BlockIdExt[], ids: BlockIdExt[]): BlockIdExt[] => {
    tops.splice(0, tops.length, ...tops.filter((id) => !old.includes(id)), ...ids)
    return ids
  }
  if (kind === 'split' && tops.length < 6) {
    const halves = [false, true].map((right) => made.add(idOf(shardChild(top.shard, right), top.seqno + 1), [top]))
    return replace([top], halves)
  }
  if (kind === 'merge' && sibling) {
    const pair = [top, sibling].sort((a, b) => (a.shard < b.shard ? -1 : 1))
    const id = idOf(shardParent(top.shard), Math.max(top.seqno, sibling.seqno) + 1)
    return replace(pair, [made.add(id, pair)])
  }
  return replace([top], [made.next(top)])
}

test('blocks of one masterchain block over gaps, splits and merges, all of them and no other', () => {
  fc.assert(
    fc.property(fc.array(moves, { maxLength: 8 }), (masterchain) => {
      const made = new Made()
      const tops = [idOf(SHARD_ALL, 0)]
      for (const steps of masterchain) {
        const before = [...tops]
        const expected = steps.flatMap((move) => advance(tops, move, made))
        expect(texts(walk(before, tops, made)).sort()).toEqual(texts(expected).sort())
      }
    }),
    { numRuns: 100 },
  )
}, 30_000)

test('the blocks come by shard and seqno', () => {
  const made = new Made()
  const start = idOf(SHARD_ALL, 4)
  const [left, right] = [false, true].map((half) => made.add(idOf(shardChild(SHARD_ALL, half), 5), [start])) as [
    BlockIdExt,
    BlockIdExt,
  ]
  const tops = [made.next(made.next(right)), made.next(left)]
  expect(walk([start], tops, made).map(({ shard, seqno }) => [shard, seqno])).toEqual([
    [right.shard, 5],
    [right.shard, 6],
    [right.shard, 7],
    [left.shard, 5],
    [left.shard, 6],
  ])
})

test('a walk that passes the old tops has no chain under it', () => {
  const made = new Made()
  const old = idOf(SHARD_ALL, 7)
  const other = idOf(SHARD_ALL, 7, 'fork')
  const top = made.add(idOf(SHARD_ALL, 8), [other])
  expect(failureOf(() => walk([old], [top], made))).toBe('proof')
  expect(failureOf(() => walk([old], [idOf(SHARD_ALL, 6)], made))).toBe('proof')
  expect(failureOf(() => walk([old], [idOf(shardChild(SHARD_ALL, true), 7)], made))).toBe('proof')
})

test('a walk that does not end is given up', () => {
  const made = new Made()
  let top = made.add(idOf(SHARD_ALL, 1), [idOf(SHARD_ALL, 0)])
  for (let i = 0; i < MAX_NEW_BLOCKS; i++) top = made.next(top)
  expect(failureOf(() => newBlocks([], [top], made.find))).toBe('limit')
})

test('every recorded masterchain block brings the shard blocks that the recording has for it', () => {
  const chain = recordedChain()
  const open = (id: BlockIdExt): OpenedBlock => openBlock(id, chain.block(id)!.data)
  let before: BlockIdExt[] = []
  let found = 0
  for (let seqno = 1; seqno <= chain.last; seqno++) {
    const tops = shardTops(open(chain.masterchain(seqno)!.id))
    const expected = [...chain.shards(0).values()].flat().filter(({ mc_seqno }) => mc_seqno === seqno)
    const { blocks, missing } = newBlocks(before, tops, open)
    expect(missing).toEqual([])
    expect(texts(blocks.map(({ id }) => id)).sort()).toEqual(texts(expected.map(({ id }) => id)).sort())
    found += blocks.length
    before = tops
  }
  expect(found + chain.last).toBe(1010)
}, 30_000)

test('a shard block names no shards', () => {
  const [block] = recordedChain().shards(0).values().next().value!
  expect(failureOf(() => shardTops(openBlock(block!.id, block!.data)))).toBe('malformed')
})

test('a tree of shards that is small as cells and endless as a list is refused', () => {
  const empty = beginCell().endCell()
  const descr = beginParse(parseMcBlockExtra(parseBlockExtra(sample().block.extra).custom!).shard_hashes!)
  const leaf = descr.preloadRef()
  let tree = leaf
  for (let i = 0; i < 50; i++) tree = beginCell().bit(true).ref(tree).ref(tree).endCell()
  const shard_hashes = buildDict([{ key: key32(0), store: (builder) => builder.ref(tree) }], 32)
  const custom = beginCell()
    .uint(0xcca5, 16)
    .bit(false)
    .maybeRef(shard_hashes)
    .bit(false)
    .uint(0, 10)
    .ref(empty)
    .endCell()
  const hash = Buffer.alloc(32)
  const head = beginCell().uint(0x4a33f6fd, 32).ref(empty).ref(empty).ref(empty).bytes(hash).bytes(hash)
  const extra = head.maybeRef(custom).endCell()
  const block = sample()
  expect(failureOf(() => shardTops({ ...block, block: { ...block.block, extra } }))).toBe('limit')
})
