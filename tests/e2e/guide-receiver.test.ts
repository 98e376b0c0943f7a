import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../../src/common/clock.ts'
import { sampleBody } from '../../src/payments/webhooks/sample-event.ts'
import { createSend } from '../../src/payments/webhooks/send.ts'
import { createTargetGuard } from '../../src/payments/webhooks/target-guard.ts'
import { guideCode } from '../support/guide-code.ts'

/** The receiver of docs/payments.md, run as it stands there, is sent what the gateway sends (spec.md, "Receiver validation"). */

const ROOT = join(import.meta.dir, '../..')
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const NOW = 1_700_000_000_000
const [PAID, FAILED, DEARER, OTHER_ASSET] = ['A', 'B', 'C', 'D'].map((letter) => `01HF7YAT0000000000000000${letter}0`)
const ORDER = { rawAmount: '10500000000', asset: 'TON', state: 'open' }
const ORDERS = {
  [PAID!]: ORDER,
  [FAILED!]: ORDER,
  [DEARER!]: { ...ORDER, rawAmount: '10500000001' },
  [OTHER_ASSET!]: { ...ORDER, asset: 'EQ…' },
}

const folder = mkdtempSync(join(tmpdir(), 'tonlith-receiver-'))
let url = ''
let stop = async (): Promise<void> => {}

beforeAll(async () => {
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'receiver.mjs'), guideCode('receiver.mjs'))
  writeFileSync(join(folder, 'orders.json'), JSON.stringify(ORDERS))
  const child = Bun.spawn([process.execPath, 'receiver.mjs'], {
    cwd: folder,
    env: { PORT: '0', WEBHOOK_SECRET: SECRET },
    stdout: 'pipe',
    stderr: 'inherit',
  })
  stop = async () => {
    child.kill()
    await child.exited
  }
  const { value } = await child.stdout.getReader().read()
  url = `http://localhost:${/listening on (\d+)/.exec(new TextDecoder().decode(value))![1]}/hooks`
})
afterAll(async () => {
  await stop()
  rmSync(folder, { recursive: true, force: true })
})

const guard = createTargetGuard({ network: 'dev', allowHosts: [] })
const send = createSend({ guard, clock: systemClock })

const answerTo = async (body: Buffer, secret = SECRET): Promise<[number | null, string | null]> => {
  const target = { url: new URL(url), webhook: { url, secrets: [{ secret, created: 0, until: null }] } }
  const { status, answer } = await send({ id: 'e', body }, target, new AbortController().signal)
  return [status, answer]
}

const event = (reference: string, status: 'success' | 'failed' = 'success'): Buffer =>
  sampleBody({ network: 'dev', wallet: null }, status, reference, NOW)

test('a webhook of the gateway is verified, checked and answered', async () => {
  expect(await answerTo(event(PAID!))).toEqual([200, `order ${PAID} is paid`])
  expect(await answerTo(event(PAID!))).toEqual([200, `order ${PAID} is paid already`])
  expect(await answerTo(event(FAILED!, 'failed'))).toEqual([200, `order ${FAILED} is failed`])
  expect(await answerTo(event(FAILED!))).toEqual([200, `order ${FAILED} is paid`])
  expect(await answerTo(event(FAILED!, 'failed'))).toEqual([200, `order ${FAILED} is paid already`])
})

test('what is not as asked is answered 2xx, so that it does not come again', async () => {
  expect(await answerTo(event('01HF7YAT000000000000000000'))).toEqual([200, 'no order 01HF7YAT000000000000000000'])
  for (const reference of [DEARER!, OTHER_ASSET!])
    expect(await answerTo(event(reference))).toEqual([200, `order ${reference} asks for another amount or asset`])
})

test('what is forged, or of another kind, is refused; what is no JSON is a failure', async () => {
  expect(await answerTo(event(PAID!), 'whsec_other')).toEqual([401, 'the signature is not ours'])
  const unsigned = await fetch(url, { method: 'POST', body: event(PAID!) })
  expect(unsigned.status).toBe(401)
  expect(await answerTo(Buffer.from('{"event":"transfer.refunded"}'))).toEqual([
    400,
    'unexpected event transfer.refunded',
  ])
  expect((await answerTo(Buffer.from('no JSON')))[0]).toBe(500)
})
