import { isTonlithError } from '../../common/errors.ts'
import type { Transfer } from '../../model/payments.ts'
import { eventsOfTransfer, findLogged } from '../../store/payments/events.ts'
import { fullPage } from '../../store/payments/newest-first.ts'
import { findTransfer, listTransfers } from '../../store/payments/transfers.ts'
import type { Reply } from '../reply.ts'
import { linkTo } from './elements.ts'
import { faultPage, NOT_FOUND } from './faults.ts'
import type { FiguresOf } from './kept-figures.ts'
import { overviewPage } from './overview-page.ts'
import { readUlid } from './page-query.ts'
import { seeOther } from './pages.ts'
import type { DashboardParts } from './parts.ts'
import { readTrace } from './trace-tree.ts'
import { type PaymentTrace, transferPage } from './transfer-page.ts'
import { type SearchFault, searchRequest, transferSearch, transfersPage } from './transfers-page.ts'
import { type MerchantVisit, secondsOf, show } from './visit.ts'
import { lineOf } from './webhook-actions.ts'

/** How the last days went. */
export const overviewView = async (visit: MerchantVisit, figuresOf: FiguresOf): Promise<Reply> => {
  const { parts, who } = visit
  return show(visit, overviewPage(who.merchant, await figuresOf(who.merchant.id), parts.lag()))
}

/** A merchant's transfer; that of another one is none. */
const ownTransfer = ({ parts, who }: MerchantVisit, text: string | undefined): Transfer | undefined => {
  const reference = readUlid(text)
  const found = reference === undefined ? undefined : findTransfer(parts.store, reference)
  return found?.merchant === who.merchant.id ? found : undefined
}

/** The list of transfers; a search for a reference leads to its transfer. */
export const transfersView = async (visit: MerchantVisit): Promise<Reply> => {
  const { parts, who, query } = visit
  const search = transferSearch(query)
  const now = secondsOf(visit)
  const list = async (): Promise<ReturnType<typeof listTransfers> | SearchFault> => {
    if (search.reference !== '') return { fault: `You have no transfer with the reference ${search.reference}.` }
    const request = searchRequest(search)
    if ('fault' in request) return request
    return fullPage(request, (part) => listTransfers(parts.store, who.merchant.id, part, now))
  }
  const found = search.reference === '' ? undefined : ownTransfer(visit, search.reference)
  if (found) return seeOther(linkTo('/dashboard/transfer', { reference: found.reference }))
  return show(visit, transfersPage(search, await list(), parts.network, now))
}

/** Traces that one page shows. */
const MAX_TRACES = 3

/** An index that cannot be read, or that does not have it, shows no trace. */
const traceOf = (parts: DashboardParts, trace_id: Buffer): PaymentTrace => {
  const index = parts.index()
  try {
    return { trace_id, trace: index && readTrace(index, trace_id) }
  } catch (error) {
    if (!isTonlithError(error)) throw error
    return { trace_id, trace: undefined }
  }
}

const tracesOf = (parts: DashboardParts, { payments }: Transfer): PaymentTrace[] => {
  const ids = new Map(payments.map(({ trace_id }) => [trace_id.toString('hex'), trace_id]))
  return [...ids.values()].slice(0, MAX_TRACES).map((id) => traceOf(parts, id))
}

/** One transfer. */
export const transferView = (visit: MerchantVisit): Reply => {
  const { parts, who, query, token } = visit
  const transfer = ownTransfer(visit, query('reference'))
  if (!transfer) return faultPage(visit, NOT_FOUND)
  const lines = eventsOfTransfer(parts.store, transfer.reference).flatMap(({ id }) => {
    const logged = findLogged(parts.store, who.merchant.id, id)
    return logged ? [lineOf(visit, logged)] : []
  })
  return show(visit, transferPage(transfer, tracesOf(parts, transfer), lines, token, secondsOf(visit)))
}
