import { isTonlithError } from '../../common/errors.ts'
import type { DeliveryState } from '../../model/payments.ts'
import { newWebhookSecret, rotateSecret, validSecrets } from '../../payments/secrets.ts'
import { enteredUrl, ignoredReason } from '../../payments/webhook-url.ts'
import { makeTestEvent, resendEvent } from '../../payments/webhooks/by-hand.ts'
import { attemptsOf, findLogged, type LoggedEvent, listLogged } from '../../store/payments/events.ts'
import { changeMerchant } from '../../store/payments/merchants.ts'
import { fullPage } from '../../store/payments/newest-first.ts'
import type { Replied, Reply } from '../reply.ts'
import type { DeliveryLine } from './deliveries-table.ts'
import { attemptEnded } from './delivery-end.ts'
import { deliveryPage } from './delivery-page.ts'
import { linkTo, notice } from './elements.ts'
import { faultPage, NOT_FOUND } from './faults.ts'
import { STATES } from './overview-figures.ts'
import { readUlid } from './page-query.ts'
import { seeOther } from './pages.ts'
import { type MerchantVisit, secondsOf, show } from './visit.ts'
import { type WebhooksShown, webhooksPage } from './webhooks-page.ts'

const PATH = '/dashboard/webhooks'
const PER_PAGE = 20

const DONE: Readonly<Record<string, string>> = {
  url: 'The URL is saved. Send a test event to see that it works.',
  none: 'The URL is removed: you are told of nothing.',
}

/** An event with its last attempt. */
export const lineOf = (visit: MerchantVisit, logged: LoggedEvent): DeliveryLine => ({
  ...logged,
  last: attemptsOf(visit.parts.store, logged.event.id, 1)[0],
})

const shownWebhooks = async (visit: MerchantVisit, shown: WebhooksShown, status?: number): Promise<Reply> => {
  const { parts, who, query, token } = visit
  const { merchant } = who
  const state: DeliveryState | undefined = STATES.find((each) => each === query('state'))
  const before = readUlid(query('before'))
  const request = { limit: PER_PAGE, ...(before && { before }), ...(state && { state }) }
  const page = await fullPage(request, (part) => listLogged(parts.store, merchant.id, part))
  const log = { items: page.items.map((logged) => lineOf(visit, logged)), next: page.next, state, before }
  const secrets = validSecrets(merchant, secondsOf(visit))
  const ignored = ignoredReason(merchant.webhook.url, merchant.network)
  return show(visit, webhooksPage(merchant, secrets, ignored, log, token, shown), status)
}

/** Settings and log. */
export const webhooksView = (visit: MerchantVisit): Promise<Reply> => {
  const text = DONE[visit.query('done') ?? '']
  return shownWebhooks(visit, text === undefined ? {} : { notice: notice('good', text) })
}

/** Saves the URL; an empty one takes it away, a form without one changes nothing. */
export const urlAction = async (visit: MerchantVisit, form: URLSearchParams): Promise<Reply> => {
  const { parts, who } = visit
  const typed = form.get('url')?.trim()
  if (typed === undefined)
    return shownWebhooks(visit, { notice: notice('bad', 'The URL was not saved: the form has no field url.') }, 422)
  try {
    const url = typed === '' ? null : enteredUrl(typed, who.merchant.network)
    changeMerchant(parts.store, who.merchant.id, (merchant) => ({ ...merchant, webhook: { ...merchant.webhook, url } }))
    return seeOther(`${PATH}?done=${url === null ? 'none' : 'url'}`)
  } catch (error) {
    if (!isTonlithError(error, 'invalid')) throw error
    return shownWebhooks(visit, { notice: notice('bad', `The URL was not saved: ${error.message}.`), typed }, 422)
  }
}

/** Shows the secret, in this answer alone. */
export const revealAction = (visit: MerchantVisit): Promise<Reply> => shownWebhooks(visit, { isRevealed: true })

/** Makes a new secret, and shows it. */
export const rotateAction = (visit: MerchantVisit): Promise<Reply> => {
  const { parts, who } = visit
  const secret = newWebhookSecret()
  const merchant = changeMerchant(parts.store, who.merchant.id, (found) =>
    rotateSecret(found, secret, secondsOf(visit)),
  )
  const text = 'The secret is rotated: give the new one to your server. The old one counts for a day more.'
  return shownWebhooks({ ...visit, who: { ...who, merchant } }, { notice: notice('good', text), isRevealed: true })
}

const toDelivery = (event: string): Reply => seeOther(linkTo('/dashboard/delivery', { event }))

/** Sends a test event, and goes on to what came of it. */
export const testAction = async (visit: MerchantVisit, form: URLSearchParams): Promise<Reply> => {
  const { parts, who, clock, now } = visit
  const outcome = form.get('outcome') === 'failed' ? 'failed' : 'success'
  const { id } = makeTestEvent(parts.store, who.merchant, outcome, now)
  parts.webhooksDue()
  await attemptEnded(parts.store, clock, id, 0)
  return toDelivery(id)
}

/** Sends an event again, and goes on to what came of it. */
export const resendAction = async (visit: MerchantVisit, form: URLSearchParams): Promise<Reply> => {
  const { parts, who, clock, now } = visit
  const id = readUlid(form.get('event') ?? undefined)
  const logged = id === undefined ? undefined : findLogged(parts.store, who.merchant.id, id)
  if (!logged) return faultPage(visit, NOT_FOUND)
  const { event, delivery } = logged
  resendEvent(parts.store, who.merchant, event.id, now)
  parts.webhooksDue()
  await attemptEnded(parts.store, clock, event.id, delivery.attempts)
  return toDelivery(event.id)
}

/** One event with its attempts. */
export const deliveryView = (visit: MerchantVisit): Replied => {
  const { parts, who, query, token } = visit
  const id = readUlid(query('event'))
  const logged = id === undefined ? undefined : findLogged(parts.store, who.merchant.id, id)
  if (!logged) return faultPage(visit, NOT_FOUND)
  return show(visit, deliveryPage(logged, attemptsOf(parts.store, logged.event.id), token))
}
