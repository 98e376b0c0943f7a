import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { queuesInOrder } from '../../../../src/devnet/collate/queue-order.ts'
import { shardHolds } from '../../../../src/devnet/collate/routing.ts'
import { SHARD_ALL } from '../../../../src/ton/block-id.ts'
import { beginCell } from '../../../../src/ton/builder.ts'
import { buildAugDict } from '../../../../src/ton/dictionary-writer.ts'
import { minLtAug, outMsgQueueKey, storeEnqueuedMsg } from '../../../../src/ton/tlb/out-msg-queue.ts'
import { shardChild } from '../../../../src/ton/tlb/shard-ident.ts'

const message = fc.record({
  workchain: fc.constantFrom(-1, 0),
  prefix: fc.bigInt(0n, (1n << 64n) - 1n),
  hash: fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes)),
  lt: fc.bigInt(1n, 6n),
})
const queues = fc.array(
  fc.uniqueArray(message, { maxLength: 30, selector: (m) => outMsgQueueKey(m).toString('hex') }),
  {
    maxLength: 3,
  },
)
const shards = [SHARD_ALL, shardChild(SHARD_ALL, true), shardChild(shardChild(SHARD_ALL, false), true)]

test('messages of several queues come by lt, then by hash, and only those to the shard', () => {
  fc.assert(
    fc.property(queues, fc.constantFrom(...shards), (lists, shard) => {
      const to = { workchain: 0, shard }
      const dicts = lists.map((list) =>
        buildAugDict(
          list.map((m) => ({
            key: outMsgQueueKey(m),
            extra: m.lt,
            store: (builder) => storeEnqueuedMsg(builder, { enqueued_lt: m.lt + 7n, out_msg: beginCell().endCell() }),
          })),
          352,
          minLtAug,
        ),
      )
      const expected = lists
        .flat()
        .filter((m) => shardHolds(to, m))
        .map(({ lt, hash }) => `${lt} ${hash.toString('hex')}`)
        .sort()
      const given = [...queuesInOrder(dicts, to)]
      expect(given.map(([{ key, lt }]) => `${lt} ${key.subarray(12).toString('hex')}`)).toEqual(expected)
      for (const [{ key, lt, message: entry }, queue] of given) {
        expect(entry.enqueued_lt).toBe(lt + 7n)
        expect(lists[queue]!.some((m) => outMsgQueueKey(m).equals(key))).toBe(true)
      }
    }),
  )
})
