import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Cell, internal, toNano } from '@ton/core'
import { TonClient } from '@ton/ton'
import { copyExecutable, type Lonely, runExecutable, startExecutable } from '../support/executable.ts'
import { onFreshConnection } from '../support/fresh-connection.ts'
import { type LiveNetwork, startLiveNetwork } from '../support/live-network.ts'
import { printedWallets } from '../support/live-wallet.ts'
import { RECORDED_NETWORK } from '../support/recorded-network.ts'
import { until } from '../support/until.ts'

/** Three processes that answer HTTP at one address: each request below is on a connection of its own, which any may get. */

const PROCESSES = 3
/** So many requests reach each process but once in some 10^13 times. */
const MANY = 75
const METHOD = '/api/v2/getMasterchainInfo'

let alone: Lonely
let network: LiveNetwork
beforeAll(async () => {
  alone = await copyExecutable()
  network = await startLiveNetwork(alone, 'data', '--http-workers', String(PROCESSES), '--block-interval', 'manual')
}, 60_000)
afterAll(async () => {
  await network.end('SIGKILL')
  alone.remove()
})

interface Row {
  place: number
  state: string
  restarts: number
  requests: number
}
const get = async <T>(path: string): Promise<T> => (await (await onFreshConnection(network.url + path)).json()) as T
const rows = async (): Promise<Row[]> => (await get<{ http_workers: Row[] }>('/status')).http_workers
const metrics = async (): Promise<string> => await (await onFreshConnection(`${network.url}/metrics`)).text()
/** A metric that stands there once. */
const metric = (text: string, name: string): number => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
const answered = (text: string): number =>
  metric(text, 'tonlith_http_request_seconds_count{route="/api/v2/:method",method="getMasterchainInfo",status="200"}')

/** The children of a process, as the system has them. */
const childrenOf = (parent: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return new RegExp(`^PPid:\\t${parent}$`, 'm').test(readFileSync(`/proc/${pid}/status`, 'utf8'))
      } catch {
        return false
      }
    })
    .map(Number)
const allGone = (pids: readonly number[], patienceMs: number): Promise<true> =>
  until(async () => (pids.some((pid) => existsSync(`/proc/${pid}`)) ? undefined : true), 'their end', patienceMs)

const times = <T>(count: number, act: (i: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, i) => act(i)))
const statuses = (path: string, count: number, headers: Record<string, string> = {}): Promise<number[]> =>
  times(count, async () => (await onFreshConnection(network.url + path, { headers })).status)

test('each process answers, whoever is asked tells of all, and metrics are the sum', async () => {
  const before = answered(await metrics()) || 0
  expect(await statuses(METHOD, MANY)).toEqual(Array.from({ length: MANY }, () => 200))
  const seen = await times(MANY, rows)
  for (const each of seen) {
    expect(each.map(({ place, state, restarts }) => [place, state, restarts])).toEqual([
      [1, 'on', 0],
      [2, 'on', 0],
      [3, 'on', 0],
    ])
  }
  for (const { requests } of await rows()) expect(requests).toBeGreaterThan(0)
  const texts = await times(MANY, metrics)
  for (const text of texts) expect(answered(text)).toBe(before + MANY)
  expect(metric(texts[0]!, 'tonlith_http_workers')).toBe(PROCESSES)
  expect(metric(texts[0]!, 'tonlith_liteserver_online{server="0"}')).toBe(1)
})

test('the index is read in each of them', async () => {
  await until(async () => ((await onFreshConnection(`${network.url}/ready`)).ok ? true : undefined), 'a ready index')
  const found = await times(MANY, () => get<{ transactions: unknown[] }>('/api/v3/transactions?limit=1'))
  for (const { transactions } of found) expect(transactions.length).toBe(1)
  expect(await statuses('/ready', MANY)).toEqual(Array.from({ length: MANY }, () => 200))
})

test('a key is known to each as soon as it is made, and no more once it is revoked', async () => {
  const keys = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await runExecutable(alone, ['keys', ...args, '--data', 'data'])
    if (code !== 0) throw new Error(stderr)
    return stdout.trim()
  }
  const secret = await keys('add', 'some', '--owner', 'ann', '--network', 'dev', '--plan', 'advanced')
  expect(await statuses(METHOD, MANY, { 'x-api-key': secret })).toEqual(Array.from({ length: MANY }, () => 200))
  await keys('revoke', 'some')
  expect(await statuses(METHOD, MANY, { 'x-api-key': secret })).toEqual(Array.from({ length: MANY }, () => 401))
})

test('SIGHUP reaches each, and a rate is that of all together', async () => {
  const settings = join(alone.folder, 'data', 'tonlith.toml')
  const reload = async (rps: number): Promise<void> => {
    writeFileSync(settings, `keyless_rps = ${rps}\n`)
    network.signal('SIGHUP')
  }
  const rps = 20
  await reload(rps)
  await until(async () => ((await statuses(METHOD, 2 * rps)).includes(429) ? true : undefined), 'a limit')
  await Bun.sleep(1_100)
  const began = performance.now()
  const passed = (await statuses(METHOD, 5 * rps)).filter((status) => status === 200).length
  const seconds = (performance.now() - began) / 1_000
  expect(passed).toBeGreaterThanOrEqual(rps)
  expect(passed).toBeLessThanOrEqual(Math.ceil(rps * (1 + seconds)) + 1)
  await reload(0)
  await until(async () => ((await statuses(METHOD, MANY)).includes(429) ? undefined : true), 'the end of the limit')
})

test('a message that is sent through any of them is pending in each of them at once', async () => {
  const wallets = await printedWallets(await network.status())
  const { contract } = wallets[0]!
  const from = await new TonClient({ endpoint: network.rpc }).open(contract).getSeqno()
  const [wallet] = wallets
  for (let i = 0; i < 3; i++) {
    const boc = wallet!.signed(from + i, [internal({ to: wallet!.address, value: toNano('0.01'), bounce: false })])
    const hash = Cell.fromBoc(boc)[0]!.hash().toString('hex')
    const body = JSON.stringify({ boc: boc.toString('base64') })
    const headers = { 'content-type': 'application/json' }
    const sent = await onFreshConnection(`${network.url}/api/v2/sendBoc`, { method: 'POST', headers, body })
    expect([sent.status, await (sent.ok ? '' : sent.text())]).toEqual([200, ''])
    const told = await times(MANY, () => get<{ status: string }>(`/api/v3/messageStatus?msg_hash=${hash}`))
    for (const { status } of told) expect(status).not.toBe('unknown')
    await network.mine()
  }
})

test('one that is killed is started anew; requests of others are answered meanwhile, and no sum falls', async () => {
  const before = answered(await metrics())
  const [victim, other] = childrenOf(network.pid)
  expect([victim, other]).not.toContain(undefined)
  let isOver = false
  const broken: string[] = []
  const client = async (): Promise<void> => {
    for (; !isOver; await Bun.sleep(5)) {
      try {
        const { status } = await onFreshConnection(network.url + METHOD)
        if (status !== 200) broken.push(`status ${status}`)
      } catch (error) {
        broken.push(String((error as NodeJS.ErrnoException).code ?? error))
      }
    }
  }
  const clients = times(4, client)
  await Bun.sleep(200)
  process.kill(victim!, 'SIGKILL')
  const isBack = async () =>
    metric(await metrics().catch(() => ''), 'tonlith_http_worker_restarts') === 1 ? true : undefined
  await until(isBack, 'its restart')
  await until(async () => ((await rows()).every(({ state }) => state === 'on') ? true : undefined), 'its answer')
  isOver = true
  await clients
  // Those whose connection it had, or was to have: at most one of each client, and what waited to be accepted.
  expect(broken.filter((reason) => !/ECONNRESET|ConnectionClosed|Refused/i.test(reason))).toEqual([])
  expect(broken.length).toBeLessThanOrEqual(8)
  expect(network.stderr()).toContain('reason="signal SIGKILL"')
  expect(answered(await metrics())).toBeGreaterThan(before)
  expect(childrenOf(network.pid).length).toBe(PROCESSES - 1)
})

test('a snapshot is restored in each of them', async () => {
  const { seqno } = await network.call('snapshot', { name: 'here' })
  await network.mine(3)
  await network.call('restore', { name: 'here' })
  const seqnos = await times(MANY, () => get<{ result: { last: { seqno: number } } }>(METHOD))
  expect(new Set(seqnos.map(({ result }) => result.last.seqno))).toEqual(new Set([seqno]))
})

const recorded = () =>
  startExecutable(alone, [...RECORDED_NETWORK, '--listen', '127.0.0.1:0', '--data', 'other', '--http-workers', '2'])

test('SIGTERM under load: what got through is answered by all, and all are gone', async () => {
  const gateway = await recorded()
  const children = childrenOf(gateway.pid)
  expect(children.length).toBe(1)
  const broken: string[] = []
  let ending = false
  let count = 0
  const client = async (): Promise<void> => {
    for (;;) {
      try {
        const { status } = await fetch(`${gateway.url}/api/v2/getAddressInformation?address=-1:${'3'.repeat(64)}`)
        if (status !== 200) broken.push(`status ${status}`)
        count++
      } catch (error) {
        if (!ending || !/connect|closed|reset/i.test(String(error))) broken.push(String(error))
        return
      }
    }
  }
  const clients = times(16, client)
  await Bun.sleep(500)
  ending = true
  expect(await gateway.end()).toBe(0)
  await clients
  expect(broken).toEqual([])
  expect(count).toBeGreaterThan(16)
  await allGone(children, 1_000)
})

test('a killed first process leaves no other', async () => {
  const gateway = await recorded()
  const children = childrenOf(gateway.pid)
  expect(children.length).toBe(1)
  await gateway.end('SIGKILL')
  await allGone(children, 4_000)
})

test('an address that somebody listens at is not shared with them', async () => {
  const port = new URL(network.url).port
  const flags = ['--listen', `127.0.0.1:${port}`, '--data', 'third', '--http-workers', '2']
  const { code, stderr } = await runExecutable(alone, [...RECORDED_NETWORK, ...flags])
  expect([code, stderr]).toEqual([
    1,
    `tonlith: cannot listen on 127.0.0.1:${port}: it is in use; --listen HOST:PORT names another address\n`,
  ])
})
