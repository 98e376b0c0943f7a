import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { silentLogger } from '../../../../src/common/logger.ts'
import type { FetchResult } from '../../../../src/indexer/metadata/fetch-uri.ts'
import { createMetadataFetcher, type MetadataFetcher } from '../../../../src/indexer/metadata/fetcher.ts'
import { scanTokens, wantDetected } from '../../../../src/indexer/metadata/token-scan.ts'
import { readDocument } from '../../../../src/store/metadata-rows.ts'
import { type MetadataStore, openMetadataStore } from '../../../../src/store/metadata-store.ts'
import { createVirtualClock, type VirtualClock } from '../../../support/virtual-clock.ts'

const GATEWAY = new URL('https://gateway.example/ipfs')
const DAY_MS = 86_400_000
const READY: FetchResult = { _: 'ready', members: [['name', '"N"']] }
const STATUS: FetchResult = { _: 'failed', failure: 'status' }

let folder: string
let store: MetadataStore
let clock: VirtualClock
let ending: AbortController
let runs: Promise<void>[]
let asked: string[]
/** What each URI leads to; a promise where that takes its time. */
let answers: Map<string, FetchResult | Promise<FetchResult>>

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tonlith-fetcher-'))
  store = await openMetadataStore(folder)
  clock = createVirtualClock()
  ending = new AbortController()
  runs = []
  asked = []
  answers = new Map()
})
afterEach(async () => {
  ending.abort()
  await Promise.all(runs)
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

const start = (online = true): MetadataFetcher => {
  const fetcher = createMetadataFetcher({
    store,
    fetchUri: async (uri) => {
      asked.push(uri)
      return (await answers.get(uri)) ?? READY
    },
    gateway: GATEWAY,
    online,
    clock,
    logger: silentLogger,
    signal: ending.signal,
  })
  runs.push(fetcher.run())
  return fetcher
}

const documentOf = (uri: string) => readDocument(store, uri)?.document

describe('a document that is wanted', () => {
  test('is fetched and kept, and not again for seven days', async () => {
    const fetcher = start()
    fetcher.want('https://a/1', 'new')
    await clock.advance(1_000)
    expect(documentOf('https://a/1')).toEqual({ _: 'ready', members: [['name', '"N"']] })
    clock.skip(6 * DAY_MS)
    fetcher.want('https://a/1', 'asked')
    expect(asked).toHaveLength(1)
    clock.skip(DAY_MS)
    await clock.advance(1_000)
    fetcher.want('https://a/1', 'known')
    expect(asked).toHaveLength(2)
  })

  test('is tried six times, with longer and longer pauses, and then has failed', async () => {
    answers.set('https://a/1', STATUS)
    const fetcher = start()
    fetcher.want('https://a/1', 'new')
    const tries: number[] = []
    for (let second = 0; second < 400; second++) {
      await clock.advance(1_000)
      fetcher.want('https://a/1', 'asked')
      tries[asked.length] ??= second
    }
    expect(asked).toHaveLength(6)
    const pauses = tries.slice(2).map((at, i) => at - tries[i + 1]!)
    for (const [i, pause] of pauses.entries()) expect(Math.abs(pause - 5 * 2 ** i)).toBeLessThanOrEqual(3)
    expect(documentOf('https://a/1')).toEqual({ _: 'failed' })
    expect(fetcher.status().failures).toEqual({ status: 6 })
  })

  test('is not tried again where that is of no use', async () => {
    answers.set('https://a/1', { _: 'failed', failure: 'blocked' })
    start().want('https://a/1', 'new')
    await clock.advance(10_000)
    expect(asked).toHaveLength(1)
    expect(documentOf('https://a/1')).toEqual({ _: 'failed' })
  })

  test('stays what it was while it cannot be had again', async () => {
    const fetcher = start()
    fetcher.want('https://a/1', 'new')
    await clock.advance(1_000)
    clock.skip(8 * DAY_MS)
    await clock.advance(1_000)
    answers.set('https://a/1', STATUS)
    fetcher.want('https://a/1', 'asked')
    await clock.advance(600_000)
    expect(asked).toHaveLength(7)
    expect(documentOf('https://a/1')).toMatchObject({ _: 'ready' })
  })

  test('is tried again by whoever comes after a restart', async () => {
    answers.set('https://a/1', STATUS)
    start().want('https://a/1', 'new')
    await clock.advance(1_000)
    ending.abort()
    await Promise.all(runs)
    ending = new AbortController()
    answers.clear()
    start()
    await clock.advance(10_000)
    expect(asked).toHaveLength(2)
    expect(documentOf('https://a/1')).toMatchObject({ _: 'ready' })
  })

  test('is removed when nobody wanted it any more for a month after its time', async () => {
    start().want('https://a/1', 'new')
    await clock.advance(1_000)
    clock.skip(36 * DAY_MS)
    await clock.advance(2_000)
    expect(documentOf('https://a/1')).toMatchObject({ _: 'ready' })
    clock.skip(2 * DAY_MS)
    await clock.advance(2_000)
    expect(documentOf('https://a/1')).toBeUndefined()
  })

  test('is not asked for where nobody may be, but for what stands in its URI', async () => {
    const fetcher = start(false)
    for (const uri of ['https://a/1', 'ipfs://x', 'data:,{}']) fetcher.want(uri, 'asked')
    await clock.advance(1_000)
    expect(asked).toEqual(['data:,{}'])
  })
})

test('32 are fetched at a time, and hosts that hang hold up nobody', async () => {
  const never = new Promise<FetchResult>(() => {})
  const fetcher = start()
  for (let i = 0; i < 50; i++) {
    answers.set(`https://slow/${i}`, never)
    fetcher.want(`https://slow/${i}`, 'asked')
  }
  for (let i = 0; i < 100; i++) fetcher.want(`https://h${i}/1`, 'known')
  await clock.advance(1_000)
  expect(fetcher.status()).toMatchObject({ running: 4, waiting: 46, fetched: 100 })
  for (let i = 0; i < 50; i++) {
    answers.set(`https://s${i}/1`, never)
    fetcher.want(`https://s${i}/1`, 'asked')
  }
  expect(fetcher.status().running).toBe(32)
})

test('what blocks bring and what is there already is wanted', async () => {
  const fetcher = start()
  const item = { _: 'nft_item', content: { _: 'offchain', uri: 'https://item/1' } }
  const domain = { _: 'nft_item', content: { _: 'domain', domain: 'a.ton' } }
  wantDetected(fetcher, [{ entities: [item, domain, { _: 'vesting' }] }] as never)
  expect(asked).toEqual(['https://item/1'])
  const page = (uris: string[], next: Buffer | null) => ({
    records: uris.map((uri) => ({
      entity: { _: 'jetton_master', jetton_content: { _: 'onchain', attributes: { uri } } },
    })),
    next,
  })
  const empty = () => ({ records: [], next: null })
  const tokens = {
    jettonMasters: (_: unknown, { after }: { after?: Buffer }) =>
      after ? page(['https://b/2'], null) : page(['https://b/1', ''], Buffer.from('x')),
    nftCollections: empty,
    nftItems: empty,
  }
  runs.push(scanTokens({ tokens: tokens as never, fetcher, clock, signal: ending.signal }))
  for (let i = 0; i < 10; i++) {
    await clock.advance(300)
    await new Promise((resolve) => setTimeout(resolve))
  }
  expect(asked).toEqual(['https://item/1', 'https://b/1', 'https://b/2'])
})
