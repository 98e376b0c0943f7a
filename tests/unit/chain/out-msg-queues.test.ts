import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readOutMsgQueueSizes } from '../../../src/chain/out-msg-queues.ts'
import { getOutMsgQueueSizes } from '../../../src/liteserver/client.ts'
import { type ArchiveReader, startArchiveReader } from '../../support/archive-gateway.ts'
import { recordedChain } from '../../support/recorded-chain.ts'

const signal = new AbortController().signal

describe('outbound message queues', () => {
  let reader: ArchiveReader
  beforeAll(async () => {
    reader = await startArchiveReader({ head: 1 })
  })
  afterAll(() => reader.stop())

  test('of zero states are empty, and nobody is asked about them', async () => {
    const { shards } = await readOutMsgQueueSizes(reader.chain, signal)
    expect(shards.map(({ id, size }) => [id.workchain, id.seqno, size])).toEqual([
      [-1, 1, 0],
      [0, 0, 0],
    ])
    expect(reader.asked()['getBlockOutMsgQueueSize']).toBe(1)
  })

  test('have the sizes that the liteserver names without a proof, and some are not empty', async () => {
    let longest = 0
    for (let seqno = 13; seqno <= recordedChain().last; seqno += 13) {
      reader.setHead(seqno)
      await reader.chain.pool.waitForHead(seqno)
      const { shards, ext_msg_queue_size_limit } = await readOutMsgQueueSizes(reader.chain, signal)
      const named = await reader.chain.pool.run((query) => getOutMsgQueueSizes(query, undefined))
      expect(shards).toEqual(named.shards.map(({ id, size }) => ({ id, size })))
      expect(ext_msg_queue_size_limit).toBe(8000)
      longest = Math.max(longest, ...shards.map(({ size }) => size))
    }
    expect(longest).toBeGreaterThan(0)
  })
})
