import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { KeyLookup } from '../../../src/api/middleware/api-key.ts'
import { openKeys } from '../../../src/cli/api-keys.ts'
import { keys } from '../../../src/cli/keys.ts'
import { createLogger } from '../../../src/common/logger.ts'
import { createStopStack, type StopStack } from '../../../src/common/shutdown.ts'
import { parseKeysCommand } from '../../../src/config/keys-command.ts'
import { resolveSettings } from '../../../src/config/resolve.ts'
import { rejectionOf } from '../../support/rejection.ts'

let folder: string
let data: string
let parts: StopStack
let logged: string[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tonlith-keys-'))
  data = join(folder, 'data')
  parts = createStopStack(() => {})
  logged = []
})
afterEach(async () => {
  await parts.stop()
  rmSync(folder, { recursive: true, force: true })
})

const settingsIn = (folder: string, plans?: string) =>
  resolveSettings('serve', {
    flags: new Map(Object.entries({ data: folder, ...(plans === undefined ? {} : { plans }) })),
    env: {},
    file: undefined,
    folder: '/',
  }).settings

const run = async (...args: string[]): Promise<string[]> => {
  const lines: string[] = []
  await keys(parseKeysCommand(args).action, settingsIn(data), (line) => lines.push(line))
  return lines
}

const open = (freeKey: () => string | undefined = () => undefined, plans?: string): Promise<KeyLookup> =>
  openKeys({
    data,
    network: 'mainnet',
    plans: () => settingsIn(data, plans).plans,
    freeKey,
    logger: createLogger('info', 'json', (line) => logged.push(line)),
    parts,
  })

const add = async (...args: string[]): Promise<string> => (await run('add', ...args))[0]!

test('a key is known from its making on, until it is revoked', async () => {
  const lookup = await open()
  const secret = await add('shop', '--plan', 'plus', '--owner', 'Ann')
  expect(secret).toMatch(/^tonlith_[A-Za-z0-9_-]{32}$/)
  await Bun.sleep(1)
  expect(lookup(secret)).toEqual({ name: 'shop', owner: 'Ann', network: 'mainnet', plan: 'plus', rps: 25 })
  expect(lookup(`${secret}x`)).toBeUndefined()
  expect(await run('set', 'shop', '--plan', 'free', '--name', 'till')).toEqual([
    'till: owner Ann, network mainnet, plan free',
  ])
  await Bun.sleep(1)
  expect(lookup(secret)).toMatchObject({ name: 'till', plan: 'free', rps: 10 })
  await run('revoke', 'till')
  await Bun.sleep(1)
  expect(lookup(secret)).toBeUndefined()
})

test('the list shows every key and no secret, and neither does the store', async () => {
  const secret = await add('shop')
  await run('revoke', 'shop')
  const again = await add('shop', '--network', 'testnet')
  const lines = await run('list')
  expect(lines).toHaveLength(3)
  expect(lines[0]).toMatch(/^NAME {2}OWNER {2}NETWORK {2}PLAN {2}CREATED +REVOKED$/)
  const time = '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ'
  expect(lines.join('\n')).toMatch(new RegExp(`^shop  shop   mainnet  free  ${time}  ${time}$`, 'm'))
  expect(lines.join('\n')).toMatch(new RegExp(`^shop  shop   testnet  free  ${time}  -$`, 'm'))
  const stored = readFileSync(join(data, 'operator/data.mdb'), 'latin1')
  for (const each of [secret, again]) {
    expect(lines.join()).not.toContain(each)
    expect(stored).not.toContain(each)
  }
})

test('mistakes are told, and change nothing', async () => {
  await add('shop')
  await add('till')
  const before = await run('list')
  const told = async (...args: string[]) => (await rejectionOf(run(...args)))?.message
  expect(await told('add', 'shop')).toBe("there is a key shop already (mainnet): a name is one key's on all networks")
  expect(await told('set', 'shop', '--name', 'till')).toStartWith('there is a key till already')
  expect(await told('revoke', 'nobody')).toBe('there is no valid key nobody; tonlith keys list tells them')
  expect(await told('add', 'x', '--plan', 'gold')).toBe('there is no plan gold; the plans are free, plus, advanced')
  expect(await told('set', 'shop', '--plan', 'gold')).toStartWith('there is no plan gold')
  expect(await told('add', 'x', '--network', 'moon')).toBe(
    'there is no network moon; the networks are mainnet, testnet, dev',
  )
  expect(await run('list')).toEqual(before)
})

test('the key of the settings may change, or go', async () => {
  let given: string | undefined = 'first'
  const lookup = await open(() => given)
  const known = () => ['first', 'second'].map((secret) => lookup(secret)?.name)
  expect(known()).toEqual(['api_key', undefined])
  given = 'second'
  expect(known()).toEqual([undefined, 'api_key'])
  given = undefined
  expect(known()).toEqual([undefined, undefined])
})

test('a key of a plan that is gone counts as of the first one, and is told', async () => {
  const secret = await add('shop', '--plan', 'advanced')
  const lookup = await open(undefined, 'basic=3,better=5')
  expect(lookup(secret)).toMatchObject({ plan: 'basic', rps: 3 })
  expect(logged.join()).toContain('the key counts as basic')
  expect(logged.join()).not.toContain(secret)
})

test('the key of the settings has no limit, beside those of the store', async () => {
  const secret = await add('shop')
  const lookup = await open(() => 'hush-hush')
  expect(lookup('hush-hush')).toMatchObject({ name: 'api_key', network: 'mainnet', rps: 0 })
  expect(lookup(secret)?.name).toBe('shop')
  expect(lookup('hush-hush-hush')).toBeUndefined()
})
