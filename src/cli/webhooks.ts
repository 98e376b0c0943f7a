import { TonlithError } from '../common/errors.ts'
import { tryParseUlid } from '../common/ulid.ts'
import type { OfMerchant, WebhooksAction } from '../config/webhooks-command.ts'
import type { Settings } from '../config.ts'
import { type Attempt, DELIVERY_STATES, type Merchant } from '../model/payments.ts'
import { MAX_ATTEMPTS, makeTestEvent, resendEvent } from '../payments/webhooks/by-hand.ts'
import { SAMPLE_STATUSES } from '../payments/webhooks/sample-event.ts'
import { openPaymentStore, type PaymentStore } from '../store/payments/environment.ts'
import { attemptsOf, findEvent, findLogged, type LoggedEvent, listLogged } from '../store/payments/events.ts'
import { findMerchant } from '../store/payments/merchants.ts'
import { fullPage } from '../store/payments/newest-first.ts'
import { existingData } from './existing-data.ts'
import { merchantCalled } from './merchants.ts'
import { shownText, textTable } from './text-table.ts'
import { isSending } from './webhooks-part.ts'

const HEAD = ['EVENT', 'CREATED', 'REFERENCE', 'STATE', 'ATTEMPTS', 'LAST']
const ATTEMPT_HEAD = ['ATTEMPT', 'BEGUN', 'MS', 'STATUS', 'FAILURE', 'ANSWER']
const SHOWN_ANSWER = 60
const PAGE = 200

const wordIn = <W extends string>(what: string, words: readonly W[], text: string): W => {
  const word = words.find((candidate) => candidate === text)
  if (word === undefined) throw new TonlithError('invalid', `${what} must be one of ${words.join(', ')}`)
  return word
}

/** To the millisecond, in UTC. */
const timeText = (ms: number): string => new Date(ms).toISOString()

const rowOf = (store: PaymentStore, { event, delivery }: LoggedEvent): string[] => {
  const [last] = attemptsOf(store, event.id, 1)
  return [
    event.id,
    timeText(event.created),
    event.test ? 'test' : (event.reference ?? '-'),
    delivery.state,
    String(delivery.attempts),
    delivery.reason ?? last?.failure ?? (last?.status == null ? '-' : `status ${last.status}`),
  ]
}

const attemptRow = ({ n, manual, begun, ended, status, failure, answer }: Attempt): string[] => [
  manual ? `${n} (by hand)` : String(n),
  timeText(begun),
  ended === null ? '-' : String(ended - begun),
  status === null ? '-' : String(status),
  failure ?? '-',
  answer === null ? '-' : shownText(JSON.stringify(answer.slice(0, SHOWN_ANSWER))),
]

const merchantOf = (store: PaymentStore, { merchant, network }: OfMerchant): Merchant =>
  merchantCalled(store, merchant, network)

/** An event of any merchant by its id. */
const eventCalled = (store: PaymentStore, text: string): LoggedEvent & { merchant: Merchant } => {
  const id = tryParseUlid(text)
  const event = id === undefined ? undefined : findEvent(store, id)
  const logged = event && findLogged(store, event.merchant, event.id)
  const merchant = event && findMerchant(store, event.merchant)
  if (!logged || !merchant) throw new TonlithError('notFound', `there is no event ${text}`)
  return { ...logged, merchant }
}

/** Sends again what was given up, and what could not be sent when it was made. Gives how many these are. */
const resendUndelivered = (store: PaymentStore, merchant: Merchant, now: number): number => {
  let count = 0
  for (const state of ['exhausted', 'ignored'] as const)
    for (let before: string | undefined; ; ) {
      const { items, next } = listLogged(store, merchant.id, { limit: PAGE, state, ...(before && { before }) })
      const wanted = items.filter(({ delivery }) => delivery.attempts < MAX_ATTEMPTS)
      store.transaction(() => {
        for (const { event } of wanted) resendEvent(store, merchant, event.id, now)
      })
      count += wanted.length
      if (next === null) break
      before = next
    }
  return count
}

/** What becomes of what is due now. */
const whenSent = (data: string, { network }: Merchant): string[] =>
  isSending(data, network)
    ? []
    : [
        `no server of ${network} runs on this data folder: it is sent when one starts (or within seconds, if one just has)`,
      ]

const perform = async (action: WebhooksAction, store: PaymentStore, data: string, now: number): Promise<string[]> => {
  switch (action.action) {
    case 'list': {
      const state = action.state === undefined ? undefined : wordIn('--state', DELIVERY_STATES, action.state)
      const request = { limit: action.limit, ...(state && { state }) }
      const { id } = merchantOf(store, action.of)
      const { items } = await fullPage(request, (part) => listLogged(store, id, part))
      return textTable([HEAD, ...items.map((logged) => rowOf(store, logged))])
    }
    case 'show': {
      const { event, delivery, merchant } = eventCalled(store, action.event)
      const log = attemptsOf(store, event.id)
      return [
        `event ${event.id} of ${merchant.name}: ${delivery.reason ?? delivery.state}`,
        shownText(event.body.toString()),
        ...textTable([ATTEMPT_HEAD, ...log.map(attemptRow)]),
      ]
    }
    case 'resend': {
      const { event, merchant } = eventCalled(store, action.event)
      resendEvent(store, merchant, event.id, now)
      return [`event ${event.id} is due now`, ...whenSent(data, merchant)]
    }
    case 'resend-exhausted': {
      const merchant = merchantOf(store, action.of)
      const count = resendUndelivered(store, merchant, now)
      return [count === 1 ? '1 event is due now' : `${count} events are due now`, ...whenSent(data, merchant)]
    }
    case 'test': {
      const status = wordIn('--status', SAMPLE_STATUSES, action.status ?? 'success')
      const merchant = merchantOf(store, action.of)
      const { id } = makeTestEvent(store, merchant, status, now)
      return [`test event ${id} is due now`, ...whenSent(data, merchant)]
    }
  }
}

/**
 * Works on the events in the data folder, and prints what came of it once that is on disk. What is due is sent by the server
 * that runs on the folder, now or when it starts.
 * @throws TonlithError for a merchant, event or word that is unknown, one that nothing can be sent to, and a folder that
 * is missing or cannot be used
 */
export const webhooks = async (
  action: WebhooksAction,
  settings: Settings,
  print: (line: string) => void,
): Promise<void> => {
  existingData(settings.data)
  const store = await openPaymentStore(settings.data)
  try {
    const lines = await perform(action, store, settings.data, Date.now())
    await store.flushed()
    lines.forEach(print)
  } finally {
    await store.close()
  }
}
