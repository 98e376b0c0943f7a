import type { Transfer } from '../../model/payments.ts'
import { amountText } from '../../payments/asset-amount.ts'
import { NATIVE_ASSET, shownAddress } from '../../payments/transfer-info.ts'
import { type Html, html } from '../html.ts'

/** Keeps a number in one piece and is no letter of it. */
const NARROW_BLANK = ' '

/** Milliseconds since 1970 as "2026-11-28 14:12:36 UTC". */
export const timeText = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} UTC`

/** The same for people and machines. */
export const time = (ms: number): Html => html`<time datetime="${new Date(ms).toISOString()}">${timeText(ms)}</time>`

/** The same of unix seconds. */
export const timeOfSeconds = (seconds: number): Html => time(seconds * 1000)

const grouped = (digits: string): string => digits.replace(/\B(?=(\d{3})+$)/g, NARROW_BLANK)

/** A number of whole units with its digits in groups, what is less than one unit in a quieter tone. */
export const groupedAmount = (raw: bigint, decimals: number): Html => {
  const [whole = '', fraction] = amountText(raw, decimals).split('.')
  return html`<span class="amount">${grouped(whole)}${fraction !== undefined && html`<span class="fraction">.${fraction}</span>`}</span>`
}

/** A count with its digits in groups. */
export const countText = (count: number): string => grouped(String(count))

/** What an asset is called: its ticker, else the end of its master's address. */
export const assetName = ({ asset, ticker, network }: Pick<Transfer, 'asset' | 'ticker' | 'network'>): string => {
  if (asset === null) return NATIVE_ASSET
  return ticker ?? `…${shownAddress(asset, network, true).slice(-6)}`
}

/** An amount with its asset. */
export const amountWithAsset = (raw: bigint, transfer: Transfer): Html =>
  html`${groupedAmount(raw, transfer.decimals)} <span class="unit">${assetName(transfer)}</span>`

const SHOWN = 6

/** The ends of an address or another long name; the whole of it shows where the pointer rests. */
export const shortName = (name: string): Html =>
  html`<code class="short" title="${name}">${name.slice(0, SHOWN)}…${name.slice(-SHOWN)}</code>`

/** Milliseconds as people read them: "340 ms", "9.8 s". */
export const durationText = (ms: number): string => (ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`)
