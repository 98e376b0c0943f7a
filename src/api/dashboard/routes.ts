import { type ErrorKind, isTonlithError } from '../../common/errors.ts'
import type { Exchange } from '../exchange.ts'
import type { Destination } from '../gate.ts'
import type { Replied, Reply } from '../reply.ts'
import { signInAction, signInPage, signOutAction, toSignIn } from './account-actions.ts'
import { faultOf, faultPage, MISTAKE, NOT_FOUND, refusedForm } from './faults.ts'
import { createFigures } from './kept-figures.ts'
import { createKeyAction, keysView, revokeKeyAction } from './key-actions.ts'
import { ASSETS } from './pages.ts'
import { foreignReason } from './same-site.ts'
import { isFormToken } from './session.ts'
import { overviewView, transfersView, transferView } from './transfer-views.ts'
import { type DashboardServer, isMerchantVisit, type MerchantVisit, readVisit, type Visit } from './visit.ts'
import {
  deliveryView,
  resendAction,
  revealAction,
  rotateAction,
  testAction,
  urlAction,
  webhooksView,
} from './webhook-actions.ts'

type View = (visit: Visit) => Replied
type Action = (visit: Visit, form: URLSearchParams) => Replied

/** What a path shows, and what a form does that is sent there. */
interface Handlers {
  readonly view?: View
  readonly action?: Action
}

/** What all paths of the dashboard begin with. */
export const DASHBOARD_BASE = '/dashboard'

const FORM_TYPE = 'application/x-www-form-urlencoded'

const forMerchant =
  (view: (visit: MerchantVisit) => Replied): View =>
  (visit) =>
    isMerchantVisit(visit) ? view(visit) : toSignIn(visit)

const actionOfMerchant =
  (action: (visit: MerchantVisit, form: URLSearchParams) => Replied): Action =>
  (visit, form) =>
    isMerchantVisit(visit) ? action(visit, form) : toSignIn(visit)

const handlersOf = ({ clock, parts, signIns }: DashboardServer): Readonly<Record<string, Handlers>> => {
  const figuresOf = createFigures(parts, clock)
  return {
    '/dashboard': { view: forMerchant((visit) => overviewView(visit, figuresOf)) },
    '/dashboard/sign-in': { view: signInPage, action: (visit, form) => signInAction(visit, form, signIns) },
    '/dashboard/sign-out': { action: actionOfMerchant((visit) => signOutAction(visit)) },
    '/dashboard/transfers': { view: forMerchant(transfersView) },
    '/dashboard/transfer': { view: forMerchant(transferView) },
    '/dashboard/keys': { view: forMerchant(keysView), action: actionOfMerchant(createKeyAction) },
    '/dashboard/keys/revoke': { action: actionOfMerchant(revokeKeyAction) },
    '/dashboard/webhooks': { view: forMerchant(webhooksView) },
    '/dashboard/webhooks/url': { action: actionOfMerchant(urlAction) },
    '/dashboard/webhooks/secret': { action: actionOfMerchant(revealAction) },
    '/dashboard/webhooks/rotate': { action: actionOfMerchant(rotateAction) },
    '/dashboard/webhooks/test': { action: actionOfMerchant(testAction) },
    '/dashboard/delivery': { view: forMerchant(deliveryView) },
    '/dashboard/deliveries/resend': { action: actionOfMerchant(resendAction) },
  }
}

/** Why a form is not taken; null where it comes from a page that was shown to who sends it. */
const refusalOf = ({ request, forwarded, secret }: Visit, form: URLSearchParams): string | null => {
  const foreign = foreignReason(request.headers, forwarded.host)
  if (foreign !== null) return foreign
  return isFormToken(form.get('token') ?? '', secret) ? null : 'the page that it was on is too old'
}

/** Of a body that cannot be read. */
const BODY_STATUS: Partial<Record<ErrorKind, number>> = { limit: 413, timeout: 408 }

/** The form in a request, or the page that refuses what is none. */
const readForm = async ({ readBody }: DashboardServer, visit: Visit): Promise<URLSearchParams | Reply> => {
  const { request } = visit
  const type = request.headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase()
  if (type !== FORM_TYPE) return faultPage(visit, { ...refusedForm('it is no form of the dashboard'), status: 415 })
  try {
    return new URLSearchParams(await readBody(request))
  } catch (error) {
    if (!isTonlithError(error)) throw error
    return faultPage(visit, { ...refusedForm(error.message), status: BODY_STATUS[error.kind] ?? 400 })
  }
}

const answer = async (server: DashboardServer, visit: Visit, { view, action }: Handlers): Promise<Reply> => {
  const { method } = visit.request
  const verbs = [...(view ? ['GET', 'HEAD'] : []), ...(action ? ['POST'] : [])]
  if (view && (method === 'GET' || method === 'HEAD')) return view(visit)
  if (!action || method !== 'POST') {
    const text = 'This address only takes what a form of the dashboard sends.'
    const refusal = faultPage(visit, { status: 405, title: 'Nothing to see here', text })
    return { ...refusal, headers: { ...refusal.headers, allow: verbs.join(', ') } }
  }
  const form = await readForm(server, visit)
  if (!(form instanceof URLSearchParams)) return form
  const refusal = refusalOf(visit, form)
  return refusal === null ? action(visit, form) : faultPage(visit, refusedForm(refusal))
}

const guarded = async (server: DashboardServer, exchange: Exchange, handlers: Handlers): Promise<Reply> => {
  const visit = readVisit(server, exchange.request)
  exchange.keyName = visit.who?.key.name ?? ''
  try {
    return await answer(server, visit, handlers)
  } catch (error) {
    const fault = faultOf(error)
    if (!fault || fault.status >= 500) exchange.error = error
    return faultPage(visit, fault ?? MISTAKE)
  }
}

const destination = (route: string, handle: (exchange: Exchange) => Replied): Destination => ({
  route,
  verbs: 'GET, HEAD, POST',
  closed: true,
  handle,
})

/** The dashboard's paths, and the destination of all others below it. */
export const dashboardRoutes = (
  server: DashboardServer,
): { paths: ReadonlyMap<string, Destination>; unknown: Destination } => ({
  paths: new Map([
    ...[...ASSETS].map(([path, answer]) => [path, destination(path, answer)] as const),
    ...Object.entries(handlersOf(server)).map(
      ([path, handlers]) => [path, destination(path, (exchange) => guarded(server, exchange, handlers))] as const,
    ),
  ]),
  unknown: destination('/dashboard/:page', (exchange) =>
    guarded(server, exchange, { view: (visit) => faultPage(visit, NOT_FOUND) }),
  ),
})
