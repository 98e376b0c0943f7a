import { html } from '../html.ts'
import type { Replied, Reply } from '../reply.ts'
import { cookieHeader, cookieName } from './cookie.ts'
import { linkTo } from './elements.ts'
import { barePage } from './layout.ts'
import { pageReply, seeOther } from './pages.ts'
import { keyHolder, newSecret, SESSION_SECONDS, signIn, signOut } from './session.ts'
import type { SignInLimits } from './sign-in-limit.ts'
import { signInForm } from './sign-in-page.ts'
import { type MerchantVisit, secondsOf, type Visit } from './visit.ts'

const START = '/dashboard'
const SIGN_IN = '/dashboard/sign-in'
/** Pages that signing in may lead on to. */
const NEXT = /^\/dashboard(\/[a-z]+)?(\?[\w=&%.:+-]*)?$/

const LOOPBACK = /^(localhost|127\.[\d.]+|\[::1\])(:\d+)?$/

const SAID: Readonly<Record<string, string>> = {
  out: 'You are signed out.',
  revoked: 'The key that you were signed in with is revoked: sign in with another one.',
  over: 'Your session is over: sign in again.',
}

const setCookie = (
  { parts, forwarded }: Visit,
  secret: string,
  seconds = SESSION_SECONDS,
): { 'set-cookie': string } => ({
  'set-cookie': cookieHeader(cookieName(parts.network, forwarded.secure), secret, forwarded.secure, seconds),
})

const nextOf = (text: string | null | undefined): string => (text && NEXT.test(text) ? text : '')

/** Real money is behind keys of mainnet. */
const isOpen = ({ parts, forwarded }: Visit): boolean =>
  parts.network === 'mainnet' && !forwarded.secure && !LOOPBACK.test(forwarded.host)

const formPage = (
  visit: Visit,
  status: number,
  next: string,
  said: { tone: 'good' | 'bad'; text: string } | undefined,
  headers: Record<string, string> = {},
): Reply =>
  pageReply(
    status,
    barePage(visit.parts.network, 'Sign in', html`${signInForm(visit.token, next, said, isOpen(visit))}`),
    {
      ...(visit.isNew && setCookie(visit, visit.secret)),
      ...headers,
    },
  )

/** Sends somebody who is not signed in, or not any more, to where that is done. */
export const toSignIn = ({ request }: Visit): Reply => {
  if (request.method === 'POST') return seeOther(`${SIGN_IN}?said=over`)
  const { pathname, search } = new URL(request.url, 'http://localhost')
  const next = nextOf(pathname + search)
  return seeOther(next === '' || next === START ? SIGN_IN : linkTo(SIGN_IN, { next }))
}

/** The form to sign in with; who is signed in goes on. */
export const signInPage = (visit: Visit): Reply => {
  const next = nextOf(visit.query('next'))
  if (visit.who) return seeOther(next || START)
  const text = SAID[visit.query('said') ?? '']
  return formPage(visit, 200, next, text === undefined ? undefined : { tone: 'good', text })
}

const waitText = (seconds: number): string =>
  seconds < 60 ? `${seconds} ${seconds === 1 ? 'second' : 'seconds'}` : `${Math.ceil(seconds / 60)} minutes`

const RIGHT_PER_SECOND = 5

/**
 * Signs in with the key in a form. Whoever has a key is never kept waiting by what others try from the same address: no
 * key is found by trying (192 random bits).
 */
export const signInAction = (visit: Visit, form: URLSearchParams, { wrong, right }: SignInLimits): Replied => {
  const { parts, address } = visit
  const { store, network } = parts
  const next = nextOf(form.get('next'))
  const key = (form.get('key') ?? '').trim()
  const who = keyHolder(store, network, key)
  const wait = Math.ceil(who ? right(who.merchant.id, RIGHT_PER_SECOND) : wrong.begin(address))
  if (wait > 0) {
    const text = `There were too many attempts: try again in ${waitText(wait)}.`
    return formPage(visit, 429, next, { tone: 'bad', text }, { 'retry-after': String(wait) })
  }
  if (!who) {
    const text = `This is no valid key of a merchant on ${network}. Look whether all of it was copied; it begins with tonlith_m_.`
    return formPage(visit, 403, next, { tone: 'bad', text })
  }
  const secret = signIn(store, key, secondsOf(visit))
  wrong.succeeded(address)
  if (visit.who) signOut(store, visit.secret)
  return seeOther(next || START, setCookie(visit, secret))
}

/** Ends the session; the cookie's next secret is another one. @param said why */
export const signOutAction = (visit: MerchantVisit, said: 'out' | 'revoked' = 'out'): Reply => {
  signOut(visit.parts.store, visit.secret)
  return seeOther(`${SIGN_IN}?said=${said}`, setCookie(visit, newSecret()))
}
