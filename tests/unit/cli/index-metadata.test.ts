import { afterAll, afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type IndexMetadata, openIndexMetadata } from '../../../src/cli/index-metadata.ts'
import { openTokenDocuments, type TokenDocuments } from '../../../src/cli/token-documents.ts'
import { systemClock } from '../../../src/common/clock.ts'
import { silentLogger } from '../../../src/common/logger.ts'
import { tokenInfoOf } from '../../../src/contracts/token-info.ts'
import type { Tokens } from '../../../src/indexer/metadata/token-scan.ts'

/** From what an index lists to what an answer tells, over a gateway on loopback. */

const gateway = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch: (request) =>
    new URL(request.url).pathname === '/ipfs/bafyjetton/1.json'
      ? new Response('{"name":"N","symbol":"S","decimals":9}')
      : new Response('no', { status: 404 }),
})
afterAll(() => gateway.stop(true))

const none = () => ({ records: [], next: null })
const EMPTY = { jettonMasters: none, nftCollections: none, nftItems: none } as unknown as Tokens
const jetton = (uri: string) => ({ entity: { _: 'jetton_master', jetton_content: { _: 'offchain', uri } } })
const LISTED = {
  ...EMPTY,
  jettonMasters: () => ({ records: [jetton('ipfs://bafyjetton/1.json'), jetton('http://127.0.0.1/x')], next: null }),
} as unknown as Tokens

let folder: string
let metadata: IndexMetadata | undefined
let documents: TokenDocuments | undefined
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tonlith-index-metadata-'))
})
afterEach(async () => {
  await documents?.close()
  await metadata?.close()
  rmSync(folder, { recursive: true, force: true })
})

const start = async (tokens: Tokens, online = true): Promise<TokenDocuments> => {
  const order = { folder, online, gateway: `http://127.0.0.1:${gateway.port}/ipfs` }
  metadata = await openIndexMetadata(order, systemClock, silentLogger, new AbortController().signal)
  metadata?.start(tokens)
  const ask = (uris: string[]): void => {
    for (const uri of uris) metadata?.fetcher.want(uri, 'asked')
  }
  documents = await openTokenDocuments(order, { readOnly: false, ask, clock: systemClock, logger: silentLogger })
  return documents!
}

/** What is told of a jetton, once its URI was fetched. */
const indexed = async ({ documentOf }: TokenDocuments, uri: string) => {
  for (;;) {
    const info = tokenInfoOf('jetton_master', { _: 'offchain', uri }, documentOf)
    if (info.is_indexed) return info
    await Bun.sleep(20)
  }
}

test('what an index lists is fetched, and what may not be is told to be nothing', async () => {
  const open = await start(LISTED)
  expect(await indexed(open, 'ipfs://bafyjetton/1.json')).toMatchObject({ valid: true, name: 'N', symbol: 'S' })
  expect(await indexed(open, 'http://127.0.0.1/x')).toMatchObject({ valid: false })
  expect(metadata?.fetcher.status()).toMatchObject({ online: true, fetched: 1, failures: { blocked: 1 } })
})

test('what an answer asks for is fetched', async () => {
  const open = await start(EMPTY)
  const uri = `data:application/json,${encodeURIComponent('{"symbol":"D"}')}`
  expect(await indexed(open, uri)).toMatchObject({ valid: true, symbol: 'D' })
  expect(await indexed(open, 'ipfs://bafyjetton/1.json')).toMatchObject({ valid: true, symbol: 'S' })
})

test('nobody is asked where that is switched off, and nothing waits', async () => {
  const open = await start(LISTED, false)
  expect(await indexed(open, 'ipfs://bafyjetton/1.json')).toMatchObject({ is_indexed: true, valid: false })
  expect(metadata?.fetcher.status()).toMatchObject({ online: false, waiting: 0, running: 0 })
})

test('what was kept and cannot be read any more is fetched anew', async () => {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'data.mdb'), 'x'.repeat(10_000))
  expect(await indexed(await start(LISTED), 'ipfs://bafyjetton/1.json')).toMatchObject({ valid: true })
})

test('a folder that cannot be made keeps nothing from going on', async () => {
  writeFileSync(join(folder, 'file'), '')
  const order = { folder: join(folder, 'file', 'metadata'), online: true, gateway: 'https://gateway.example/ipfs' }
  expect(await openIndexMetadata(order, systemClock, silentLogger, new AbortController().signal)).toBeUndefined()
  const asking = { readOnly: false, ask: () => {}, clock: systemClock, logger: silentLogger }
  expect(await openTokenDocuments(order, asking)).toBeUndefined()
})
