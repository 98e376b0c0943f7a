import { describe, expect, test } from 'bun:test'
import { TonlithError } from '../../../src/common/errors.ts'
import { createAccountSource } from '../../../src/indexer/account-source.ts'
import type { Query } from '../../../src/liteserver/query.ts'
import type { ServerStatus } from '../../../src/liteserver/status.ts'
import { cellToBoc } from '../../../src/ton/boc-writer.ts'
import { beginCell } from '../../../src/ton/builder.ts'
import { fakeBlock } from '../../support/fake-chain.ts'
import { createVirtualClock } from '../../support/virtual-clock.ts'

const ADDRESS = { workchain: 0, hash: Buffer.alloc(32, 7) }
const STATE = beginCell().uint(5, 8).endCell()

type Word = 'state' | 'other' | 'gone' | 'silent'

/** A pool of servers that each say one word; asked one after the other until one is right. */
const setup = (words: () => readonly Word[]) => {
  const clock = createVirtualClock()
  const end = new AbortController()
  let asked = 0
  const queryOf =
    (word: Word): Query =>
    async () => {
      asked++
      if (word === 'gone') throw new TonlithError('liteserver', "state already gc'd", { code: 651 })
      if (word === 'silent') throw new TonlithError('timeout', 'no answer')
      const cell = word === 'state' ? STATE : beginCell().uint(6, 8).endCell()
      return { state: cellToBoc(cell) } as never
    }
  const fetchAccount = createAccountSource({
    pool: () => ({
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
    }),
    clock,
    signal: end.signal,
  })
  return { clock, end, asked: () => asked, found: fetchAccount(ADDRESS, fakeBlock(9), STATE.hash()) }
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
