import type { DeliveryState, Merchant, WebhookSecret } from '../../model/payments.ts'
import type { ListPage } from '../../store/payments/newest-first.ts'
import { type Html, type HtmlValue, html } from '../html.ts'
import { type DeliveryLine, deliveriesTable } from './deliveries-table.ts'
import { buttonForm, copyable, empty, linkTo, notice, pager, tokenField } from './elements.ts'
import { timeOfSeconds } from './format.ts'
import type { PageContent } from './layout.ts'
import { STATES } from './overview-figures.ts'
import { stateWord } from './words.ts'

const PATH = '/dashboard/webhooks'

/** What the page of webhooks shows beside what is kept. */
export interface WebhooksShown {
  readonly notice?: HtmlValue
  /** The secret stands in the page. */
  readonly isRevealed?: boolean
  /** What was typed and could not be used. */
  readonly typed?: string
}

/** The part of the log that is shown. */
export interface ShownLog extends ListPage<DeliveryLine> {
  readonly state: DeliveryState | undefined
  readonly before: string | undefined
}

const urlForm = (
  { webhook, network }: Merchant,
  typed: string | undefined,
  ignored: string | null,
  token: string,
): Html =>
  html`<section class="card"><h2>Endpoint</h2>${
    webhook.url !== null && ignored !== null && notice('bad', html`Nothing is sent: ${ignored}.`)
  }<form class="inline" method="post" action="${PATH}/url">${tokenField(token)}<label class="wide"><span>URL</span><input name="url" type="url" value="${typed ?? webhook.url ?? ''}" maxlength="2048" placeholder="https://shop.example/webhooks/ton" autocomplete="off" spellcheck="false" aria-describedby="url-help"></label><button>Save the URL</button><p class="quiet help" id="url-help">Events are sent there with POST. ${
    network === 'mainnet' ? 'It must begin with https://.' : 'On this network http:// may be used too.'
  } Leave it empty to be told of nothing.</p></form></section>`

const secretLines = (secrets: readonly WebhookSecret[]): Html =>
  html`${secrets.map(({ secret, created, until }) => html`<div class="secret">${copyable(until === null ? 'the secret' : 'the secret before', secret)}<p class="quiet">Made ${timeOfSeconds(created)}${until !== null && html`; webhooks are signed with it too until ${timeOfSeconds(until)}`}</p></div>`)}`

const HIDDEN_SECRET = '•'.repeat(24)

const secretSection = (secrets: readonly WebhookSecret[], isRevealed: boolean, token: string): Html =>
  html`<section class="card"><h2 id="secret">Signing secret</h2><p>Your server checks <code>X-Pay-Signature</code> with it: HMAC-SHA256 of the body as it arrives, with the whole text of the secret as key.</p>${
    isRevealed
      ? secretLines(secrets)
      : html`<p><code aria-hidden="true">${HIDDEN_SECRET}</code><span class="hidden">The secret is hidden.</span></p>`
  }<div class="buttons">${
    !isRevealed && buttonForm({ action: `${PATH}/secret`, token, label: 'Reveal the secret', className: 'small' })
  }<details class="confirm"><summary>Rotate the secret</summary><form method="post" action="${PATH}/rotate">${tokenField(token)}<p>A new secret is made. For a day webhooks carry a signature of the old one too, in <code>webhook-signature</code>.</p><button class="danger small">Rotate it now</button></form></details></div></section>`

const testSection = (hasUrl: boolean, token: string): Html =>
  html`<section class="card"><h2>Test</h2><p>Sends a sample of <code>transfer.completed</code>, signed like a real one, and shows the answer.</p>${
    hasUrl
      ? html`<form class="inline" method="post" action="${PATH}/test">${tokenField(token)}<fieldset><legend>The sample tells of</legend><label class="choice"><input type="radio" name="outcome" value="success" checked> success</label><label class="choice"><input type="radio" name="outcome" value="failed"> failure</label></fieldset><button>Send a test event</button></form>`
      : html`<p class="quiet">Save a URL first.</p>`
  }</section>`

const stateLinks = (state: DeliveryState | undefined): Html =>
  html`<nav class="chips" aria-label="States"><a href="${PATH}"${state === undefined && html` aria-current="true"`}>All</a>${STATES.map(
    (each) =>
      html`<a href="${linkTo(PATH, { state: each })}"${each === state && html` aria-current="true"`}>${stateWord(each)}</a>`,
  )}</nav>`

const nothing = (state: DeliveryState | undefined): Html =>
  state === undefined
    ? empty(
        'Nothing was sent yet',
        'An event is made for each payment of a transfer. Send a test event to see how that looks.',
      )
    : empty(`No event is ${stateWord(state).toLowerCase()}`, html`<a href="${PATH}">Show all events</a>.`)

/**
 * Where events go, what they are signed with, and the log of their delivery.
 * @param secrets those that count
 * @param ignored why nothing is sent to the URL; null where something is
 */
export const webhooksPage = (
  merchant: Merchant,
  secrets: readonly WebhookSecret[],
  ignored: string | null,
  log: ShownLog,
  token: string,
  shown: WebhooksShown = {},
): PageContent => ({
  title: 'Webhooks',
  place: PATH,
  notice: shown.notice,
  main: html`${urlForm(merchant, shown.typed, ignored, token)}
<div class="pair">${secretSection(secrets, shown.isRevealed ?? false, token)}${testSection(merchant.webhook.url !== null, token)}</div>
<section class="card" aria-labelledby="log"><h2 id="log">Delivery log</h2>${stateLinks(log.state)}${
    log.items.length > 0 ? deliveriesTable('Events, the newest first', log.items, token) : nothing(log.state)
  }</section>
${pager(PATH, { state: log.state, before: log.before }, log.next)}`,
})
