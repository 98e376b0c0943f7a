import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { SHARD_ALL, shardContains } from '../../../../src/ton/block-id.ts'
import { beginCell } from '../../../../src/ton/builder.ts'
import type { Cell } from '../../../../src/ton/cell.ts'
import { dictLookup, key32 } from '../../../../src/ton/dictionary.ts'
import { recordProof } from '../../../../src/ton/merkle.ts'
import { beginParse } from '../../../../src/ton/slice.ts'
import {
  buildShardHashes,
  coveringShard,
  exactShard,
  loadShardDescr,
  shardBlockId,
  shardDescrFees,
  shardEntries,
  shardOfAccount,
} from '../../../../src/ton/tlb/shard-hashes.ts'
import { shardChild, shardParent } from '../../../../src/ton/tlb/shard-ident.ts'
import { encodeDict } from '../../../support/dict-encoder.ts'
import { failureOf } from '../../../support/failure.ts'

/** A binary tree: the seqno of a leaf, or both halves. */
type Tree = number | [Tree, Tree]

const ROOT_HASH = Buffer.alloc(32, 1)
const FILE_HASH = Buffer.alloc(32, 2)

const descrBody = (seqno: number, tag: number) =>
  beginCell()
    .bit(false)
    .uint(tag, 4)
    .uint(seqno, 32)
    .uint(8, 32)
    .uint(9, 64)
    .uint(10, 64)
    .bytes(ROOT_HASH)
    .bytes(FILE_HASH)
    .uint(0b10100_000, 8)
    .uint(11, 32)
    .uint(1n << 63n, 64)
    .uint(12, 32)
    .uint(13, 32)

const FEES = beginCell().coins(5n).bit(false).coins(6n).bit(false).endCell()
const leaf = (seqno: number): Cell => descrBody(seqno, 0xa).uint(0b10, 2).uint(14, 32).uint(15, 32).ref(FEES).endCell()
const treeCell = (tree: Tree): Cell =>
  typeof tree === 'number' ? leaf(tree) : beginCell().bit(true).ref(treeCell(tree[0])).ref(treeCell(tree[1])).endCell()
const shardsOf = (tree: Tree, shard = SHARD_ALL): [bigint, number][] =>
  typeof tree === 'number'
    ? [[shard, tree]]
    : [...shardsOf(tree[0], shardChild(shard, false)), ...shardsOf(tree[1], shardChild(shard, true))]
const hashesOf = (trees: readonly (readonly [number, Tree])[]): Cell =>
  encodeDict(
    trees.map(([workchain, tree]) => ({
      key: BigInt.asUintN(32, BigInt(workchain)).toString(2).padStart(32, '0'),
      value: (builder) => builder.ref(treeCell(tree)),
    })),
    32,
    { label: (fitting) => fitting[0]! },
  )

const trees = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof({ maxDepth: 6 }, fc.nat(1000), fc.tuple(tie('tree'), tie('tree'))),
})).tree

describe('ShardHashes', () => {
  test('lists all shards by workchain, left halves first', () => {
    fc.assert(
      fc.property(trees, trees, (one, two) => {
        const found = Array.from(
          shardEntries(
            hashesOf([
              [0, one],
              [7, two],
            ]),
          ),
          ({ workchain, shard, descr }) => [workchain, shard, descr.seq_no],
        )
        const expected = [
          ...shardsOf(one).map(([shard, seqno]) => [0, shard, seqno]),
          ...shardsOf(two).map(([shard, seqno]) => [7, shard, seqno]),
        ]
        expect(found).toEqual(expected)
      }),
    )
    expect([...shardEntries(null)]).toEqual([])
  })

  test('finds the shard of every account, exact shards, and the shard around another', () => {
    fc.assert(
      fc.property(trees, fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), (tree, prefix) => {
        const root = hashesOf([[0, tree]])
        const all = shardsOf(tree)
        const [owner] = all.find(([shard]) => shardContains(shard, prefix))!
        expect(shardOfAccount(root, 0, prefix)?.shard).toBe(owner)
        expect(shardOfAccount(root, 0, BigInt.asIntN(64, prefix))?.shard).toBe(owner)
        expect(shardOfAccount(root, -1, prefix)).toBeNull()
        for (const [shard, seqno] of all) {
          expect(exactShard(root, 0, shard)?.descr.seq_no).toBe(seqno)
          expect(exactShard(root, 0, shardChild(shard, true))).toBeNull()
          expect(coveringShard(root, 0, shardChild(shard, true))?.shard).toBe(shard)
          if (shard === SHARD_ALL) continue
          expect(exactShard(root, 0, shardParent(shard))).toBeNull()
          expect(coveringShard(root, 0, shardParent(shard))).toBeNull()
        }
      }),
    )
  })

  test('is read out of a proof that shows one shard only', () => {
    const tree: Tree = [
      [1, 2],
      [3, [4, 5]],
    ]
    const [[left], , , , [right]] = shardsOf(tree) as [[bigint], unknown, unknown, unknown, [bigint]]
    const recorded = recordProof(hashesOf([[0, tree]]))
    exactShard(recorded.root, 0, right)
    const shown = recorded.proof().ref(0)
    expect(exactShard(shown, 0, right)?.descr.seq_no).toBe(5)
    expect(failureOf(() => exactShard(shown, 0, left))).toBe('malformed')
    expect(Array.from(shardEntries(shown, { skipPruned: true }), ({ descr }) => descr.seq_no)).toEqual([5])
    expect(failureOf(() => [...shardEntries(shown)])).toBe('malformed')
  })

  test('a tree deeper than 60 is refused, not followed', () => {
    let node = leaf(1)
    for (let i = 0; i < 70; i++) node = beginCell().bit(true).ref(node).ref(leaf(2)).endCell()
    const root = encodeDict([{ key: '0'.repeat(32), value: (builder) => builder.ref(node) }], 32, {
      label: (fitting) => fitting[0]!,
    })
    expect(failureOf(() => [...shardEntries(root)])).toBe('malformed')
    expect(failureOf(() => shardOfAccount(root, 0, 0n))).toBe('malformed')
    expect(failureOf(() => exactShard(root, 0, 1n))).toBe('none')
  })
})

describe('ShardDescr', () => {
  test('of the new layout has its fees in a cell of their own', () => {
    const descr = loadShardDescr(beginParse(leaf(7)).skip(1))
    expect(descr).toEqual({
      _: 'shard_descr_new',
      seq_no: 7,
      reg_mc_seqno: 8,
      start_lt: 9n,
      end_lt: 10n,
      root_hash: ROOT_HASH,
      file_hash: FILE_HASH,
      before_split: true,
      before_merge: false,
      want_split: true,
      want_merge: false,
      nx_cc_updated: false,
      flags: 0,
      next_catchain_seqno: 11,
      next_validator_shard: SHARD_ALL,
      min_ref_mc_seqno: 12,
      gen_utime: 13,
      split_merge_at: { _: 'fsm_split', split_utime: 14, interval: 15 },
      fees: FEES,
    })
    expect(shardDescrFees(descr)).toEqual({
      fees_collected: { grams: 5n, other: null },
      funds_created: { grams: 6n, other: null },
    })
    expect(shardBlockId({ workchain: 0, shard: SHARD_ALL, descr })).toEqual({
      workchain: 0,
      shard: SHARD_ALL,
      seqno: 7,
      root_hash: ROOT_HASH,
      file_hash: FILE_HASH,
    })
  })

  test('of the old layout has them in line', () => {
    const cell = descrBody(7, 0xb).uint(0b11, 2).uint(14, 32).uint(15, 32).coins(5n).bit(false).coins(6n).bit(false)
    const descr = loadShardDescr(beginParse(cell.endCell()).skip(1))
    expect(descr._).toBe('shard_descr')
    expect(descr.split_merge_at).toEqual({ _: 'fsm_merge', merge_utime: 14, interval: 15 })
    expect(shardDescrFees(descr).funds_created.grams).toBe(6n)
    expect(shardDescrFees(descr).fees_collected.grams).toBe(5n)
  })

  test('of another tag is refused', () => {
    const cell = descrBody(7, 0xc).bit(false).ref(FEES).endCell()
    expect(failureOf(() => loadShardDescr(beginParse(cell).skip(1)))).toBe('malformed')
  })
})

describe('ShardHashes are written', () => {
  const treeIn = (shard_hashes: Cell | null, workchain: number): Cell =>
    dictLookup(shard_hashes, 32, key32(workchain))!.ref()

  test('to the trees that they were read from, in whatever order the entries come', () => {
    fc.assert(
      fc.property(trees, trees, fc.boolean(), (one, two, reverse) => {
        const entries = [
          ...shardEntries(
            hashesOf([
              [0, one],
              [7, two],
            ]),
          ),
        ]
        const made = buildShardHashes(reverse ? entries.toReversed() : entries)
        expect(treeIn(made, 0).hash()).toEqual(treeCell(one).hash())
        expect(treeIn(made, 7).hash()).toEqual(treeCell(two).hash())
      }),
    )
    expect(buildShardHashes([])).toBeNull()
  })

  test('only where the shards cover their workchain once', () => {
    const entries = [...shardEntries(hashesOf([[0, [1, [2, 3]]]]))]
    const [first] = entries
    expect(failureOf(() => buildShardHashes(entries.slice(1)))).toBe('internal')
    expect(failureOf(() => buildShardHashes(entries.slice(0, -1)))).toBe('internal')
    expect(failureOf(() => buildShardHashes([...entries, { ...first!, shard: SHARD_ALL }]))).toBe('internal')
  })
})
