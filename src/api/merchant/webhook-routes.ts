import { TonlithError } from '../../common/errors.ts'
import type { Json } from '../../common/lossless-json.ts'
import { tryParseUlid } from '../../common/ulid.ts'
import { type Attempt, DELIVERY_STATES, type Delivery } from '../../model/payments.ts'
import { kept } from '../../payments/kept.ts'
import { makeTestEvent, resendEvent } from '../../payments/webhooks/by-hand.ts'
import { SAMPLE_STATUSES } from '../../payments/webhooks/sample-event.ts'
import { attemptsOf, findLogged, type LoggedEvent, listLogged } from '../../store/payments/events.ts'
import { fullPage } from '../../store/payments/newest-first.ts'
import type { JsonSchema } from '../json-schema.ts'
import { arrayOf, BOOLEAN, INT32, object, STRING } from '../json-schema.ts'
import { textIn } from './members.ts'
import { beforeIn, PAGE_FIELDS, wordIn } from './own-routes.ts'
import { limitIn, type MerchantRoute, type OwnCall } from './route.ts'
import { NULLABLE_TEXT } from './schemas.ts'

/** So many of an event's attempts are told, the last ones. */
const MAX_ATTEMPTS = 100

const orNull = (schema: JsonSchema, description: string): JsonSchema => ({
  anyOf: [schema, { type: 'null' }],
  description,
})

const DELIVERY = {
  id: { type: 'string', description: 'Of the event: the `webhook-id`' },
  event: STRING,
  reference: orNull(STRING, 'Of the transfer; null for a test event'),
  test: BOOLEAN,
  state: { type: 'string', enum: DELIVERY_STATES },
  reason: orNull(STRING, 'Why nothing is sent, where it is ignored; else null'),
  attempts: INT32,
  next_attempt: NULLABLE_TEXT,
  created: STRING,
  changed: STRING,
} as const satisfies Record<string, JsonSchema>

const ATTEMPT = object({
  n: INT32,
  manual: BOOLEAN,
  url: STRING,
  begun: STRING,
  ended: orNull(STRING, 'null while it is under way, or where the server was stopped during it'),
  status: orNull(INT32, 'HTTP status; null where no answer came'),
  failure: orNull(STRING, 'Why it failed; null where it did not'),
  answer: orNull(STRING, 'The first bytes of the answer; null where none came'),
})

const isoTime = (ms: number): string => new Date(ms).toISOString()
const isoTimeOrNull = (ms: number | null): string | null => (ms === null ? null : isoTime(ms))

const deliveryJson = ({ event, delivery }: LoggedEvent): { [key: string]: Json } => ({
  id: event.id,
  event: event.kind,
  reference: event.reference,
  test: event.test,
  state: delivery.state,
  reason: delivery.reason,
  attempts: delivery.attempts,
  next_attempt: isoTimeOrNull(delivery.due),
  created: isoTime(delivery.created),
  changed: isoTime(delivery.changed),
})

const attemptJson = ({ n, manual, url, begun, ended, status, failure, answer }: Attempt): Json => ({
  n,
  manual,
  url,
  begun: isoTime(begun),
  ended: isoTimeOrNull(ended),
  status,
  failure,
  answer,
})

const notFound = (): TonlithError => new TonlithError('notFound', 'there is no such event', { code: 404 })

/** The event that the path names. Throws `notFound` where the merchant has none of this id. */
const loggedIn = ({ store, merchant, path }: OwnCall): LoggedEvent => {
  const id = tryParseUlid(path.id ?? '')
  const logged = id === undefined ? undefined : findLogged(store, merchant.id, id)
  if (!logged) throw notFound()
  return logged
}

const afterChange = (logged: LoggedEvent, delivery: Delivery): Json => deliveryJson({ ...logged, delivery })

const deliveries: MerchantRoute = {
  verb: 'GET',
  path: 'deliveries',
  operationId: 'getDeliveries',
  summary: "The merchant's events and how their delivery stands, the newest first",
  key: 'required',
  query: {
    ...PAGE_FIELDS,
    state: { description: 'Only those of this state', schema: { type: 'string', enum: DELIVERY_STATES } },
  },
  result: object({ deliveries: arrayOf(object(DELIVERY)), next: NULLABLE_TEXT }),
  errors: { 422: 'A parameter cannot be used; the text names it' },
  run: async ({ store, merchant, query }) => {
    const state = wordIn(query, 'state', DELIVERY_STATES)
    const request = { limit: limitIn(query), ...beforeIn(query), ...(state && { state }) }
    const { items, next } = await fullPage(request, (part) => kept(() => listLogged(store, merchant.id, part)))
    return { deliveries: items.map(deliveryJson), next }
  },
}

const delivery: MerchantRoute = {
  verb: 'GET',
  path: 'deliveries/:id',
  operationId: 'getDelivery',
  summary: 'One event, the body that is sent, and the attempts to deliver it',
  key: 'required',
  result: object({ ...DELIVERY, body: STRING, log: arrayOf(ATTEMPT) }),
  errors: { 404: 'The merchant has no such event' },
  run: (call) =>
    kept(() => {
      const logged = loggedIn(call)
      const log = attemptsOf(call.store, logged.event.id, MAX_ATTEMPTS)
      return { ...deliveryJson(logged), body: logged.event.body.toString(), log: log.map(attemptJson) }
    }),
}

const resend: MerchantRoute = {
  verb: 'POST',
  path: 'deliveries/:id/resend',
  operationId: 'resendDelivery',
  summary: 'Sends an event again, whatever became of it before, with all its retries',
  key: 'required',
  result: object(DELIVERY),
  errors: { 404: 'The merchant has no such event', 409: 'There is no URL that it could be sent to' },
  run: (call) => {
    const { parts, store, merchant } = call
    const logged = kept(() => loggedIn(call))
    const changed = kept(() => resendEvent(store, merchant, logged.event.id, parts.now()))
    parts.webhooksDue()
    return afterChange(logged, changed)
  },
}

const test: MerchantRoute = {
  verb: 'POST',
  path: 'webhook/test',
  operationId: 'sendTestWebhook',
  summary: 'Sends a transfer.completed about a transfer that nobody made, once, signed as all are',
  key: 'required',
  body: { status: { description: 'success unless given', schema: { type: 'string', enum: SAMPLE_STATUSES } } },
  result: object(DELIVERY),
  errors: { 409: 'There is no URL that it could be sent to, or there were many just now' },
  run: ({ parts, store, merchant, members }) => {
    const text = textIn(members, 'status') ?? 'success'
    const status = SAMPLE_STATUSES.find((word) => word === text)
    if (!status) throw new TonlithError('invalid', `status must be one of ${SAMPLE_STATUSES.join(', ')}`)
    const event = kept(() => makeTestEvent(store, merchant, status, parts.now()))
    parts.webhooksDue()
    const logged = kept(() => findLogged(store, merchant.id, event.id))
    if (!logged) throw notFound()
    return deliveryJson(logged)
  },
}

/** What a merchant sees and does of the delivery of its webhooks. */
export const WEBHOOK_ROUTES: readonly MerchantRoute[] = [deliveries, delivery, resend, test]
