import type { Clock } from '../../common/clock.ts'
import type { TrustedProxies } from '../../common/proxies.ts'
import type { KeyOfMerchant } from '../../store/payments/merchants.ts'
import type { HtmlValue } from '../html.ts'
import { clientAddress } from '../middleware/client-address.ts'
import { type ForwardedRequest, forwardedRequest } from '../middleware/forwarded.ts'
import type { Reply } from '../reply.ts'
import type { BodyReader } from '../request-body.ts'
import { cookieIn, cookieName } from './cookie.ts'
import { barePage, framedPage, type PageContent } from './layout.ts'
import { pageReply } from './pages.ts'
import type { DashboardParts } from './parts.ts'
import { formToken, isSecret, newSecret, signedIn } from './session.ts'
import type { SignInLimits } from './sign-in-limit.ts'

/** What the pages need of the server. */
export interface DashboardServer {
  readonly parts: DashboardParts
  readonly clock: Clock
  readonly readBody: BodyReader
  readonly proxies: TrustedProxies
  readonly signIns: SignInLimits
  /** The address of a request's connection. */
  peerOf(request: Request): string
}

/** A request for a page. */
export interface Visit {
  readonly parts: DashboardParts
  readonly clock: Clock
  readonly request: Request
  /** A parameter of its URL, as forms write them: a plus is a blank. */
  query(name: string): string | undefined
  readonly forwarded: ForwardedRequest
  /** Of the client. */
  readonly address: string
  /** Unix milliseconds. */
  readonly now: number
  /** The secret in its cookie, or a new one where there is none. */
  readonly secret: string
  readonly isNew: boolean
  /** What its forms carry. */
  readonly token: string
  readonly who: KeyOfMerchant | undefined
}

/** A request of somebody who is signed in. */
export interface MerchantVisit extends Visit {
  readonly who: KeyOfMerchant
}

/** Unix seconds of a visit. */
export const secondsOf = ({ now }: Pick<Visit, 'now'>): number => Math.floor(now / 1000)

/** Reads who makes a request. */
export const readVisit = ({ parts, clock, proxies, peerOf }: DashboardServer, request: Request): Visit => {
  const peer = peerOf(request)
  const forwarded = forwardedRequest(request, peer, proxies)
  const now = parts.now()
  const parameters = new URLSearchParams(/\?.*$/s.exec(request.url)?.[0])
  const sent = cookieIn(request.headers, cookieName(parts.network, forwarded.secure))
  const known = isSecret(sent)
  const secret = known ? sent : newSecret()
  return {
    parts,
    clock,
    request,
    query: (name) => parameters.get(name) ?? undefined,
    forwarded,
    address: clientAddress(request.headers, peer, proxies),
    now,
    secret,
    isNew: !known,
    token: formToken(secret),
    who: known ? signedIn(parts.store, parts.network, secret, Math.floor(now / 1000)) : undefined,
  }
}

export const isMerchantVisit = (visit: Visit): visit is MerchantVisit => visit.who !== undefined

/** Shows a page to who is signed in. */
export const show = ({ who, parts, token }: MerchantVisit, content: PageContent, status = 200): Reply =>
  pageReply(status, framedPage({ merchant: who.merchant.name, network: parts.network, token }, content))

/** Shows a page to anybody. */
export const showBare = ({ parts }: Pick<Visit, 'parts'>, status: number, title: string, main: HtmlValue): Reply =>
  pageReply(status, barePage(parts.network, title, main))
