import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { dataFile } from '../../src/store/disk.ts'
import { copyExecutable, type Lonely, type Running, runExecutable, startExecutable } from '../support/executable.ts'
import { RECORDED_NETWORK, recordedHome } from '../support/recorded-network.ts'
import { INDEXED, RELEASED_FORMATS, releasedFormat, unpackFormat } from '../support/released-formats.ts'
import { globalConfigOf } from '../support/served-gateway.ts'
import { stampAs } from '../support/stamp-as.ts'

/** The compiled program starts with data folders that older and newer programs have written. */

/** The head of the network: some blocks behind those that the stores hold. */
const HEAD = INDEXED.last + 5

let alone: Lonely
beforeAll(async () => {
  alone = await copyExecutable()
})
afterAll(() => alone.remove())

const home = (name: string): string => recordedHome(join(alone.folder, name))

const start = (data: string): Promise<Running> => {
  const { first } = INDEXED
  const flags = ['--head', HEAD, '--index-from', first, '--backfill-to', first, '--v3-keyless-rps', 0].map(String)
  return startExecutable(alone, [...RECORDED_NETWORK, '--listen', '127.0.0.1:0', '--data', data, ...flags])
}

/** `tonlith serve` on liteservers of the recorded network that are not there: it does not come to ask them. */
const serveRecorded = async (data: string) => {
  const nobody = { host: '127.0.0.1', port: 9, key: Buffer.alloc(32, 1) }
  writeFileSync(join(alone.folder, 'nobody.json'), globalConfigOf([nobody]))
  const flags = ['--listen', '127.0.0.1:0', '--global-config', 'nobody.json', '--data', data]
  const { stderr, code } = await runExecutable(alone, ['serve', ...flags])
  return { lines: stderr, code }
}

type IndexPart = { state: string; reason: string | null; seqno?: number; actions_from?: number | null }

const indexOf = async ({ url }: Running): Promise<IndexPart> =>
  ((await (await fetch(`${url}/status`)).json()) as { index: IndexPart }).index

const until = async (gateway: Running, right: (index: IndexPart) => boolean): Promise<IndexPart> => {
  for (let tries = 0; tries < 500; tries++) {
    const found = await indexOf(gateway)
    if (right(found)) return found
    await Bun.sleep(100)
  }
  throw new Error(`never: ${JSON.stringify(await indexOf(gateway))}`)
}

const ASKED = [
  'actions?limit=500&sort=asc',
  `actions?mc_seqno=${INDEXED.first + 5}`,
  'traces?limit=100&sort=asc&include_actions=true',
  'transactions?limit=500&sort=asc',
  'jetton/transfers?limit=100&sort=asc',
  'jetton/wallets?limit=100',
  'nft/items?limit=100',
  'topAccountsByBalance?limit=50',
] as const

/** What an index answers once all of it is there. */
const answersOf = async (data: string): Promise<string[]> => {
  const gateway = await start(data)
  try {
    await until(gateway, ({ seqno, actions_from }) => seqno === HEAD && actions_from === null)
    return await Promise.all(ASKED.map(async (path) => (await fetch(`${gateway.url}/api/v3/${path}`)).text()))
  } finally {
    await gateway.end()
  }
}

test('an older data folder: the index is upgraded and goes on, operators and merchants keep what is theirs', async () => {
  const data = join(alone.folder, 'old')
  unpackFormat(releasedFormat('index', 2), home('old'))
  unpackFormat(releasedFormat('metadata', 1), home('old'))
  for (const store of ['operator', 'payments'] as const) unpackFormat(releasedFormat(store, 1), data)
  const [upgraded, fresh] = [await answersOf('old'), await answersOf('new')]
  for (const [i, path] of ASKED.entries()) expect([path, upgraded[i]]).toEqual([path, fresh[i]])
  expect(JSON.parse(upgraded[0]!).actions.length).toBeGreaterThan(100)
  const keys = await runExecutable(alone, ['keys', 'list', '--data', 'old'])
  expect(keys.stdout).toContain('first')
  const merchants = await runExecutable(alone, ['merchants', 'list', '--data', 'old'])
  expect(merchants.stdout).toContain('https://example.test/hook')
}, 60_000)

test('an index that is too old: serve leaves it alone and says so, dev makes its own anew', async () => {
  const folder = unpackFormat(releasedFormat('index', 1), join(alone.folder, 'first'))
  const before = readFileSync(dataFile(folder))
  const { lines, code } = await serveRecorded('first')
  expect(code).toBe(1)
  expect(lines).toContain('older format (version 1')
  expect(lines).toContain(`move the folder away: mv ${folder}`)
  expect(readFileSync(dataFile(folder)).equals(before)).toBe(true)
  unpackFormat(releasedFormat('index', 1), home('first'))
  const [actions] = await answersOf('first')
  expect(JSON.parse(actions!).actions.length).toBeGreaterThan(100)
}, 60_000)

test('a newer index is left alone, and v2 goes on', async () => {
  const { version } = RELEASED_FORMATS.findLast(({ store }) => store === 'index')!
  const folder = unpackFormat(releasedFormat('index', version), home('newer'))
  await stampAs(folder, version + 1)
  const before = readFileSync(dataFile(folder))
  const gateway = await start('newer')
  const { reason } = await until(gateway, ({ state }) => state === 'down')
  expect(reason).toContain(`has a newer format (version ${version + 1}, this program's is ${version})`)
  expect((await fetch(`${gateway.url}/api/v2/getMasterchainInfo`)).status).toBe(200)
  expect((await fetch(`${gateway.url}/api/v3/transactions`)).status).toBe(503)
  expect(await gateway.end()).toBe(0)
  expect(readFileSync(dataFile(folder)).equals(before)).toBe(true)
})
