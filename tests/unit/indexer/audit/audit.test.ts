import { describe, expect, test } from 'bun:test'
import { TonlithError } from '../../../../src/common/errors.ts'
import { type AuditOptions, auditAccounts } from '../../../../src/indexer/audit/audit.ts'
import type { HeldAccount } from '../../../../src/indexer/audit/held-account.ts'
import type { LiveBlock } from '../../../../src/indexer/audit/live-block.ts'
import type { Address } from '../../../../src/ton/address.ts'
import { account } from '../../../support/fake-contracts.ts'
import { heldAs, liveAccount } from '../../../support/held-accounts.ts'

const clock = { sleep: async () => {} }
const idOf = ({ hash }: Address): number => hash[0]!
const held = (id: number): HeldAccount => heldAs(liveAccount(account(id)))

/** Accounts that are held as they are, but for what is given. */
const run = (ids: Iterable<number>, given: Partial<AuditOptions> & { ask?: LiveBlock['account'] } = {}) => {
  const lines: string[] = []
  const { ask = async (address) => liveAccount(address), ...rest } = given
  const block: LiveBlock = { account: ask, methods: { run: async () => undefined, dnsRoot: async () => undefined } }
  const counts = auditAccounts(ids, {
    read: (some) => some.map(held),
    open: async () => block,
    differs: (address, { field }) => void lines.push(`${idOf(address)} ${field}`),
    progress: () => {},
    clock,
    signal: new AbortController().signal,
    ...rest,
  })
  return { counts, lines }
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1)

describe('an audit', () => {
  test('compares every account once, some at once, a chunk at one block', async () => {
    let [now, most, opened] = [0, 0, 0]
    const asked = new Set<number>()
    const ask = async (address: Address) => {
      most = Math.max(most, ++now)
      await Bun.sleep(0)
      now--
      asked.add(idOf(address))
      return liveAccount(address)
    }
    const block: LiveBlock = { account: ask, methods: { run: async () => undefined, dnsRoot: async () => undefined } }
    const open = async () => {
      opened++
      return block
    }
    const { accounts, differences, seqnos } = await run(upTo(200), { open }).counts
    expect([accounts, differences, seqnos]).toEqual([200, 0, { first: 9, last: 9 }])
    expect(asked.size).toBe(200)
    expect(most).toBe(8)
    expect(opened).toBe(4)
  })

  test('tells each difference, and the blocks that it was at', async () => {
    const read = (ids: readonly number[]) => ids.map((id) => ({ ...held(id), seqno: 8 + id }))
    const ask = async (address: Address) => liveAccount(address, idOf(address) === 2 ? { balance: 0n } : {})
    const { counts, lines } = run(upTo(3), { read, ask })
    expect(await counts).toMatchObject({ accounts: 3, differences: 1, seqnos: { first: 9, last: 11 } })
    expect(lines).toEqual(['2 balance'])
  })

  test('counts why accounts are not compared, and goes on', async () => {
    const read = (ids: readonly number[]) =>
      ids.map(
        (id): HeldAccount => ({ ...held(id), unfollowed: id === 1 ? 'gap' : id === 2 ? 'not_chosen' : undefined }),
      )
    const ask = async (address: Address) => {
      if (idOf(address) === 3) throw new TonlithError('liteserver', 'state already gc’d', { code: 651 })
      if (idOf(address) === 4) throw new TonlithError('malformed', 'no account')
      return liveAccount(address)
    }
    const counts = await run(upTo(6), { read, ask }).counts
    expect(Object.fromEntries(counts.incomparable)).toEqual({ gap: 1, not_chosen: 1, gone: 1, unanswered: 1 })
    expect([counts.accounts, counts.differences, counts.trouble]).toEqual([2, 0, 'no account'])
  })

  test('asks again where that can help, three times at most, a block that was not found included', async () => {
    let [answers, opens] = [0, 0]
    const ask = async (address: Address) => {
      if (++answers < 3) throw new TonlithError('timeout', 'too late')
      return liveAccount(address)
    }
    expect((await run([1], { ask }).counts).accounts).toBe(1)
    const open = async (): Promise<LiveBlock> => {
      opens++
      throw new TonlithError('unavailable', 'nobody')
    }
    const counts = await run([1], { open }).counts
    expect([opens, counts.accounts, counts.trouble]).toEqual([3, 0, 'nobody'])
  })

  test('ends when it is told to, with what it has', async () => {
    const ending = new AbortController()
    const ask = async (address: Address) => {
      if (idOf(address) === 200) ending.abort()
      if (ending.signal.aborted) throw new TonlithError('timeout', 'ended')
      return liveAccount(address)
    }
    const { accounts, incomparable } = await run(upTo(250), { ask, signal: ending.signal }).counts
    expect(accounts).toBeGreaterThan(100)
    expect(accounts).toBeLessThan(200)
    expect(incomparable.size).toBe(0)
  })

  test('fails with a failure of ours', async () => {
    const mistake = new Error('a mistake')
    const ask = async () => {
      throw mistake
    }
    await expect(run([1], { ask }).counts).rejects.toBe(mistake)
  })
})
