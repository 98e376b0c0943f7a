import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { doctor } from '../../../src/cli/doctor.ts'
import { networkOf } from '../../../src/cli/index-messages.ts'
import { loadSettings } from '../../../src/config/load.ts'
import { UsageError } from '../../../src/config/usage-error.ts'
import type { ArchiveLiteserver } from '../../../src/devnet/archive-liteserver.ts'
import { openKeyStore } from '../../../src/store/api-keys.ts'
import { indexFolder, openIndexStore } from '../../../src/store/index-store.ts'
import { openPaymentStore } from '../../../src/store/payments/environment.ts'
import { startArchive } from '../../support/archive-client.ts'
import { recordedChain } from '../../support/recorded-chain.ts'
import { globalConfigOf } from '../../support/served-gateway.ts'

const SECRET = 'a-secret-of-the-operator'
const NETWORK = networkOf(recordedChain().zerostate(-1)!.id)

let folder: string
let archive: ArchiveLiteserver
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tonlith-doctor-'))
  archive = await startArchive({ head: 357 })
  writeFileSync(join(folder, 'global.json'), globalConfigOf([{ ...archive.address, key: archive.publicKey }]))
})
afterAll(() => {
  archive.stop()
  rmSync(folder, { recursive: true, force: true })
})

interface Report {
  ok: boolean
  findings: ({ subject: string; verdict: string; text: string } & Record<string, unknown>)[]
}

const look = async (data: string, flags: Record<string, string> = {}, asJson = true) => {
  const lines: string[] = []
  const all = new Map(Object.entries({ data: join(folder, data), global_config: 'global.json', ...flags }))
  const sources = { flags: all, env: { TONLITH_API_KEY: SECRET }, folder }
  const code = await doctor(
    () => loadSettings('serve', sources),
    asJson,
    (line) => lines.push(line),
  )
  const report = asJson ? (JSON.parse(lines.join('')) as Report) : { ok: code === 0, findings: [] }
  return { code, lines, report, of: (subject: string) => report.findings.find((one) => one.subject === subject)! }
}

test('a good place: nothing fails, nothing is left behind, no secret is told', async () => {
  const { code, report, lines, of } = await look('new')
  expect(report.findings.filter(({ verdict }) => verdict === 'failed')).toEqual([])
  expect([code, report.ok]).toEqual([0, true])
  expect(of(`liteserver 127.0.0.1:${archive.address.port}`)).toMatchObject({ seqno: 357, behind: 0, oldest_seqno: 1 })
  expect(of('clock')).toMatchObject({ verdict: 'ok' })
  expect(of('index')).toMatchObject({ verdict: 'ok', exists: false })
  const settings = of('config')['settings'] as { key: string; value: string | null; origin: string }[]
  expect(settings.find(({ key }) => key === 'api_key')).toMatchObject({ value: null, origin: 'env TONLITH_API_KEY' })
  expect(settings.find(({ key }) => key === 'trust')).toMatchObject({ value: 'full', origin: 'default' })
  expect(lines.join()).not.toContain(SECRET)
  expect(readdirSync(folder)).toEqual(['global.json'])
})

test('for people: a line for each thing, and a sum', async () => {
  const { lines } = await look('new', {}, false)
  expect(lines).toContainEqual(expect.stringMatching(/^ok +liteservers +1 of 1 can be used/))
  expect(lines.at(-1)).toMatch(/^\d+ ok, (1 warning|\d warnings), 0 failed$/)
  expect(lines.join()).not.toContain(SECRET)
})

describe('what is kept', () => {
  test('is read while somebody has it open', async () => {
    const data = join(folder, 'kept')
    const keys = await openKeyStore(data)
    const payments = await openPaymentStore(data)
    const { environment } = await openIndexStore(indexFolder(data), NETWORK)
    try {
      const { code, of } = await look('kept')
      expect(code).toBe(0)
      expect(of('keys')).toMatchObject({ exists: true, keys: 0 })
      expect(of('payments')).toMatchObject({ exists: true, merchants: 0, transfers: 0, events: 0 })
      expect(of('index')).toMatchObject({ exists: true, ranges: [], transactions: 0 })
    } finally {
      await Promise.all([keys, payments, environment].map((store) => store.close()))
    }
  })

  test('of another network, or no store at all, fails with what to do', async () => {
    const data = join(folder, 'other')
    const { environment } = await openIndexStore(indexFolder(data), 'some other network')
    await environment.close()
    mkdirSync(join(data, 'payments'))
    writeFileSync(join(data, 'payments', 'data.mdb'), Buffer.alloc(16_384, 0x5a))
    const { code, of } = await look('other')
    expect(code).toBe(1)
    expect(of('index')).toMatchObject({ verdict: 'failed', text: expect.stringContaining('another --data') })
    expect(of('payments')).toMatchObject({ verdict: 'failed', text: expect.stringContaining('damaged') })
  })
})

describe('settings', () => {
  test('that cannot be read are the only finding', async () => {
    const { code, report } = await look('new', { config: 'nowhere.toml' })
    expect(code).toBe(1)
    expect(report.findings).toEqual([
      { subject: 'config', verdict: 'failed', text: expect.stringContaining('nowhere.toml') },
    ])
  })
  test('a flag with a bad value is a mistake of the command line', async () => {
    await expect(look('new', { trust: 'some' })).rejects.toThrow(UsageError)
  })
  test('a global config that is none fails, and the rest is looked at nevertheless', async () => {
    writeFileSync(join(folder, 'none.json'), '{}')
    const { of } = await look('new', { global_config: 'none.json' })
    rmSync(join(folder, 'none.json'))
    expect(of('liteservers')).toMatchObject({ verdict: 'failed', text: expect.stringContaining('global config') })
    expect(of('index').verdict).toBe('ok')
  })
  test('liteservers of a plan are looked at as well', async () => {
    const { of } = await look('new', { plans: 'free=1,own=5@global.json' })
    expect(of('plan own: liteservers')).toMatchObject({ verdict: 'ok', usable: 1 })
  })
})
