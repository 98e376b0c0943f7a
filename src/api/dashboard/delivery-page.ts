import type { Attempt, Delivery } from '../../model/payments.ts'
import type { LoggedEvent } from '../../store/payments/events.ts'
import { type Html, html } from '../html.ts'
import { durationOf, outcomeOf, resendButton } from './deliveries-table.ts'
import { copyable, empty, facts, linkTo, table } from './elements.ts'
import { time } from './format.ts'
import type { PageContent } from './layout.ts'
import { stateBadge } from './words.ts'

/** What the state means for the merchant. */
const meaning = ({ state, reason, due, open }: Delivery): Html => {
  if (open !== null) return html`It is being sent.`
  if (state === 'delivered') return html`Your endpoint has taken it.`
  if (state === 'exhausted')
    return html`No attempt succeeded, and none follows by itself. Mend the endpoint, then re-send it.`
  if (state === 'ignored')
    return html`Nothing is sent: ${reason}. <a href="/dashboard/webhooks">Set the URL</a>, then re-send it.`
  return due === null ? html`It waits to be sent.` : html`The next attempt is due at ${time(due)}.`
}

/** JSON with its parts on lines of their own; as it is where it is none. */
const pretty = (body: string): string => {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}

const attemptAnswer = ({ n, answer }: Attempt): Html | false =>
  answer !== null &&
  html`<h3>Answer to attempt ${n}</h3>${
    answer === ''
      ? html`<p class="quiet">The body was empty.</p>`
      : html`<pre tabindex="0" aria-label="Answer to attempt ${n}">${answer}</pre>`
  }`

const attemptsTable = (attempts: readonly Attempt[]): Html =>
  table(
    'Attempts, the last one first',
    [
      { label: 'Time' },
      { label: 'Attempt', kind: 'number' },
      { label: 'Status' },
      { label: 'Duration', kind: 'number' },
      { label: 'What went wrong' },
      { label: 'Sent to' },
    ],
    attempts.map((attempt) => [
      time(attempt.begun),
      html`${attempt.n}${attempt.manual && html` <span class="tag">by hand</span>`}`,
      outcomeOf(attempt),
      durationOf(attempt),
      attempt.failure ?? html`<span class="quiet">–</span>`,
      html`<code class="url">${attempt.url}</code>`,
    ]),
  )

/** One event: what is sent, and what became of each attempt. */
export const deliveryPage = (logged: LoggedEvent, attempts: readonly Attempt[], token: string): PageContent => {
  const { event, delivery } = logged
  const { id, kind, test, reference, created } = event
  const newest = [...attempts].reverse()
  const moves = delivery.state === 'waiting'
  return {
    title: test ? 'Test event' : 'Event',
    place: '/dashboard/webhooks',
    main: html`<section class="card">
<p class="state" id="state" role="status"${moves && html` data-live="yes"`}>${stateBadge(delivery.state)} <span>${meaning(delivery)}</span></p>
<div id="delivery"${moves && html` data-live="yes"`}>
${facts([
  ['Event', html`${kind}${test && html` <span class="tag">test</span>`}`],
  ['Id (webhook-id)', copyable('the id', id)],
  ['Made', time(created)],
  ...(reference !== null && !test
    ? [
        [
          'Transfer',
          html`<a href="${linkTo('/dashboard/transfer', { reference })}"><code>${reference}</code></a>`,
        ] as const,
      ]
    : []),
])}
<div class="buttons">${resendButton(logged, token)}</div>
<h2>Attempts</h2>
${newest.length === 0 ? empty('Nothing was sent yet', 'Each attempt stands here, with the answer to it.') : attemptsTable(newest)}
${newest[0] && attemptAnswer(newest[0])}
</div></section>
<section class="card"><h2>Body</h2><p class="quiet">What is sent and signed has no blanks between its parts; here they are on lines of their own.</p><pre tabindex="0" aria-label="Body of the event">${pretty(event.body.toString())}</pre></section>`,
  }
}
