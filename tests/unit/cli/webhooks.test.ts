import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { webhooks } from '../../../src/cli/webhooks.ts'
import { resolveSettings } from '../../../src/config/resolve.ts'
import { parseWebhooksCommand } from '../../../src/config/webhooks-command.ts'
import {
  beginAttempt,
  endAttempt,
  INTERRUPTED,
  interruptAttempt,
} from '../../../src/payments/webhooks/delivery-steps.ts'
import { changeDelivery, findAttempt } from '../../../src/store/payments/deliveries.ts'
import { findDelivery } from '../../../src/store/payments/events.ts'
import { changeMerchant } from '../../../src/store/payments/merchants.ts'
import { claimWriter } from '../../../src/store/single-writer.ts'
import {
  madeEvents,
  madeMerchant,
  type TemporaryPayments,
  temporaryPayments,
} from '../../support/temporary-payments.ts'

const NOW = Date.UTC(2026, 10, 28, 12)
const POLICY = { delays: [], random: () => 0 }
const NO_SERVER = expect.stringContaining('no server of testnet runs on this data folder')
const BAD = { status: 500, failure: 'the answer has status 500', answer: 'no\nway' }

let payments: TemporaryPayments
beforeAll(async () => {
  payments = await temporaryPayments()
})
afterAll(() => payments.remove())

/** What the verb prints. */
const run = async (line: string): Promise<string[]> => {
  const flags = new Map([['data', payments.data]])
  const { settings } = resolveSettings('serve', { flags, env: {}, file: undefined, folder: '/' })
  const printed: string[] = []
  await webhooks(parseWebhooksCommand(line.split(' ')).action, settings, (text) => printed.push(text))
  return printed
}

const exhaust = (id: string): void =>
  payments.store.transaction(() => {
    changeDelivery(payments.store, id, (found) => beginAttempt(found, 'https://shop.example/', NOW))
    const attempt = findAttempt(payments.store, id, 1)!
    changeDelivery(payments.store, id, (found) => endAttempt(found, attempt, BAD, POLICY, NOW + 12))
  })

test('the log is listed and shown', async () => {
  const shop = madeMerchant(payments.store, 'https://shop.example/', 'testnet', NOW)
  const [failed, waiting] = madeEvents(payments.store, shop, 2, NOW)
  exhaust(failed!.id)
  expect((await run(`list ${shop.name}`)).map((row) => row.split(/ {2,}/))).toEqual([
    ['EVENT', 'CREATED', 'REFERENCE', 'STATE', 'ATTEMPTS', 'LAST'],
    [waiting!.id, '2026-11-28T12:00:00.000Z', waiting!.reference!, 'waiting', '0', '-'],
    [failed!.id, '2026-11-28T12:00:00.000Z', failed!.reference!, 'exhausted', '1', 'the answer has status 500'],
  ])
  expect(await run(`list ${shop.name} --state delivered`)).toHaveLength(1)
  expect(await run(`show ${failed!.id}`)).toEqual([
    `event ${failed!.id} of ${shop.name}: exhausted`,
    failed!.body.toString(),
    expect.stringContaining('ATTEMPT'),
    expect.stringMatching(/^1 +2026-11-28T12:00:00\.000Z +12 +500 +the answer has status 500 +"no\\nway"$/),
  ])
  await expect(run('show 01JDXYZ0000000000000000000')).rejects.toThrow('there is no event')
  await expect(run('list nobody')).rejects.toThrow('there is no merchant nobody')
  await expect(run(`list ${shop.name} --state lost`)).rejects.toThrow('--state must be one of waiting')
})

test('one event is sent again, or all that are exhausted', async () => {
  const shop = madeMerchant(payments.store, 'https://shop.example/', 'testnet', NOW)
  const events = madeEvents(payments.store, shop, 450, NOW)
  for (const { id } of events.slice(1)) exhaust(id)
  expect(await run(`resend ${events[5]!.id.toLowerCase()}`)).toEqual([`event ${events[5]!.id} is due now`, NO_SERVER])
  expect(findDelivery(payments.store, events[5]!.id)).toMatchObject({ state: 'waiting', manual: true })
  expect(await run(`resend-exhausted ${shop.name}`)).toEqual(['448 events are due now', NO_SERVER])
  expect(await run(`list ${shop.name} --state exhausted`)).toHaveLength(1)
})

test('an answer gives no orders to the terminal', async () => {
  const shop = madeMerchant(payments.store, 'https://shop.example/', 'testnet', NOW)
  const [event] = madeEvents(payments.store, shop, 1, NOW)
  const answer = 'a\u001b[31m\u009b2J\u202eb\u0000\u007f é 😀'
  changeDelivery(payments.store, event!.id, (found) => beginAttempt(found, 'https://shop.example/', NOW))
  const attempt = findAttempt(payments.store, event!.id, 1)!
  changeDelivery(payments.store, event!.id, (found) => endAttempt(found, attempt, { ...BAD, answer }, POLICY, NOW))
  const [shown] = / "(.*)"$/.exec((await run(`show ${event!.id}`)).at(-1)!)!
  expect(shown).toBe(' "a\\u001b[31m\\u009b2J\\u202eb\\u0000\\u007f é 😀"')
  expect(JSON.parse(shown)).toBe(answer)
})

test('a test event is made', async () => {
  const shop = madeMerchant(payments.store, 'https://shop.example/', 'testnet', NOW)
  const [line, ...rest] = await run(`test ${shop.name} --status failed`)
  expect(rest).toEqual([NO_SERVER])
  const id = /^test event (\S+) is due now$/.exec(line!)![1]!
  expect((await run(`list ${shop.name}`))[1]).toMatch(new RegExp(`^${id} .* test +waiting +0 +-$`))
})

test('what a server that runs sends now is not told to wait', async () => {
  const shop = madeMerchant(payments.store, 'https://shop.example/', 'testnet', NOW)
  const sender = claimWriter(join(payments.data, 'payments.testnet.sender'))
  try {
    expect(await run(`test ${shop.name}`)).toHaveLength(1)
  } finally {
    sender.release()
  }
})

test('events that were ignored are sent once there is a URL', async () => {
  const { store } = payments
  const shop = madeMerchant(store, null, 'testnet', NOW)
  const [event] = madeEvents(store, shop, 1, NOW)
  expect(findDelivery(store, event!.id)?.state).toBe('ignored')
  await expect(run(`resend-exhausted ${shop.name}`)).rejects.toThrow('nothing can be sent: no URL is set')
  changeMerchant(store, shop.id, (merchant) => ({
    ...merchant,
    webhook: { ...merchant.webhook, url: 'https://shop.example/' },
  }))
  expect(await run(`resend-exhausted ${shop.name}`)).toEqual(['1 event is due now', NO_SERVER])
  expect(findDelivery(store, event!.id)).toMatchObject({ state: 'waiting', reason: null, manual: true })
})

test('an attempt that was cut off has no end', async () => {
  const shop = madeMerchant(payments.store, 'https://shop.example/', 'testnet', NOW)
  const [event] = madeEvents(payments.store, shop, 1, NOW)
  changeDelivery(payments.store, event!.id, (found) => beginAttempt(found, 'https://shop.example/', NOW))
  const attempt = findAttempt(payments.store, event!.id, 1)!
  changeDelivery(payments.store, event!.id, (found) => interruptAttempt(found, attempt, POLICY, NOW + 5))
  expect((await run(`show ${event!.id}`)).at(-1)).toMatch(new RegExp(`^1 +\\S+ +- +- +${INTERRUPTED} +-$`))
})
