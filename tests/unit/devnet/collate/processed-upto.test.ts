import { describe, expect, test } from 'bun:test'
import {
  alreadyProcessed,
  compacted,
  LAST_HASH,
  splitProcessed,
  withProcessed,
} from '../../../../src/devnet/collate/processed-upto.ts'
import { SHARD_ALL } from '../../../../src/ton/block-id.ts'
import { shardChild } from '../../../../src/ton/tlb/shard-ident.ts'

const left = shardChild(SHARD_ALL, false)
const right = shardChild(SHARD_ALL, true)
const entry = (shard: bigint, mc_seqno: number, last_msg_lt: bigint, last_msg_hash = LAST_HASH) => ({
  shard,
  mc_seqno,
  last_msg_lt,
  last_msg_hash,
})
const hash = (first: number) => Buffer.alloc(32, first)
const owner = { workchain: 0, shard: left }
const message = (lt: bigint, changes = {}) => ({
  cur: { workchain: 0, prefix: 1n << 63n },
  next: { workchain: 0, prefix: 0n },
  lt,
  hash: hash(5),
  enqueued_lt: lt,
  ...changes,
})
const end = (lt: bigint) => () => lt

describe('processed info', () => {
  test('keeps what no other entry says', () => {
    expect(compacted([entry(left, 5, 10n), entry(left, 6, 10n)])).toEqual([entry(left, 6, 10n)])
    expect(compacted([entry(left, 5, 10n), entry(SHARD_ALL, 5, 10n)])).toEqual([entry(SHARD_ALL, 5, 10n)])
    expect(compacted([entry(left, 5, 10n), entry(left, 6, 9n)])).toHaveLength(2)
    expect(compacted([entry(left, 5, 10n), entry(left, 5, 10n)])).toHaveLength(1)
  })

  test('takes an entry that says more', () => {
    expect(withProcessed([entry(left, 5, 10n)], entry(left, 4, 9n))).toEqual([entry(left, 5, 10n)])
    expect(withProcessed([entry(left, 5, 10n)], entry(left, 6, 12n))).toEqual([entry(left, 6, 12n)])
  })

  test('is split with the shard', () => {
    const whole = [entry(SHARD_ALL, 7, 20n), entry(right, 8, 30n)]
    expect(splitProcessed(whole, left)).toEqual([entry(left, 7, 20n)])
    expect(splitProcessed(whole, right)).toEqual([entry(right, 8, 30n)])
  })

  test('tells whether a message was taken', () => {
    const list = [entry(left, 5, 10n, hash(5))]
    expect(alreadyProcessed(owner, list, message(9n), end(100n))).toBe(true)
    expect(alreadyProcessed(owner, list, message(10n), end(100n))).toBe(true)
    expect(alreadyProcessed(owner, list, message(10n, { hash: hash(6) }), end(100n))).toBe(false)
    expect(alreadyProcessed(owner, list, message(11n), end(100n))).toBe(false)
  })

  test('does not count a message that was queued behind the block that the masterchain names', () => {
    const list = [entry(left, 5, 10n)]
    expect(alreadyProcessed(owner, list, message(9n), end(9n))).toBe(false)
    expect(alreadyProcessed(owner, list, message(9n), end(10n))).toBe(true)
    const own = { cur: { workchain: 0, prefix: 1n } }
    expect(alreadyProcessed(owner, list, message(9n, own), end(0n))).toBe(true)
  })

  test('says nothing about messages to others', () => {
    const list = [entry(left, 5, 10n)]
    expect(alreadyProcessed(owner, list, message(9n, { next: { workchain: 0, prefix: 1n << 63n } }), end(100n))).toBe(
      false,
    )
    expect(alreadyProcessed(owner, list, message(9n, { next: { workchain: -1, prefix: 0n } }), end(100n))).toBe(false)
  })
})
