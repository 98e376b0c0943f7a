import type { MerchantKey } from '../../model/payments.ts'
import { type Html, type HtmlValue, html } from '../html.ts'
import { badge, copyable, table, tokenField } from './elements.ts'
import { timeOfSeconds } from './format.ts'
import type { PageContent } from './layout.ts'

/** What a new key is called: as names are elsewhere. */
export const KEY_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

const revokeForm = (name: string, isOwn: boolean, token: string): Html =>
  html`<details class="confirm"><summary>Revoke<span class="hidden"> the key ${name}</span></summary><form method="post" action="/dashboard/keys/revoke">${tokenField(token)}<input type="hidden" name="name" value="${name}"><p>${
    isOwn ? 'You are signed in with this key: you are signed out with it.' : 'Whatever uses it is refused from then on.'
  }</p><button class="danger small">Revoke it<span class="hidden"> (${name})</span></button></form></details>`

const keyRow = (key: MerchantKey, own: string, token: string): readonly HtmlValue[] => {
  const { name, created, revoked } = key
  const isOwn = name === own && revoked === null
  return [
    html`<strong>${name}</strong>${isOwn && html` <span class="tag">this session</span>`}`,
    timeOfSeconds(created),
    revoked === null
      ? badge('good', 'Valid')
      : html`${badge('quiet', 'Revoked')}<span class="note">${timeOfSeconds(revoked)}</span>`,
    revoked === null && revokeForm(name, isOwn, token),
  ]
}

const newKey = (name: string, secret: string): Html =>
  html`<section class="card fresh" aria-labelledby="fresh"><h2 id="fresh">The new key ${name}</h2><p>Copy it now: it is shown this once, and only its hash is kept.</p>${copyable('the new key', secret)}</section>`

/** What the page of keys shows beside the list. */
export interface KeysShown {
  readonly notice?: HtmlValue
  /** A key that was just made. */
  readonly made?: { readonly name: string; readonly secret: string }
  /** What was typed and could not be used. */
  readonly typed?: string
}

/** The API keys of a merchant. @param own name of the key of this session */
export const keysPage = (
  keys: readonly MerchantKey[],
  own: string,
  token: string,
  shown: KeysShown = {},
): PageContent => {
  const sorted = [...keys].reverse().sort((a, b) => Number(a.revoked !== null) - Number(b.revoked !== null))
  return {
    title: 'API keys',
    place: '/dashboard/keys',
    notice: shown.notice,
    main: html`<p class="lead">Your server sends a key as <code>x-api-key</code> when it asks for transfers; people sign in here with one.</p>
${shown.made && newKey(shown.made.name, shown.made.secret)}
<section class="card"><h2>New key</h2><form class="inline" method="post" action="/dashboard/keys">${tokenField(token)}<label><span>Name</span><input name="name" value="${shown.typed ?? ''}" required maxlength="64" pattern="[A-Za-z0-9][A-Za-z0-9._\\-]*" autocomplete="off" spellcheck="false" aria-describedby="name-help"></label><button>Create the key</button><p class="quiet help" id="name-help">Letters, digits, “.”, “_” and “-”: the server or the person that will use it.</p></form></section>
<section class="card">${table(
      'Keys',
      [{ label: 'Name' }, { label: 'Made' }, { label: 'State' }, { label: 'Revoke', kind: 'action' }],
      sorted.map((key) => keyRow(key, own, token)),
    )}</section>`,
  }
}
