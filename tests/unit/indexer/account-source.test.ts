import { describe, expect, test } from 'bun:test'
import { TonlithError } from '../../../src/common/errors.ts'
import {
  type AccountSourceOptions,
  createAccountSource,
  createEntrySource,
} from '../../../src/indexer/account-source.ts'
import type { Query } from '../../../src/liteserver/query.ts'
import type { ServerStatus } from '../../../src/liteserver/status.ts'
import { cellToBoc } from '../../../src/ton/boc-writer.ts'
import { beginCell } from '../../../src/ton/builder.ts'
import type { ProvenAccount } from '../../../src/ton/proof/account.ts'
import { fakeBlock } from '../../support/fake-chain.ts'
import { createVirtualClock } from '../../support/virtual-clock.ts'

const ADDRESS = { workchain: 0, hash: Buffer.alloc(32, 7) }
const STATE = beginCell().uint(5, 8).endCell()
const PROVEN: ProvenAccount = { shard_block: null, gen_utime: 0, end_lt: 0n, shard_account: null, account: null }

const REFUSALS = {
  gone: ["state already gc'd", 651],
  absent: ['workchain not found', 0],
  limited: ['Ratelimit exceed', 228],
  slow: ['timeout', 652],
  behind: ['block is not applied', 651],
} as const
type Word = 'state' | 'other' | 'silent' | keyof typeof REFUSALS

/** Servers that each say one word; asked one after the other until one is right. */
const createServers = (words: () => readonly Word[]) => {
  const clock = createVirtualClock()
  let asked = 0
  const queryOf =
    (word: Word): Query =>
    async () => {
      asked++
      if (word === 'silent') throw new TonlithError('timeout', 'no answer')
      if (word in REFUSALS) {
        const [message, code] = REFUSALS[word as keyof typeof REFUSALS]
        throw new TonlithError('liteserver', message, { code })
      }
      const cell = word === 'state' ? STATE : beginCell().uint(6, 8).endCell()
      return { state: cellToBoc(cell) } as never
    }
  const pool: AccountSourceOptions['pool'] = () => ({
    run: async (step) => {
      let last: unknown
      for (const [i, word] of words().entries()) {
        try {
          return await step(queryOf(word), { name: `server ${i}`, archival: false })
        } catch (error) {
          last = error
        }
      }
      throw last
    },
    status: () => words().map((_, i) => ({ name: `server ${i}`, state: 'online' }) as ServerStatus),
  })
  return { options: { pool, clock, signal: new AbortController().signal }, clock, asked: () => asked }
}

const setup = (words: () => readonly Word[]) => {
  const { options, ...rest } = createServers(words)
  return { ...rest, found: createAccountSource(options)(ADDRESS, fakeBlock(9), STATE.hash()) }
}

const setupEntry = (words: () => readonly Word[]) => {
  const { options, ...rest } = createServers(words)
  const trust = { checkAccountState: () => PROVEN }
  return { ...rest, found: createEntrySource({ ...options, trust })(ADDRESS, fakeBlock(9)) }
}

describe('accounts that the index never saw', () => {
  test('come from whichever server has the right state', async () => {
    const { found } = setup(() => ['gone', 'other', 'silent', 'state'])
    expect((await found)?.hash()).toEqual(STATE.hash())
  })

  test('are gone when every server says so again and again', async () => {
    const { clock, found, asked } = setup(() => ['gone', 'gone'])
    await clock.advance(60_000)
    expect(await found).toBeNull()
    expect(asked()).toBe(6)
  })

  test('are asked for again while one server cannot tell, or says something else', async () => {
    for (const word of ['silent', 'other'] as const) {
      let words: Word[] = ['gone', word]
      const { clock, found } = setup(() => words)
      await clock.advance(600_000)
      words = ['gone', 'state']
      await clock.advance(10_000)
      expect((await found)?.hash()).toEqual(STATE.hash())
    }
  })

  test('a server that is wrong for a moment does not make them gone', async () => {
    let round = 0
    const { clock, found } = setup(() => [++round === 1 || round === 2 ? 'gone' : 'state'])
    await clock.advance(10_000)
    expect((await found)?.hash()).toEqual(STATE.hash())
  })
})

describe('accounts of which no block tells the hash', () => {
  test('come from whichever server tells of them', async () => {
    expect(await setupEntry(() => ['absent', 'silent', 'state']).found).toBe(PROVEN)
  })

  test('are gone as soon as every server refuses, whatever its words', async () => {
    const { found, asked } = setupEntry(() => ['gone', 'absent'])
    expect(await found).toBeNull()
    expect(asked()).toBe(2)
  })

  test('are asked for again while a server is only busy, behind or silent', async () => {
    for (const word of ['limited', 'slow', 'behind', 'silent'] as const) {
      let words: Word[] = ['absent', word]
      const { clock, found } = setupEntry(() => words)
      await clock.advance(600_000)
      words = ['absent', 'state']
      await clock.advance(10_000)
      expect(await found).toBe(PROVEN)
    }
  })
})
