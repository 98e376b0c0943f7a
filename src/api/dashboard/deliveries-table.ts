import type { Attempt } from '../../model/payments.ts'
import type { LoggedEvent } from '../../store/payments/events.ts'
import { type Html, type HtmlValue, html } from '../html.ts'
import { buttonForm, linkTo, table } from './elements.ts'
import { durationText, shortName, time } from './format.ts'
import { stateBadge } from './words.ts'

/** A line of the log: an event with its last attempt, undefined before the first. */
export interface DeliveryLine extends LoggedEvent {
  readonly last: Attempt | undefined
}

const MAX_ANSWER = 80

/** The HTTP status of an attempt, or why there is none. */
export const outcomeOf = ({ status, failure, ended }: Attempt): HtmlValue => {
  if (status !== null) return html`<span class="number">${status}</span>`
  return failure ?? (ended === null ? 'under way' : 'no answer')
}

/** How long an attempt took. */
export const durationOf = ({ begun, ended }: Attempt): string => (ended === null ? '–' : durationText(ended - begun))

/** The first characters of an answer. */
export const firstOfAnswer = (answer: string | null): HtmlValue => {
  if (answer === null || answer === '') return html`<span class="quiet">${answer === null ? '–' : 'empty'}</span>`
  return html`<code class="answer">${answer.slice(0, MAX_ANSWER)}${answer.length > MAX_ANSWER && '…'}</code>`
}

const eventCell = ({ event }: DeliveryLine): Html => {
  const { id, kind, test, reference } = event
  return html`<a href="${linkTo('/dashboard/delivery', { event: id })}">${kind}</a>${test && html` <span class="tag">test</span>`}${
    reference !== null && !test && html`<span class="note">${shortName(reference)}</span>`
  }`
}

/** The button that has an event sent again; none while it waits to be sent anyway. */
export const resendButton = ({ event, delivery }: LoggedEvent, token: string): HtmlValue =>
  delivery.open === null &&
  buttonForm({
    action: '/dashboard/deliveries/resend',
    token,
    fields: { event: event.id },
    label: html`Re-send<span class="hidden"> the event ${event.id}</span>`,
    className: 'small',
  })

const COLUMNS = [
  { label: 'Time' },
  { label: 'Event' },
  { label: 'State' },
  { label: 'Attempts', kind: 'number' },
  { label: 'Status' },
  { label: 'Duration', kind: 'number' },
  { label: 'Answer' },
  { label: 'Re-send', kind: 'action' },
] as const

/** The delivery log: a line for each event, with its last attempt. */
export const deliveriesTable = (caption: string, lines: readonly DeliveryLine[], token: string): Html =>
  table(
    caption,
    COLUMNS,
    lines.map((line) => [
      time(line.last?.begun ?? line.event.created),
      eventCell(line),
      stateBadge(line.delivery.state),
      line.delivery.attempts,
      line.last ? outcomeOf(line.last) : (line.delivery.reason ?? html`<span class="quiet">not tried yet</span>`),
      line.last ? durationOf(line.last) : '–',
      firstOfAnswer(line.last?.answer ?? null),
      resendButton(line, token),
    ]),
  )
