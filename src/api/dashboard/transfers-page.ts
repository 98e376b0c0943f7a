import { makeUlid } from '../../common/ulid.ts'
import type { KeyNetwork } from '../../model/api-key.ts'
import type { Transfer, TransferStatus } from '../../model/payments.ts'
import { shownPayment, transferStatus } from '../../model/transfer-status.ts'
import { shownAddress } from '../../payments/transfer-info.ts'
import type { ListPage, PageRequest } from '../../store/payments/newest-first.ts'
import type { TransferFilter } from '../../store/payments/transfers.ts'
import { tryParseAddress } from '../../ton/address.ts'
import { type Html, type HtmlValue, html } from '../html.ts'
import { empty, linkTo, notice, pager, table } from './elements.ts'
import { amountWithAsset, shortName, timeOfSeconds } from './format.ts'
import type { PageContent } from './layout.ts'
import { readUlid } from './page-query.ts'
import type { Visit } from './visit.ts'
import { statusBadge, statusWord } from './words.ts'

const PATH = '/dashboard/transfers'
const PER_PAGE = 25
const DAY_MS = 86_400_000
const STATUSES: readonly TransferStatus[] = ['success', 'failed', 'pending', 'expired']

/** What the form of the list says, as it was typed; empty for what is left out. */
export interface TransferSearch {
  readonly status: string
  readonly reference: string
  readonly sender: string
  readonly from: string
  readonly to: string
  readonly before: string
}

/** Reads the query of the list. */
export const transferSearch = (query: Visit['query']): TransferSearch => {
  const text = (name: string): string => query(name)?.trim() ?? ''
  return {
    status: text('status'),
    reference: text('reference'),
    sender: text('sender'),
    from: text('from'),
    to: text('to'),
    before: text('before'),
  }
}

/** What is wrong with a search, in words for who typed it. */
export type SearchFault = { readonly fault: string }

const dayOf = (text: string): number | undefined => {
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  return Number.isNaN(ms) || ms < 0 ? undefined : ms
}

const firstOf = (ms: number): string => makeUlid(ms, Buffer.alloc(10))

/** The request that a search comes to. */
export const searchRequest = (search: TransferSearch): (PageRequest & TransferFilter) | SearchFault => {
  const status = STATUSES.find((status) => status === search.status)
  const sender = search.sender === '' ? undefined : tryParseAddress(search.sender)
  const [from, to] = [dayOf(search.from), dayOf(search.to)]
  if (search.status !== '' && !status) return { fault: 'There is no such status.' }
  if (search.sender !== '' && !sender)
    return { fault: 'The sender is not an address: copy all of it from a wallet or an explorer.' }
  if (search.from !== '' && from === undefined) return { fault: 'The first day must be written as 2026-01-31.' }
  if (search.to !== '' && to === undefined) return { fault: 'The last day must be written as 2026-01-31.' }
  const before = search.before === '' ? undefined : readUlid(search.before)
  if (search.before !== '' && !before)
    return { fault: 'This page of the list does not exist: go back to the newest ones.' }
  const end = to === undefined ? undefined : firstOf(to + DAY_MS)
  const start = before !== undefined && (end === undefined || before < end) ? before : end
  return {
    limit: PER_PAGE,
    ...(status && { status }),
    ...(sender && { sender }),
    ...(from !== undefined && { after: firstOf(from) }),
    ...(start !== undefined && { before: start }),
  }
}

const field = (label: string, name: keyof TransferSearch, value: string, more: Html): Html =>
  html`<label><span>${label}</span><input name="${name}" value="${value}" ${more}></label>`

const searchForm = (search: TransferSearch): Html => {
  const free = html`autocomplete="off" spellcheck="false"`
  return html`<form class="filter card" method="get" action="${PATH}" role="search" aria-label="Transfers">
<label><span>Status</span><select name="status"><option value="">Any</option>${STATUSES.map(
    (status) =>
      html`<option value="${status}"${status === search.status && html` selected`}>${statusWord(status)}</option>`,
  )}</select></label>
${field('Reference', 'reference', search.reference, html`${free} maxlength="26"`)}
${field('Sender', 'sender', search.sender, html`${free} maxlength="67"`)}
${field('First day (UTC)', 'from', search.from, html`type="date"`)}
${field('Last day (UTC)', 'to', search.to, html`type="date"`)}
<div class="buttons"><button>Search</button><a href="${PATH}">Clear</a></div>
</form>`
}

const row = (transfer: Transfer, network: KeyNetwork, now: number): readonly HtmlValue[] => {
  const { reference, created, comment_to_recipient } = transfer
  const payment = shownPayment(transfer)
  return [
    timeOfSeconds(created),
    html`<a href="${linkTo('/dashboard/transfer', { reference })}"><code>${reference}</code></a>${
      comment_to_recipient !== null && html`<span class="note">${comment_to_recipient}</span>`
    }`,
    statusBadge(transferStatus(transfer, now)),
    amountWithAsset((payment ?? transfer).raw_amount, transfer),
    shortName(shownAddress((payment ?? transfer).sender, network, false)),
  ]
}

const isSearch = ({ before: _, ...search }: TransferSearch): boolean =>
  Object.values(search).some((text) => text !== '')

const nothing = (search: TransferSearch): Html =>
  isSearch(search)
    ? empty('No transfer fits', html`Search for less, or <a href="${PATH}">show all transfers</a>.`)
    : empty(
        'There are no transfers yet',
        html`Ask for one with <code>POST /api/merchant/v1/create-transfer</code> and <a href="/dashboard/keys">an API key</a>: it stands here at once, before it is paid.`,
      )

/** The list of transfers. @param now unix seconds */
export const transfersPage = (
  search: TransferSearch,
  found: ListPage<Transfer> | SearchFault,
  network: KeyNetwork,
  now: number,
): PageContent => {
  const list = 'fault' in found ? { items: [], next: null } : found
  const columns = [
    { label: 'Asked for' },
    { label: 'Reference' },
    { label: 'Status' },
    { label: 'Amount', kind: 'number' },
    { label: 'Sender' },
  ] as const
  const rows = list.items.map((transfer) => row(transfer, network, now))
  return {
    title: 'Transfers',
    place: PATH,
    ...('fault' in found && { notice: notice('bad', found.fault) }),
    main: html`${searchForm(search)}
${rows.length > 0 && html`<div class="card">${table('Transfers, the newest first', columns, rows)}</div>`}
${rows.length === 0 && !('fault' in found) && (list.next === null ? nothing(search) : empty('None among these', 'Older ones may fit: go on below.'))}
${pager(PATH, { ...search, before: search.before || undefined }, list.next)}`,
  }
}
