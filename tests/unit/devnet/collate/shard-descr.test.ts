import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { ShardTop } from '../../../../src/devnet/collate/collation.ts'
import { nextShardBlocks } from '../../../../src/devnet/collate/shard-descr-next.ts'
import { planShards } from '../../../../src/devnet/collate/shard-descr-plan.ts'
import { registerTops } from '../../../../src/devnet/collate/shard-descr-register.ts'
import { SHARD_ALL } from '../../../../src/ton/block-id.ts'
import { beginCell } from '../../../../src/ton/builder.ts'
import { parseBlockExtra } from '../../../../src/ton/tlb/block-extra.ts'
import { addCurrencies, NO_CURRENCY } from '../../../../src/ton/tlb/currency.ts'
import { parseMcBlockExtra } from '../../../../src/ton/tlb/mc-block-extra.ts'
import {
  buildShardDescrFees,
  buildShardHashes,
  type ShardDescr,
  type ShardEntry,
  shardEntries,
} from '../../../../src/ton/tlb/shard-hashes.ts'
import { shardIdentOf, shardPrefixLength } from '../../../../src/ton/tlb/shard-ident.ts'
import { parseValueFlow } from '../../../../src/ton/tlb/value-flow.ts'
import type { WorkchainDescr } from '../../../../src/ton/tlb/workchain-descr.ts'
import { type SplitBundle, splitStretches } from '../../../support/split-blocks.ts'

/** Of the network of the split-blocks. */
const BASECHAIN: WorkchainDescr = {
  _: 'workchain_v2',
  enabled_since: 0,
  monitor_min_split: 0,
  min_split: 0,
  max_split: 2,
  basic: true,
  active: true,
  accept_msgs: true,
  flags: 0,
  zerostate_root_hash: Buffer.alloc(32),
  zerostate_file_hash: Buffer.alloc(32),
  version: 0,
  format: { _: 'wfmt_basic', vm_version: -1, vm_mode: 0n },
  split_merge_timings: {
    split_merge_delay: 20,
    split_merge_interval: 20,
    min_split_merge_interval: 10,
    max_split_merge_delay: 1000,
  },
  persistent_state_split_depth: 0,
}
const WORKCHAINS = new Map([[0, BASECHAIN]])

const hashesOf = ({ masterchain }: SplitBundle) =>
  parseMcBlockExtra(parseBlockExtra(masterchain.block.extra).custom!).shard_hashes

const topsOf = ({ shards }: SplitBundle): ShardTop[] =>
  [...Map.groupBy(shards, ({ id }) => id.shard).values()].map((blocks) => {
    const { id, info } = blocks.at(-1)!
    const flows = blocks.map(({ block }) => parseValueFlow(block.value_flow))
    return {
      id,
      info,
      fees_collected: flows.map(({ fees_collected }) => fees_collected).reduce(addCurrencies, NO_CURRENCY),
      funds_created: flows.map(({ created }) => created).reduce(addCurrencies, NO_CURRENCY),
      minted: NO_CURRENCY,
      creators: [],
    }
  })

describe('the shards that a masterchain block names', () => {
  test('are those of the validators around splits and merges, where several blocks come at once too', () => {
    let compared = 0
    for (const stretch of splitStretches())
      for (const [at, bundle] of stretch.entries()) {
        if (at === 0) continue
        const { info, id } = bundle.masterchain
        const before = [...shardEntries(hashesOf(stretch[at - 1]!))]
        const bounds = { seqno: id.seqno, utime: info.gen_utime - 1, lt: info.start_lt + 1n }
        const entries = registerTops(before, topsOf(bundle), bounds)
        const planned = planShards(entries, { now: info.gen_utime, workchains: WORKCHAINS, rotate: false })
        expect(buildShardHashes(planned)?.hash()).toEqual(hashesOf(bundle)!.hash())
        compared++
      }
    expect(compared).toBeGreaterThan(15)
  })
})

const ZEROSTATE: ShardDescr = {
  _: 'shard_descr_new',
  seq_no: 0,
  reg_mc_seqno: 1,
  start_lt: 0n,
  end_lt: 0n,
  root_hash: Buffer.alloc(32),
  file_hash: Buffer.alloc(32),
  before_split: false,
  before_merge: false,
  want_split: false,
  want_merge: false,
  nx_cc_updated: false,
  flags: 0,
  next_catchain_seqno: 0,
  next_validator_shard: SHARD_ALL,
  min_ref_mc_seqno: 0,
  gen_utime: 0,
  split_merge_at: { _: 'fsm_none' },
  fees: buildShardDescrFees({ fees_collected: NO_CURRENCY, funds_created: NO_CURRENCY }),
}

type Wish = 'split' | 'merge' | 'nothing'

/** The blocks that nextShardBlocks asks for, as the masterchain is told of them. */
const nextTops = (entries: readonly ShardEntry[], now: number, wish: Wish, lt: bigint): ShardTop[] =>
  nextShardBlocks(buildShardHashes(entries), now).map(({ workchain, shard, prev, before_split, catchain_seqno }) => {
    const seqno = Math.max(...prev.map((id) => id.seqno)) + 1
    return {
      id: { workchain, shard, seqno, root_hash: Buffer.alloc(32, seqno), file_hash: Buffer.alloc(32) },
      info: {
        version: 0,
        not_master: true,
        after_merge: prev.length === 2,
        before_split,
        after_split: false,
        want_split: wish === 'split',
        want_merge: wish === 'merge',
        key_block: false,
        vert_seqno_incr: false,
        flags: 0,
        seq_no: seqno,
        vert_seq_no: 0,
        shard: shardIdentOf(workchain, shard),
        gen_utime: now,
        start_lt: lt,
        end_lt: lt + 1n,
        gen_validator_list_hash_short: 0,
        gen_catchain_seqno: catchain_seqno,
        min_ref_mc_seqno: 1,
        prev_key_block_seqno: 0,
        gen_software: null,
        master_ref: null,
        prev_ref: beginCell().endCell(),
        prev_vert_ref: null,
      },
      fees_collected: NO_CURRENCY,
      funds_created: NO_CURRENCY,
      minted: NO_CURRENCY,
      creators: [],
    }
  })

const covers = (entries: readonly ShardEntry[]): boolean =>
  entries.reduce((sum, { shard }) => sum + 2 ** -shardPrefixLength(shard), 0) === 1

/** One masterchain block after the other takes in what nextShardBlocks asks for. */
const run = (rules: Partial<WorkchainDescr>, steps: readonly { seconds: number; wish: Wish; rotate: boolean }[]) => {
  const workchains = new Map([[0, { ...BASECHAIN, ...rules }]])
  let entries: ShardEntry[] = [{ workchain: 0, shard: SHARD_ALL, descr: ZEROSTATE }]
  let now = 1000
  const depths: number[] = []
  steps.forEach(({ seconds, wish, rotate }, step) => {
    now += seconds
    const tops = nextTops(entries, now, wish, BigInt(step))
    const taken = registerTops(entries, tops, { seqno: step + 2, utime: now, lt: BigInt(step) + 2n })
    entries = planShards(taken, { now, workchains, rotate })
    expect(covers(entries)).toBe(true)
    depths.push(Math.max(...entries.map(({ shard }) => shardPrefixLength(shard))))
  })
  return { entries, depths }
}

const steps = (count: number, wish: Wish) => Array.from({ length: count }, () => ({ seconds: 1, wish, rotate: false }))

describe('shards', () => {
  test('go on with the blocks that are asked for, whatever they want and however long it takes', () => {
    const step = fc.record({
      seconds: fc.integer({ min: 0, max: 25 }),
      wish: fc.constantFrom<Wish>('split', 'merge', 'nothing'),
      rotate: fc.boolean(),
    })
    const split = fc.record({ min_split: fc.integer({ min: 0, max: 1 }), max_split: fc.integer({ min: 1, max: 3 }) })
    fc.assert(
      fc.property(split, fc.array(step, { maxLength: 60 }), (rules, list) => {
        for (const depth of run(rules, list).depths) expect(depth).toBeLessThanOrEqual(rules.max_split)
      }),
    )
  })

  test('split until they are as many as the configuration asks for, and do not merge below that', () => {
    const { entries } = run({ min_split: 2, max_split: 3 }, steps(100, 'nothing'))
    expect(entries.length).toBe(4)
    expect(run({ min_split: 2, max_split: 3 }, [...steps(100, 'nothing'), ...steps(100, 'merge')]).entries.length).toBe(
      4,
    )
  })

  test('split and merge when they want to', () => {
    expect(run({}, steps(100, 'split')).entries.length).toBe(4)
    expect(run({}, [...steps(100, 'split'), ...steps(100, 'merge')]).entries.length).toBe(1)
  })

  test('are announced before they split, and give it up when nobody does', () => {
    const wanting = { ...ZEROSTATE, want_split: true }
    const plan = (descr: ShardDescr, now: number) =>
      planShards([{ workchain: 0, shard: SHARD_ALL, descr }], { now, workchains: WORKCHAINS, rotate: false })[0]!.descr
    const announced = plan(wanting, 1000)
    expect(announced.split_merge_at).toEqual({ _: 'fsm_split', split_utime: 1020, interval: 20 })
    const wish = { ...announced, want_split: false }
    expect(plan(wish, 1039).split_merge_at._).toBe('fsm_split')
    expect(plan(wish, 1040).split_merge_at._).toBe('fsm_none')
    const next = (now: number) =>
      nextShardBlocks(buildShardHashes([{ workchain: 0, shard: SHARD_ALL, descr: announced }]), now)[0]!
    expect([1019, 1020, 1039, 1040].map((now) => next(now).before_split)).toEqual([false, true, true, false])
  })

  test('are taken in by the rules only', () => {
    const entries = [{ workchain: 0, shard: SHARD_ALL, descr: ZEROSTATE }]
    const [top] = nextTops(entries, 1000, 'nothing', 5n)
    const bounds = { seqno: 2, utime: 1000, lt: 7n }
    const taking =
      (change: Partial<ShardTop>, at = bounds) =>
      () =>
        registerTops(entries, [{ ...top!, ...change }], at)
    expect(taking({})).not.toThrow()
    expect(taking({}, { ...bounds, utime: 999 })).toThrow('not older')
    expect(taking({}, { ...bounds, lt: 6n })).toThrow('too far ahead')
    expect(taking({ info: { ...top!.info, gen_catchain_seqno: 1 } })).toThrow('catchain seqno')
    expect(taking({ info: { ...top!.info, before_split: true } })).toThrow('not to split')
    expect(taking({ id: { ...top!.id, workchain: 1 } })).toThrow('does not exist')
    expect(taking({ id: { ...top!.id, shard: 1n << 62n } })).toThrow('other half is missing')
    expect(() => registerTops(entries, [top!, top!], bounds)).toThrow('two newest blocks')
  })
})
