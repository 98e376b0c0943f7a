import type { Merchant } from '../../model/payments.ts'
import { ignoredReason } from '../../payments/webhook-url.ts'
import { type Html, type HtmlValue, html } from '../html.ts'
import { lineChart, stackedBars } from './charts.ts'
import { empty, notice } from './elements.ts'
import { assetName, countText, groupedAmount, timeText } from './format.ts'
import type { PageContent } from './layout.ts'
import {
  DAYS,
  type DayCounts,
  MAX_COUNTED,
  type OverviewFigures,
  type Received,
  STATES,
  STATUSES,
} from './overview-figures.ts'
import type { LagSample } from './parts.ts'
import { stateWord, statusWord } from './words.ts'

const dayText = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

const sumOf = (days: readonly DayCounts[], place: number): number =>
  days.reduce((sum, { counts }) => sum + (counts[place] ?? 0), 0)

/** A share in percent; null where there is nothing to share. */
export const shareText = (part: number, whole: number): string | null => {
  if (whole === 0) return null
  const share = (part / whole) * 100
  return part === whole ? '100 %' : `${Math.min(share, 99.9).toFixed(1)} %`
}

const tile = (label: string, value: HtmlValue, more: HtmlValue): Html =>
  html`<div class="tile"><dt>${label}</dt><dd><strong>${value}</strong>${more && html`<span class="quiet">${more}</span>`}</dd></div>`

const MAX_ASSETS = 4
/** Fewer make no line. */
const MIN_SAMPLES = 5

const receivedTile = (received: readonly Received[]): Html =>
  tile(
    'Received',
    received.length === 0
      ? '0'
      : received
          .slice(0, MAX_ASSETS)
          .map(
            ({ sample, raw_amount }) =>
              html`<span class="sum">${groupedAmount(raw_amount, sample.decimals)} <span class="unit">${assetName(sample)}</span></span>`,
          ),
    received.length > MAX_ASSETS && `and ${received.length - MAX_ASSETS} more assets`,
  )

const lagTile = (lag: readonly LagSample[]): Html => {
  const last = lag.at(-1)?.blocks
  if (last === undefined || last === null) return tile('Index', 'No word yet', 'payments are found once it runs')
  return tile(
    'Index',
    last === 0 ? 'Up to date' : `${countText(last)} behind`,
    last === 0 ? 'with the chain' : 'masterchain blocks',
  )
}

const tiles = ({ transfers, deliveries, received }: OverviewFigures, lag: readonly LagSample[]): Html => {
  const [paid, failed, open] = [0, 1, 2].map((place) => sumOf(transfers, place)) as [number, number, number]
  const all = STATUSES.reduce((sum, _, place) => sum + sumOf(transfers, place), 0)
  const [delivered, exhausted] = [sumOf(deliveries, 0), sumOf(deliveries, 1)]
  return html`<dl class="tiles">${receivedTile(received)}${tile('Transfers', countText(all), `${countText(paid)} paid, ${countText(failed)} failed, ${countText(open)} open`)}${tile(
    'Webhooks delivered',
    shareText(delivered, delivered + exhausted) ?? 'None yet',
    exhausted > 0 && `${countText(exhausted)} exhausted`,
  )}${lagTile(lag)}</dl>`
}

const transfersChart = (days: readonly DayCounts[]): Html =>
  stackedBars(
    {
      title: 'Transfers by day',
      summary: `Transfers of the last ${DAYS} days by what became of them: ${STATUSES.map((status, i) => `${sumOf(days, i)} ${statusWord(status).toLowerCase()}`).join(', ')}.`,
    },
    STATUSES.map((status) => ({ name: statusWord(status), className: `fill-${status}` })),
    days.map(({ day, counts }) => ({ label: dayText(day), values: counts })),
  )

const deliveriesChart = (days: readonly DayCounts[]): Html =>
  stackedBars(
    {
      title: 'Webhooks by day',
      summary: `Webhooks of the last ${DAYS} days by how their delivery stands: ${STATES.map((state, i) => `${sumOf(days, i)} ${stateWord(state).toLowerCase()}`).join(', ')}.`,
    },
    STATES.map((state) => ({ name: stateWord(state), className: `fill-${state}` })),
    days.map(({ day, counts }) => ({ label: dayText(day), values: counts })),
  )

const lagChart = (lag: readonly LagSample[]): Html => {
  const known = lag.flatMap(({ blocks }) => (blocks === null ? [] : [blocks]))
  return lineChart(
    {
      title: 'Blocks that the index is behind',
      summary: `How many masterchain blocks the index was behind the chain over the last hour: at most ${Math.max(0, ...known)}, now ${known.at(-1) ?? 'not known'}.`,
    },
    lag.map(({ at, blocks }) => ({ label: timeText(at).slice(11), value: blocks })),
    ['Time', 'Blocks behind'],
  )
}

const firstSteps = ({ webhook }: Merchant): Html =>
  html`<section class="card"><h2>First steps</h2><ol class="steps">
<li>${webhook.url === null ? html`<a href="/dashboard/webhooks">Set the URL of your webhook</a>, so that you are told of each payment.` : html`The URL of your webhook is set. <a href="/dashboard/webhooks">Send a test event</a> to see that it arrives.`}</li>
<li><a href="/dashboard/keys">Create an API key</a> for your server, and keep it secret.</li>
<li>Ask for your first transfer: <code>POST /api/merchant/v1/create-transfer</code>. It is listed under <a href="/dashboard/transfers">Transfers</a> at once.</li>
</ol></section>`

/** The first page: how the last days went. */
export const overviewPage = (merchant: Merchant, figures: OverviewFigures, lag: readonly LagSample[]): PageContent => {
  const ignored =
    merchant.webhook.url === null ? 'your webhook has no URL' : ignoredReason(merchant.webhook.url, merchant.network)
  const isNew = figures.transfers.every(({ counts }) => counts.every((count) => count === 0))
  return {
    title: 'Overview',
    place: '/dashboard',
    ...(!isNew &&
      ignored !== null && {
        notice: notice(
          'bad',
          html`You are told of no payment: ${ignored}. <a href="/dashboard/webhooks">Set the URL</a>.`,
        ),
      }),
    main: html`${isNew && firstSteps(merchant)}
<section aria-labelledby="days"><h2 id="days">The last ${DAYS} days</h2>
<p class="quiet">Days are those of UTC.${figures.isCut && ` Of very many the newest ${countText(MAX_COUNTED)} are counted.`}</p>
${tiles(figures, lag)}
<div class="charts">
${
  !isNew &&
  html`<div class="card wide">${transfersChart(figures.transfers)}</div><div class="card">${deliveriesChart(figures.deliveries)}</div>`
}
<div class="card${isNew && ' wide'}">${
      lag.length >= MIN_SAMPLES
        ? lagChart(lag)
        : empty(
            'The index has just begun to be watched',
            'How far it is behind the chain is drawn here in a few minutes.',
          )
    }</div>
</div></section>`,
  }
}
