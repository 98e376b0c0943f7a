import type { Transfer, TransferPayment } from '../../model/payments.ts'
import { transferStatus } from '../../model/transfer-status.ts'
import { NATIVE_ASSET, shownAddress } from '../../payments/transfer-info.ts'
import { type Address, rawAddress } from '../../ton/address.ts'
import { type Html, html } from '../html.ts'
import { type DeliveryLine, deliveriesTable } from './deliveries-table.ts'
import { copyable, empty, facts, table } from './elements.ts'
import { amountWithAsset, assetName, shortName, timeOfSeconds } from './format.ts'
import type { PageContent } from './layout.ts'
import { type NamedAccount, type ShownTrace, traceTree } from './trace-tree.ts'
import { statusBadge } from './words.ts'

/** A trace of one of the payments; undefined where the index cannot show it. */
export interface PaymentTrace {
  readonly trace_id: Buffer
  readonly trace: ShownTrace | undefined
}

const summary = (transfer: Transfer, now: number): Html => {
  const { payments, raw_amount, more_payments, expires } = transfer
  const status = transferStatus(transfer, now)
  const good = payments.filter((payment) => payment.status === 'success')
  const sum = good.reduce((all, payment) => all + payment.raw_amount, 0n)
  if (status === 'pending')
    return html`Nothing was paid yet. It expires at ${timeOfSeconds(expires)}; a payment that comes later is reported all the same.`
  if (status === 'expired')
    return html`Nothing was paid until it expired. A payment that comes now is reported all the same.`
  if (status === 'failed') return html`It was signed, and the money did not arrive. The payer can sign it once more.`
  if (more_payments > 0)
    return html`It was paid many times: ${more_payments} more payments are not listed, and gave no event.`
  if (sum < raw_amount) return html`Less arrived than was asked for.`
  return sum > raw_amount ? html`More arrived than was asked for.` : html`What was asked for has arrived.`
}

/** The accounts that the transfer is about, each as the page writes it above. */
const accountsOf = (transfer: Transfer): Map<string, NamedAccount> => {
  const { network, sender, recipient, recipient_bounceable, asset, jetton_wallets, payments } = transfer
  const named = (address: Address, name: string, bounceable: boolean) =>
    [rawAddress(address), { name, address: shownAddress(address, network, bounceable) }] as const
  return new Map([
    ...payments.map((payment) => named(payment.sender, 'Payer', false)),
    named(sender, 'Sender', false),
    named(recipient, 'Recipient', recipient_bounceable),
    ...(asset ? [named(asset, 'Jetton', true)] : []),
    ...(jetton_wallets
      ? [
          named(jetton_wallets.sender, 'Jetton wallet of the sender', true),
          named(jetton_wallets.recipient, 'Jetton wallet of the recipient', true),
        ]
      : []),
  ])
}

const paymentsTable = (transfer: Transfer): Html =>
  table(
    'Payments, in the order in which they were found',
    [
      { label: 'Block time' },
      { label: 'Status' },
      { label: 'Amount', kind: 'number' },
      { label: 'Payer' },
      { label: 'Transaction' },
    ],
    transfer.payments.map((payment) => [
      timeOfSeconds(payment.utime),
      html`${statusBadge(payment.status)}${payment.error_message !== null && html`<span class="note">${payment.error_message}${payment.error_code !== null && html` (code ${payment.error_code})`}</span>`}`,
      amountWithAsset(payment.raw_amount, transfer),
      shortName(shownAddress(payment.sender, transfer.network, false)),
      hashCell(payment),
    ]),
  )

const hashCell = ({ tx_hash }: TransferPayment): Html => html`<code class="url">${tx_hash.toString('base64')}</code>`

const traceSection = ({ trace_id, trace }: PaymentTrace, transfer: Transfer, title: string): Html =>
  html`<section class="card"><h2>${title}</h2>${
    trace
      ? traceTree(trace, accountsOf(transfer), (address) => shownAddress(address, transfer.network, true))
      : empty(
          'The index does not have this trace now',
          html`Its id is <code class="url">${trace_id.toString('base64')}</code>.`,
        )
  }</section>`

/** One transfer: what was asked for, what was paid, how it went on chain, and what was told of it. @param now unix seconds */
export const transferPage = (
  transfer: Transfer,
  traces: readonly PaymentTrace[],
  deliveries: readonly DeliveryLine[],
  token: string,
  now: number,
): PageContent => {
  const { reference, network, asset, sender, recipient, recipient_bounceable, created, expires } = transfer
  const titleOf = (n: number): string => (traces.length === 1 ? 'Trace' : `Trace ${n + 1} of ${traces.length}`)
  return {
    title: 'Transfer',
    place: '/dashboard/transfers',
    main: html`<section class="card"><p class="state">${statusBadge(transferStatus(transfer, now))} <span>${summary(transfer, now)}</span></p>
${facts([
  ['Reference', copyable('the reference', reference)],
  ['Asked for', amountWithAsset(transfer.raw_amount, transfer)],
  [
    'Asset',
    asset === null
      ? NATIVE_ASSET
      : html`${assetName(transfer)} ${copyable('the address of the jetton', shownAddress(asset, network, true))}`,
  ],
  ['Sender', copyable('the address of the sender', shownAddress(sender, network, false))],
  ['Recipient', copyable('the address of the recipient', shownAddress(recipient, network, recipient_bounceable))],
  ['Made', timeOfSeconds(created)],
  ['Expires', timeOfSeconds(expires)],
  ...(transfer.comment_to_recipient === null
    ? []
    : [['Comment to the recipient', transfer.comment_to_recipient] as const]),
  ...(transfer.comment_to_sender === null ? [] : [['Comment to the sender', transfer.comment_to_sender] as const]),
  ['Hash of the body', copyable('the hash of the body', transfer.body_hash.toString('base64'))],
])}</section>
<section class="card"><h2>Payments</h2>${
      transfer.payments.length === 0
        ? empty(
            'Nothing was paid yet',
            'A payment stands here as soon as all of it has happened on chain and is indexed.',
          )
        : paymentsTable(transfer)
    }</section>
${traces.map((each, n) => traceSection(each, transfer, titleOf(n)))}
<section class="card"><h2>Webhooks</h2>${
      deliveries.length === 0
        ? empty('No event yet', 'Each payment makes one event, and its delivery is shown here.')
        : deliveriesTable('Events of this transfer', deliveries, token)
    }</section>`,
  }
}
