import { describe, expect, test } from 'bun:test'
import { createPendingTraces } from '../../../src/chain/pending-traces.ts'
import { systemClock } from '../../../src/common/clock.ts'
import { beginCell } from '../../../src/ton/builder.ts'
import { externalMessage } from '../../../src/ton/external-message.ts'
import { normalizedMessageHash } from '../../../src/ton/message-hash.ts'

const WALLET = { workchain: 0, hash: Buffer.alloc(32, 7) }
const messageOf = (number: number, init = false) => {
  const cell = beginCell().uint(1, 8).endCell()
  const body = beginCell().uint(number, 32).endCell()
  return externalMessage({ dest: WALLET, body, init: init ? { code: cell, data: cell } : undefined })
}

const emptyStore = () => {
  const started: Buffer[] = []
  const store = createPendingTraces({
    clock: systemClock,
    start: async ({ hash }) => void started.push(hash),
  })
  return { store, started }
}

describe('pending traces', () => {
  test('a message is found by both hashes and by its account, and taken once', () => {
    const { store, started } = emptyStore()
    const [plain, deploying] = [messageOf(1), messageOf(1, true)]
    store.add(plain)
    store.add(plain)
    store.add(deploying)
    expect(started).toEqual([plain.hash()])
    const [found] = store.byAccount(WALLET)
    expect(found!.hash).toEqual(plain.hash())
    for (const hash of [plain.hash(), normalizedMessageHash(plain)]) expect(store.byHash(hash)).toBe(found!)
    expect(store.byAccount({ workchain: 0, hash: Buffer.alloc(32) })).toEqual([])
  })

  test('one that ended is remembered with its failure, and can be sent again', () => {
    const { store } = emptyStore()
    const message = messageOf(1)
    store.add(message)
    const failure = { phase: 'accept', code: 33, reason: 'wrong seqno' } as const
    store.end(store.byHash(message.hash())!, failure)
    expect(store.byHash(message.hash())).toBeUndefined()
    expect(store.byAccount(WALLET)).toEqual([])
    expect(store.ended(normalizedMessageHash(message))).toMatchObject({ hash: message.hash(), failure })
    store.add(message)
    expect(store.ended(message.hash())).toBeUndefined()
    expect(store.byHash(message.hash())).toBeDefined()
  })

  test('of too many the oldest go', () => {
    const { store } = emptyStore()
    for (let number = 0; number < 12_000; number++) store.add(messageOf(number))
    const left = [...store.all()].length
    expect(left).toBeLessThanOrEqual(10_000)
    expect(left).toBeGreaterThan(5_000)
    expect(store.byHash(messageOf(0).hash())).toBeUndefined()
    expect(store.byHash(messageOf(11_999).hash())).toBeDefined()
    expect(store.byAccount(WALLET).length).toBe(left)
  })
})
