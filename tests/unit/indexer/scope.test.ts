import { describe, expect, test } from 'bun:test'
import { systemClock } from '../../../src/common/clock.ts'
import { createBlockSource } from '../../../src/indexer/block-source.ts'
import { createFetch } from '../../../src/indexer/fetch.ts'
import { parseBatch } from '../../../src/indexer/parse.ts'
import { scopeOf, selectBatch } from '../../../src/indexer/scope.ts'
import type { Batch } from '../../../src/model/batch.ts'
import { rawAddress } from '../../../src/ton/address.ts'
import { archiveAt } from '../../support/archive-client.ts'
import { recordedChain } from '../../support/recorded-chain.ts'

const batches = async (first: number, last: number): Promise<Batch[]> => {
  const query = archiveAt(recordedChain().last)
  const source = createBlockSource({
    pool: () => ({ run: (step) => step(query, { name: 'archive', archival: true }) }),
    masterchainId: async (seqno) => recordedChain().masterchain(seqno)!.id,
    clock: systemClock,
  })
  const fetch = createFetch({ source, remembered: 8, signal: new AbortController().signal })
  const found: Batch[] = []
  for (let seqno = first; seqno <= last; seqno++) {
    const { masterchain, shards } = await fetch(seqno)
    found.push(parseBatch(masterchain, shards))
  }
  return found
}

describe('an index of chosen accounts', () => {
  test('keeps their transactions, those on the other side of their messages, and their states', async () => {
    const all = await batches(100, 130)
    const busy = new Map<string, number>()
    for (const { account } of all.flatMap(({ transactions }) => transactions))
      if (account.workchain === 0) busy.set(rawAddress(account), (busy.get(rawAddress(account)) ?? 0) + 1)
    const chosen = [...busy].sort((a, b) => b[1] - a[1])[0]![0]
    const scope = scopeOf([chosen])
    let own = 0
    let beside = 0
    for (const batch of all) {
      const kept = selectBatch(batch, scope)
      expect(kept.blocks).toBe(batch.blocks)
      expect(kept.accounts.every(({ address }) => rawAddress(address) === chosen)).toBe(true)
      for (const transaction of batch.transactions) {
        const { account, in_msg, out_msgs } = transaction
        const messages = [...(in_msg ? [in_msg] : []), ...out_msgs]
        const ends = messages.flatMap(({ source, destination }) => [source, destination])
        const isOwn = rawAddress(account) === chosen
        const isBeside = ends.some((end) => end !== null && rawAddress(end) === chosen)
        expect(kept.transactions.includes(transaction)).toBe(isOwn || isBeside)
        if (isOwn) own++
        else if (isBeside) beside++
      }
    }
    expect(own).toBe(busy.get(chosen)!)
    expect(beside).toBeGreaterThan(0)
  })

  test('without a choice a batch stays what it is', async () => {
    const [batch] = await batches(50, 50)
    expect(selectBatch(batch!, scopeOf(undefined))).toBe(batch!)
  })
})
