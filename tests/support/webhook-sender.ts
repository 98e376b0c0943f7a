import { systemClock } from '../../src/common/clock.ts'
import { createLogger } from '../../src/common/logger.ts'
import { createOutbox } from '../../src/payments/webhooks/outbox.ts'
import { createSend } from '../../src/payments/webhooks/send.ts'
import { createTargetGuard } from '../../src/payments/webhooks/target-guard.ts'
import { openPaymentStore } from '../../src/store/payments/environment.ts'

/**
 * Sends the webhooks in a data folder as the gateway of a network of our own does, and nothing else, until it is killed:
 * `bun webhook-sender.ts DATA DELAY,DELAY,… DEADLINE`, in milliseconds.
 */
const [data = '', delays = '', deadline = ''] = process.argv.slice(2)
const store = await openPaymentStore(data)
const clock = systemClock
const guard = createTargetGuard({ network: 'dev', allowHosts: [] })
const outbox = createOutbox({
  store,
  network: 'dev',
  policy: { delays: delays.split(',').map(Number), random: Math.random },
  send: createSend({ guard, clock, deadlineMs: Number(deadline) }),
  clock,
  logger: createLogger('warn', 'pretty'),
  signal: new AbortController().signal,
})
process.stdout.write('sending\n')
await outbox.run()
