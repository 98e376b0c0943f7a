import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ArchiveLiteserver } from '../../src/devnet/archive-liteserver.ts'
import { startArchive } from '../support/archive-client.ts'
import { copyExecutable, type Lonely, type Running, runExecutable, startExecutable } from '../support/executable.ts'
import { globalConfigOf } from '../support/served-gateway.ts'

/**
 * One server with every kind of secret, asked rightly and wrongly, with all that it could log. Nothing that it writes, answers
 * or shows to others on its machine holds one of them.
 */

const OPERATOR = { TONLITH_API_KEY: 'the-key-of-the-operator-5f1c', TONLITH_ADMIN_TOKEN: 'the-admin-token-90ab' }
/** Sent by callers who mistake something else for a key. */
const MISTAKEN = 'a-password-sent-by-mistake-77'

let alone: Lonely
let archive: ArchiveLiteserver
let gateway: Running
const secrets: string[] = [...Object.values(OPERATOR), MISTAKEN]
/** All that came out, by where. */
const out = new Map<string, string>()

const run = async (...args: string[]): Promise<string> => {
  const { code, stdout, stderr } = await runExecutable(alone, args)
  if (code !== 0) throw new Error(stderr)
  return stdout
}

const keep = async (name: string, response: Response): Promise<number> => {
  const text = await response.text()
  out.set(`answer to ${name}`, `${JSON.stringify([...response.headers])}\n${text}`)
  return response.status
}

const wordAfter = (text: string, label: string): string => new RegExp(`^${label} (\\S+)$`, 'm').exec(text)![1]!

let issued: { key: string; merchantKey: string; webhookSecret: string }

beforeAll(async () => {
  alone = await copyExecutable()
  archive = await startArchive({ head: 100 })
  writeFileSync(join(alone.folder, 'global.json'), globalConfigOf([{ ...archive.address, key: archive.publicKey }]))
  mkdirSync(join(alone.folder, 'data'))
  writeFileSync(join(alone.folder, 'data', 'tonlith.toml'), 'keyless_rps = 0\nglobal_config = "../global.json"\n')
  const merchant = await run('merchants', 'add', 'shop', '--network', 'mainnet')
  issued = {
    key: (await run('keys', 'add', 'friend')).trim(),
    merchantKey: wordAfter(merchant, 'api key'),
    webhookSecret: wordAfter(merchant, 'webhook secret'),
  }
  secrets.push(...Object.values(issued))
  const flags = ['--trust', 'proofs', '--index', 'off', '--log', 'json', '--log-level', 'trace']
  const listen = ['--listen', '127.0.0.1:0', '--admin-listen', '127.0.0.1:0']
  gateway = await startExecutable(alone, ['serve', ...listen, ...flags], OPERATOR)
}, 120_000)

afterAll(async () => {
  await gateway?.end()
  archive?.stop()
  alone?.remove()
})

const ask = (path: string, headers: Record<string, string> = {}, init: RequestInit = {}) =>
  fetch(gateway.url + path, { ...init, headers }).then((response) => keep(`${path} ${JSON.stringify(init)}`, response))

const METHOD = '/api/v2/getMasterchainInfo'

test('secrets open what they should, and nothing tells them', async () => {
  for (const key of [OPERATOR.TONLITH_API_KEY, issued.key]) {
    expect(await ask(METHOD, { 'x-api-key': key })).toBe(200)
    expect((await fetch(`${gateway.url}${METHOD}?api_key=${key}`)).status).toBe(200)
    const failing = '/api/v2/getTransactions?address=x&lt=nine'
    expect(await ask(failing, { 'x-api-key': key })).toBe(422)
    const query = `${gateway.url}/api/v2/getBlockHeader?workchain=-1&shard=1&seqno=99999&api_key=${key}`
    expect(await keep(`failing query with ${secrets.indexOf(key)}`, await fetch(query))).toBeGreaterThanOrEqual(400)
    expect(await ask('/api/v3/transactions', { 'x-api-key': key })).toBeGreaterThanOrEqual(400)
    expect(await ask('/api/v2/jsonRPC', { 'x-api-key': key }, { method: 'POST', body: '{"method":' })).toBe(422)
  }
  for (const wrong of [MISTAKEN, `${issued.key}x`, `Bearer ${issued.key}`]) {
    expect(await ask(METHOD, { 'x-api-key': wrong })).toBe(401)
    expect(await ask('/api/merchant/v1/transfers', { 'x-api-key': wrong })).toBe(401)
  }
  const merchant = { 'x-api-key': issued.merchantKey }
  expect(await ask('/api/merchant/v1/transfers', merchant)).toBe(200)
  expect(await ask('/api/merchant/v1/transfer?reference=none', merchant)).toBeGreaterThanOrEqual(400)
  const form = new URLSearchParams({ key: MISTAKEN, api_key: MISTAKEN, token: MISTAKEN })
  const origin = { origin: gateway.url }
  expect(await ask('/dashboard/sign-in', origin, { method: 'POST', body: form })).toBeGreaterThanOrEqual(400)
}, 60_000)

test('the listener of the operator tells everything but secrets', async () => {
  const admin = wordAfter(gateway.lines.join('\n'), 'admin')
  const authorization = `Bearer ${OPERATOR.TONLITH_ADMIN_TOKEN}`
  for (const path of ['/metrics', '/status', '/ready']) {
    expect((await fetch(admin + path)).status).toBe(401)
    expect((await fetch(admin + path, { headers: { authorization: `Bearer ${MISTAKEN}` } })).status).toBe(401)
    expect(await keep(`admin ${path}`, await fetch(admin + path, { headers: { authorization } }))).toBe(200)
    expect(await ask(path)).toBe(path === '/ready' ? 200 : 404)
  }
  expect(out.get('answer to admin /metrics')).toContain('tonlith_http_request_seconds_bucket')
})

test('what is said on the command line about settings holds none', async () => {
  const tell = async (name: string, args: string[], env: Record<string, string>): Promise<number> => {
    const { code, stdout, stderr } = await runExecutable(alone, args, env)
    out.set(name, stdout + stderr)
    return code
  }
  expect(await tell('config', ['config'], OPERATOR)).toBe(0)
  expect(await tell('doctor', ['doctor', '--trust', 'proofs'], OPERATOR)).toBe(0)
  expect(await tell('doctor as JSON', ['doctor', '--json', '--trust', 'proofs'], OPERATOR)).toBe(0)
  expect(await tell('a bad key', ['config'], { TONLITH_API_KEY: `${MISTAKEN} with blanks` })).toBe(1)
  expect(await tell('a key as flag', ['serve', `--api-key=${MISTAKEN}`], {})).toBe(2)
  expect(await tell('a token as flag', ['serve', '--admin-token', MISTAKEN], {})).toBe(2)
  const open = ['serve', '--admin-listen', '0.0.0.0:0', '--listen', '127.0.0.1:0']
  expect(await tell('an admin listener for everybody', open, {})).toBe(1)
  expect(out.get('an admin listener for everybody')).toContain('it needs an admin_token')
  expect(await tell('keys', ['keys', 'list'], OPERATOR)).toBe(0)
  expect(await tell('merchants', ['merchants', 'list'], OPERATOR)).toBe(0)
}, 60_000)

test('none of it stands in anything that came out', async () => {
  if (process.platform === 'linux') out.set('list of processes', readFileSync(`/proc/${gateway.pid}/cmdline`, 'utf8'))
  out.set('standard output', gateway.lines.join('\n'))
  await gateway.end()
  out.set('log', gateway.stderr())
  expect(gateway.stderr().split('\n').length).toBeGreaterThan(20)
  expect(gateway.stderr()).toContain('"caller":"friend"')
  const found = [...out].flatMap(([where, text]) =>
    secrets.filter((secret) => text.includes(secret)).map((secret) => `${where}: ${secrets.indexOf(secret)}`),
  )
  expect(found).toEqual([])
})
