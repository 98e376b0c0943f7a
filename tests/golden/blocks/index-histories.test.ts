import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openIndexKeeping } from '../../../src/cli/index-keeping.ts'
import { createIndexPool } from '../../../src/cli/index-pool.ts'
import { runIndex } from '../../../src/cli/index-run.ts'
import { systemClock } from '../../../src/common/clock.ts'
import { silentLogger } from '../../../src/common/logger.ts'
import type { Liteserver } from '../../../src/devnet/liteserver-server.ts'
import { createAccountSource } from '../../../src/indexer/account-source.ts'
import { actionNoter } from '../../../src/indexer/note-actions.ts'
import { scopeOf, selectBatch } from '../../../src/indexer/scope.ts'
import type { IndexStatus } from '../../../src/indexer/status.ts'
import { joinTraces } from '../../../src/indexer/trace.ts'
import type { Batch } from '../../../src/model/batch.ts'
import type { Retention } from '../../../src/model/retention.ts'
import { noteScope } from '../../../src/store/index-scope.ts'
import { openIndexStore } from '../../../src/store/index-store.ts'
import { openIndexReader } from '../../../src/store/queries/open-index-reader.ts'
import { writeBatch } from '../../../src/store/write.ts'
import { rawAddress } from '../../../src/ton/address.ts'
import { startArchive } from '../../support/archive-client.ts'
import { indexFaults } from '../../support/index-check.ts'
import { logicalDump } from '../../support/logical-dump.ts'
import { recordedBatches } from '../../support/recorded-batches.ts'
import { recordedChain } from '../../support/recorded-chain.ts'
import { completedBatch } from '../../support/recorded-index.ts'
import { temporaryIndex } from '../../support/temporary-index.ts'

/** Accounts that are added to an index of the recorded network while it runs, through a real liteserver. */

setDefaultTimeout(300_000)

const NETWORK = 'recorded'
const FROM = 300

const chain = recordedChain()
const batches: Batch[] = [...recordedBatches(chain)]
const counts = new Map<string, number>()
for (const { account } of batches.flatMap(({ transactions }) => transactions))
  counts.set(rawAddress(account), (counts.get(rawAddress(account)) ?? 0) + 1)
const busiest = [...counts].sort((a, b) => b[1] - a[1]).map(([account]) => account)

let server: Liteserver
let folder: string
beforeAll(async () => {
  server = await startArchive()
  folder = mkdtempSync(join(tmpdir(), 'tonlith-histories-'))
})
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** An index that runs, of accounts that can be changed. */
const started = async (name: string, first: readonly string[], retain: Retention = 'forever') => {
  const zeroState = chain.zerostate(-1)!.id
  const servers = { liteservers: [{ ...server.address, key: server.publicKey }], zeroState, initBlock: zeroState }
  const pool = createIndexPool(
    { servers, trust: 'proofs', timeoutMs: 5_000 },
    { load: () => null },
    systemClock,
    silentLogger,
  )
  const ending = new AbortController()
  const { signal } = ending
  let chosen = first
  const keeping = await openIndexKeeping({
    folder: join(folder, name),
    network: NETWORK,
    chosen: { read: () => chosen },
    retain,
    fetchAccount: createAccountSource({ pool: pool.pool, clock: systemClock, signal }),
    detection: undefined,
  })
  let status: IndexStatus | undefined
  const running = runIndex({
    order: { from: FROM, backfillTo: undefined, moves: false },
    pool,
    keeping,
    readers: undefined,
    clock: systemClock,
    logger: silentLogger,
    signal,
    report: (now) => {
      status = now
    },
  })
  return {
    choose: (accounts: readonly string[]) => {
      chosen = accounts
    },
    /** Waits until it is about so many accounts and has their histories. */
    settled: async (accounts: number): Promise<IndexStatus> => {
      for (;;) {
        if (status?.state === 'following' && status.accounts === accounts && status.histories?.left === 0) return status
        await Promise.race([Bun.sleep(20), running])
      }
    },
    end: async () => {
      ending.abort()
      await running
      pool.stop()
      await keeping.close()
    },
  }
}

const opened = (name: string) => openIndexStore(join(folder, name), NETWORK, { readOnly: true })

/** What an index of these accounts holds that had them from the beginning. */
const expected = async (accounts: readonly string[]) => {
  const { index, remove } = await temporaryIndex()
  const note = actionNoter(openIndexReader(index))
  noteScope(index, accounts)
  for (const batch of batches) {
    const selected = selectBatch(batch, scopeOf(accounts))
    index.environment.renew()
    const purpose = batch.mc.seqno >= FROM ? 'range' : 'history'
    writeBatch(index, completedBatch(index, chain, selected), joinTraces, purpose, note)
  }
  index.environment.renew()
  const dump = logicalDump(index)
  await remove()
  return dump
}

const same = async (name: string, accounts: readonly string[]): Promise<number> => {
  const index = await opened(name)
  try {
    const { meta: _, histories: __, address_ids: ___, ...dump } = logicalDump(index)
    const { meta: ____, histories: _____, address_ids: ______, ...wanted } = await expected(accounts)
    for (const table of Object.keys(wanted)) expect([table, dump[table]]).toEqual([table, wanted[table]])
    expect(indexFaults(index)).toEqual([])
    expect(openIndexReader(index).ranges()).toEqual([{ first: FROM, last: chain.last }])
    return index.tables.transactions.getCount()
  } finally {
    await index.environment.close()
  }
}

test('an account that is added gets its history, with the other side of its messages', async () => {
  const [first, second] = busiest as [string, string]
  const index = await started('two', [first])
  await index.settled(1)
  index.choose([first, second])
  const { histories } = await index.settled(2)
  expect(histories).toEqual({ done: 2, left: 0, accounts: [] })
  await index.end()
  expect(await same('two', [first, second])).toBeGreaterThan(100)
})

test('all other accounts are added at once, and some are dropped, over restarts', async () => {
  const [first] = busiest as [string]
  const some = busiest.filter((_, i) => i % 3 === 0)
  let index = await started('all', [first])
  await index.settled(1)
  index.choose(busiest)
  await Bun.sleep(1_500)
  await index.end()
  index = await started('all', busiest)
  await Bun.sleep(1_000)
  index.choose(some)
  await Bun.sleep(700)
  await index.end()
  index = await started('all', busiest)
  const { histories } = await index.settled(busiest.length)
  expect(histories).toEqual({ done: busiest.length, left: 0, accounts: [] })
  await index.end()
  expect(await same('all', busiest)).toBeGreaterThan(1_000)
})
