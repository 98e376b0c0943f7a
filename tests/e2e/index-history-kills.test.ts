import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { rawAddress } from '../../src/ton/address.ts'
import { startArchive } from '../support/archive-client.ts'
import { copyExecutable, type Lonely } from '../support/executable.ts'
import { historiesIn, runHistoryTrial, startChosen, untilHistories } from '../support/history-kills.ts'
import { recordedBatches } from '../support/recorded-batches.ts'
import { recordedChain } from '../support/recorded-chain.ts'

/**
 * The compiled program fetches the histories of chosen accounts through liteservers that die, are late and lie, and is
 * killed with SIGKILL at random points. What is stored in the end is equal to what an undisturbed run stores.
 * INDEX_KILL_SEEDS=FIRST-LAST runs other seeds.
 */

const FROM = 345
const EVERY = 18
const KILLS = 2
const WITHIN_MS = 4_000
const PATIENCE_MS = 150_000

const [first = 1, last = 1] = (process.env.INDEX_KILL_SEEDS ?? '1-1').split('-').map(Number)
const seeds = Array.from({ length: last - first + 1 }, (_, i) => first + i)

/** Busy ones and quiet ones, of both workchains. */
const someAccounts = (): string[] => {
  const counts = new Map<string, number>()
  for (const { transactions } of recordedBatches(recordedChain())) {
    for (const { account } of transactions) counts.set(rawAddress(account), (counts.get(rawAddress(account)) ?? 0) + 1)
  }
  const byCount = [...counts].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1))
  return byCount.filter((_, i) => i % EVERY === 1).map(([account]) => account)
}

/** Hashes of the states that these accounts ever had at the end of a masterchain block. */
const statesOf = (accounts: readonly string[]): Set<string> =>
  new Set(
    recordedBatches(recordedChain()).flatMap((batch) =>
      batch.accounts
        .filter(({ address }) => accounts.includes(rawAddress(address)))
        .map(({ state_hash }) => state_hash.toString('hex')),
    ),
  )

let alone: Lonely
let states: Set<string>
let accounts: string[]
let undisturbed: Awaited<ReturnType<typeof historiesIn>>
beforeAll(async () => {
  alone = await copyExecutable()
  accounts = someAccounts()
  states = statesOf(accounts)
  const archive = await startArchive()
  const servers = [{ ...archive.address, key: archive.publicKey }]
  const gateway = await startChosen(alone, 'undisturbed', { accounts, from: FROM }, servers)
  await untilHistories(gateway, PATIENCE_MS)
  await gateway.end()
  await archive.stop()
  undisturbed = await historiesIn(alone, 'undisturbed')
}, 200_000)
afterAll(() => alone.remove())

/** Whether a row of `accounts` is of a chosen one: its key has the workchain with the sign bit flipped, and the hash. */
const isChosen = (row: string): boolean => {
  const [key = ''] = row.split(' ', 1)
  const workchain = Number.parseInt(key.slice(0, 8), 16) - 2 ** 31
  return accounts.includes(`${workchain}:${key.slice(8)}`)
}

/**
 * A master or collection of a chosen account is stored as it was when that account came, which is a matter of time: which
 * of its states, and at which block it was read.
 */
const comparable = (table: string, rows: readonly string[]): readonly string[] => {
  if (table === 'account_states') return rows.filter((row) => states.has(row.slice(0, row.indexOf('='))))
  return table === 'accounts' ? rows.map((row) => (isChosen(row) ? row : row.replace(/=.{8}/, '='))) : rows
}

describe('histories that are interrupted again and again', () => {
  test('were whole without that', () => {
    expect(undisturbed.faults).toEqual([])
    expect(undisturbed.dump['histories']).toHaveLength(accounts.length)
    expect(undisturbed.dump['transactions']!.length).toBeGreaterThan(500)
    expect(comparable('account_states', undisturbed.dump['account_states']!).length).toBeGreaterThan(100)
  })

  for (const seed of seeds) {
    test(
      `seed ${seed}`,
      async () => {
        const trial = { seed, accounts, from: FROM, kills: KILLS, withinMs: WITHIN_MS, patienceMs: PATIENCE_MS }
        const { dump, faults } = await runHistoryTrial(alone, trial)
        expect(faults).toEqual([])
        for (const table of Object.keys(undisturbed.dump))
          expect([table, comparable(table, dump[table]!)]).toEqual([table, comparable(table, undisturbed.dump[table]!)])
      },
      PATIENCE_MS + 60_000,
    )
  }
})
