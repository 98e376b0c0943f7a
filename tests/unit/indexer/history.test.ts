import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'
import { systemClock } from '../../../src/common/clock.ts'
import { TonlithError } from '../../../src/common/errors.ts'
import type { Bundle } from '../../../src/indexer/fetch.ts'
import { createHistories, type HistoriesOptions } from '../../../src/indexer/history.ts'
import type { HistorySource } from '../../../src/indexer/history-source.ts'
import { openBlock } from '../../../src/indexer/opened-block.ts'
import { scopeOf, selectBatch } from '../../../src/indexer/scope.ts'
import { joinTraces } from '../../../src/indexer/trace.ts'
import { NO_TRANSACTION } from '../../../src/model/transaction-id.ts'
import { readHistories, settleHistories, settleRetention, writeHistory } from '../../../src/store/histories.ts'
import { noteScope } from '../../../src/store/index-scope.ts'
import { oldestStored, pruneOldest } from '../../../src/store/prune.ts'
import { openIndexReader } from '../../../src/store/queries/open-index-reader.ts'
import { writeAccountStates, writeBatch } from '../../../src/store/write.ts'
import { type Address, rawAddress, sameAddress } from '../../../src/ton/address.ts'
import type { Cell } from '../../../src/ton/cell.ts'
import { parseShardStateUnsplit, shardAccount } from '../../../src/ton/tlb/shard-state.ts'
import { recordedBatch } from '../../support/recorded-batches.ts'
import { recordedChain } from '../../support/recorded-chain.ts'
import { completedBatch } from '../../support/recorded-index.ts'
import { type TemporaryIndex, temporaryIndex } from '../../support/temporary-index.ts'

setDefaultTimeout(60_000)

/** The recording as far as it is looked at here, so that the first of its blocks are found by hand. */
const LAST = 60

const chain = recordedChain()
const batches = Array.from({ length: LAST }, (_, i) => recordedBatch(chain, i + 1))
const all = batches.flatMap(({ mc, transactions }) => transactions.map((one) => ({ ...one, seqno: mc.seqno })))
const ofAccount = (address: Address) => all.filter(({ account }) => sameAddress(account, address))

const counts = Map.groupBy(
  all.filter(({ account }) => account.workchain === 0),
  ({ account }) => rawAddress(account),
)
const [busy, other] = [...counts.values()].sort((a, b) => b.length - a.length).map((list) => list[0]!.account) as [
  Address,
  Address,
]

const stateOf = ({ workchain, hash }: Address): { account: Cell; last: { lt: bigint; hash: Buffer } } | undefined => {
  for (const { blocks } of batches.toReversed()) {
    for (const { id } of blocks.toReversed()) {
      const block = id.workchain === workchain ? chain.block(id) : undefined
      const entry = block && shardAccount(parseShardStateUnsplit(block.state).accounts, hash)
      if (entry) return { account: entry.account, last: { lt: entry.last_trans_lt, hash: entry.last_trans_hash } }
    }
  }
  return undefined
}

const honest: HistorySource = {
  edge: async (address) => ({ mc_seqno: LAST, ...(stateOf(address) ?? { account: null, last: NO_TRANSACTION }) }),
  transactions: async (address, from) =>
    ofAccount(address)
      .filter(({ id }) => id.lt <= from.lt)
      .reverse()
      .slice(0, 4)
      .map(({ cell }) => cell),
  committedAt: async (address, lt) =>
    batches.find(({ blocks }) =>
      blocks.some(({ id, info }) => id.workchain === address.workchain && info.end_lt >= lt),
    )!.mc.seqno,
}

let temporary: TemporaryIndex
beforeEach(async () => {
  temporary = await temporaryIndex()
})
afterEach(() => temporary.remove())

const started = (accounts: readonly Address[], options: Partial<HistoriesOptions> = {}) => {
  const { index } = temporary
  const names = accounts.map(rawAddress)
  settleHistories(index, names)
  const ending = new AbortController()
  const histories = createHistories({
    store: index,
    source: honest,
    fetch: async (seqno) => {
      const { id, data } = chain.masterchain(seqno)!
      return { seqno, masterchain: { ...openBlock(id, data), bytes: data.length }, shards: [], bytes: 1 } as Bundle
    },
    keep: async ({ seqno }) => {
      const batch = selectBatch(batches[seqno - 1]!, scopeOf(names))
      writeBatch(index, completedBatch(index, chain, batch), joinTraces, 'history')
    },
    keepState: async (account, mc_seqno) => writeAccountStates(index, [{ mc_seqno, accounts: [account] }]),
    tooOld: () => false,
    floor: () => 0,
    histories: () => readHistories(index),
    note: async (history, wanted) => {
      if (wanted()) writeHistory(index, history)
    },
    busy: () => false,
    troubles: () => [],
    patienceMs: 10_000,
    clock: systemClock,
    signal: ending.signal,
    changed: () => {},
    ...options,
  })
  const running = histories.run().catch(() => {})
  return {
    histories,
    until: async (holds: () => boolean): Promise<void> => {
      while (!holds()) await Bun.sleep(5)
    },
    end: async () => {
      ending.abort()
      await running
    },
  }
}

const rows = () => [...readHistories(temporary.index)]

const page = { limit: 1_000, offset: 0, sort: 'asc' } as const

const storedOf = (address: Address): bigint[] => {
  temporary.index.environment.renew()
  const { records } = openIndexReader(temporary.index).transactions({ accounts: [address] }, page)
  return records.map(({ id }) => id.lt)
}

const ltsOf = (address: Address): bigint[] => ofAccount(address).map(({ id }) => id.lt)

test('a history goes down to the first transaction, and is noted', async () => {
  const { histories, until, end } = started([busy])
  await until(() => histories.progress().left === 0)
  await end()
  expect(storedOf(busy)).toEqual(ltsOf(busy))
  expect(rows()).toEqual([
    { address: busy, since: 0, state: 'complete', next: NO_TRANSACTION, oldest_lt: ltsOf(busy)[0]! },
  ])
  const [state] = openIndexReader(temporary.index).accountStates([busy])
  expect(state?.last_transaction.lt).toBe(ltsOf(busy).at(-1)!)
})

test('one that cannot go on says why and does not hold up the others', async () => {
  let away = true
  const source: HistorySource = {
    ...honest,
    transactions: async (address, from, signal) => {
      if (away && sameAddress(address, busy)) throw new TonlithError('liteserver', 'it is gone')
      return honest.transactions(address, from, signal)
    },
  }
  const { histories, until, end } = started([busy, other], { source })
  await until(() => histories.progress().done === 1 && histories.progress().accounts[0]?.waits !== null)
  expect(histories.progress().accounts).toEqual([
    { account: rawAddress(busy), state: 'waiting', oldest_lt: '0', waits: 'it is gone' },
  ])
  expect(storedOf(other)).toEqual(expect.arrayContaining(ltsOf(other)))
  away = false
  await until(() => histories.progress().left === 0)
  await end()
  expect(storedOf(busy)).toEqual(ltsOf(busy))
})

test('a liteserver that names another block is found out, and asked again', async () => {
  let lies = 2
  const source: HistorySource = {
    ...honest,
    committedAt: async (address, lt, signal) =>
      lies-- > 0 ? ofAccount(other)[0]!.seqno + 1 : honest.committedAt(address, lt, signal),
  }
  const told: (string | null)[] = []
  const { histories, until, end } = started([busy], {
    source,
    changed: () => told.push(...histories.progress().accounts.map(({ waits }) => waits)),
  })
  await until(() => histories.progress().left === 0)
  await end()
  expect(told).toContainEqual(expect.stringMatching(/is not in masterchain block \d+, where a liteserver has it/))
  expect(storedOf(busy)).toEqual(ltsOf(busy))
})

test('what is too old is left out; the latest state is there all the same', async () => {
  const nows = ofAccount(busy).map(({ now }) => now)
  const middle = nows[Math.floor(nows.length / 2)]!
  const cut = started([busy], { tooOld: (utime) => utime < middle })
  await cut.until(() => cut.histories.progress().left === 0)
  await cut.end()
  expect(rows()).toMatchObject([{ state: 'cut' }])
  const young = ofAccount(busy).filter(({ now }) => now >= middle)
  expect(storedOf(busy)).toEqual(young.map(({ id }) => id.lt))

  const none = started([other], { tooOld: () => true })
  await none.until(() => none.histories.progress().left === 0)
  await none.end()
  const [state] = openIndexReader(temporary.index).accountStates([other])
  expect(state?.state_hash).toEqual(stateOf(other)!.account.hash())
  expect(state?.mc_seqno).toBe(ofAccount(other).at(-1)!.seqno)
})

test('where more is kept than before, histories are filled up, also those that were complete', async () => {
  const { index } = temporary
  const done = async (accounts: Address[], options: Partial<HistoriesOptions> = {}): Promise<void> => {
    const { histories, until, end } = started(accounts, options)
    await until(() => histories.progress().left === 0)
    await end()
  }
  noteScope(index, [rawAddress(busy)])
  settleRetention(index, { seconds: 60 })
  const middle = ofAccount(busy)[Math.floor(ltsOf(busy).length / 2)]!.now
  await done([busy, other], { tooOld: (utime) => utime < middle })
  while (oldestStored(index.tables)! <= 50) pruneOldest(index)
  const before = rows()
  for (const retain of [{ seconds: 60 }, { seconds: 30 }]) settleRetention(index, retain)
  expect(rows()).toEqual(before)

  settleRetention(index, 'forever')
  expect(rows()).toMatchObject([{ state: 'waiting' }, { state: 'waiting' }])
  await done([busy, other])
  for (const account of [busy, other]) expect(storedOf(account)).toEqual(ltsOf(account))
  settleRetention(index, { bytes: 1 })
  expect(rows()).toMatchObject([{ state: 'complete' }, { state: 'complete' }])
})

test('a history at its first part is not set back when others are chosen again and again', async () => {
  let again = 0
  const source: HistorySource = {
    ...honest,
    transactions: (address, from, signal) => {
      if (again++ < 50) histories.chosen()
      return honest.transactions(address, from, signal)
    },
  }
  const { histories, until, end } = started([busy], { source })
  await until(() => histories.progress().left === 0)
  await end()
  expect(again).toBeLessThan(50)
  expect(storedOf(busy)).toEqual(ltsOf(busy))
})

test('an account that is not there has no history', async () => {
  const { histories, until, end } = started([{ workchain: 0, hash: Buffer.alloc(32, 9) }])
  await until(() => histories.progress().left === 0)
  await end()
  expect(rows()).toMatchObject([{ state: 'complete', oldest_lt: 0n }])
})

test('an account that is dropped is forgotten, and begins anew when it is chosen again', async () => {
  const { index } = temporary
  const { histories, until, end } = started([busy])
  await until(() => histories.progress().left === 0)
  settleHistories(index, [rawAddress(other)])
  histories.chosen()
  expect(rows()).toMatchObject([{ address: other, state: 'waiting' }])
  settleHistories(index, [rawAddress(other), rawAddress(busy)])
  expect(rows().map(({ state }) => state)).toEqual(['waiting', 'waiting'])
  settleHistories(index, undefined)
  expect(rows()).toEqual([])
  await end()
})
