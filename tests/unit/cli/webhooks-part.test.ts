import { afterAll, beforeAll, expect, test } from 'bun:test'
import { startWebhooks } from '../../../src/cli/webhooks-part.ts'
import { silentLogger } from '../../../src/common/logger.ts'
import { createStopStack } from '../../../src/common/shutdown.ts'
import { findDelivery } from '../../../src/store/payments/events.ts'
import {
  madeEvents,
  madeMerchant,
  type TemporaryPayments,
  temporaryPayments,
} from '../../support/temporary-payments.ts'
import { until } from '../../support/until.ts'

let payments: TemporaryPayments
let came = 0
const receiver = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch: () => {
    came++
    return new Response('thanks')
  },
})
beforeAll(async () => {
  payments = await temporaryPayments()
})
afterAll(async () => {
  receiver.stop(true)
  await payments.remove()
})

const start = () => {
  const parts = createStopStack()
  const settings = {
    data: payments.data,
    webhooks_retry_delays: [1_000, 5_000, 15_000],
    webhooks_allow_hosts: [],
    webhooks_log_retain: 86_400,
  }
  const webhooks = startWebhooks({ store: payments.store, network: 'dev', settings, logger: silentLogger, parts })
  return { webhooks, stop: parts.stop }
}

/** Waits until an event is delivered. */
const delivered = (id: string): Promise<true> =>
  until(async () => findDelivery(payments.store, id)?.state === 'delivered' || undefined, 'the event is delivered')

test('one process sends; the next one takes over when it ends', async () => {
  const shop = madeMerchant(payments.store, `http://localhost:${receiver.port}`, 'dev', Date.now())
  const first = start()
  const second = start()
  await Bun.sleep(0)
  expect(first.webhooks.status()).toMatchObject({ state: 'on' })
  expect(second.webhooks.status()).toEqual({ state: 'none' })
  expect(second.webhooks.sample()).toBeUndefined()
  const [event] = madeEvents(payments.store, shop, 1, Date.now())
  first.webhooks.wake()
  second.webhooks.wake()
  await delivered(event!.id)
  expect(came).toBe(1)
  expect(first.webhooks.sample()).toMatchObject({ delivered: 1, failed: 0, running: 0 })
  await first.stop()
  const [next] = madeEvents(payments.store, shop, 1, Date.now())
  await delivered(next!.id)
  expect(second.webhooks.status()).toMatchObject({ state: 'on', delivered: 1 })
  await second.stop()
  expect(came).toBe(2)
})
