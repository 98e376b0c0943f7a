import { isTonlithError } from '../../common/errors.ts'
import { html } from '../html.ts'
import type { Reply } from '../reply.ts'
import { isMerchantVisit, show, showBare, type Visit } from './visit.ts'

interface Fault {
  readonly status: number
  readonly title: string
  /** What happened, and what to do. */
  readonly text: string
}

const back = html`<p><a href="/dashboard">Back to the overview</a></p>`

/** A page that says what is wrong. */
export const faultPage = (visit: Visit, { status, title, text }: Fault): Reply => {
  const main = html`<p role="alert">${text}</p>${back}`
  return isMerchantVisit(visit) ? show(visit, { title, place: '', main }, status) : showBare(visit, status, title, main)
}

export const NOT_FOUND: Fault = {
  status: 404,
  title: 'There is no such page',
  text: 'The address is wrong, or what it showed has been removed.',
}

/** What a form is refused with. */
export const refusedForm = (reason: string): Fault => ({
  status: 403,
  title: 'The form was not taken',
  text: `Nothing was changed: ${reason}. Go back, load the page anew and send the form again.`,
})

/** What the disk or a damaged row fails with names folders of the machine. */
const UNREADABLE: Fault = {
  status: 503,
  title: 'Not possible now',
  text: 'Payments cannot be read or written at the moment. Try again; if it stays, tell whoever runs the server.',
}

/** The fault that an error comes to; undefined for a mistake of ours. */
export const faultOf = (error: unknown): Fault | undefined => {
  if (!isTonlithError(error)) return undefined
  const { message } = error
  switch (error.kind) {
    case 'notFound':
      return { ...NOT_FOUND, title: 'There is no such thing', text: `${message}.` }
    case 'invalid':
    case 'conflict':
      return { status: 422, title: 'That cannot be used', text: `${message}.` }
    case 'limit':
      return { status: 409, title: 'That is too much', text: `${message}.` }
    case 'unavailable':
      return error.code === undefined
        ? UNREADABLE
        : { status: error.code, title: 'Not possible now', text: `${message}.` }
    case 'malformed':
      return UNREADABLE
    default:
      return undefined
  }
}

export const MISTAKE: Fault = {
  status: 500,
  title: 'Something went wrong',
  text: 'This is a mistake of the server, and it has been noted in its log. Try again; if it stays, tell whoever runs the server.',
}
