import { VERSION } from '../../common/version.ts'
import type { KeyNetwork } from '../../model/api-key.ts'
import { type Html, type HtmlValue, html } from '../html.ts'
import { ICON, SCRIPT, STYLE } from './assets.ts'
import { buttonForm } from './elements.ts'

/** What stands around the content of a page for who is signed in. */
export interface Frame {
  readonly merchant: string
  readonly network: KeyNetwork
  readonly token: string
}

/** One page. */
export interface PageContent {
  /** Of the page: its heading, and what the browser shows. */
  readonly title: string
  /** Path of the entry of the menu that it belongs to. */
  readonly place: string
  /** On top of all else. */
  readonly notice?: HtmlValue
  readonly main: HtmlValue
}

interface MenuEntry {
  readonly path: string
  readonly label: string
}

const MAIN_MENU: readonly MenuEntry[] = [
  { path: '/dashboard', label: 'Overview' },
  { path: '/dashboard/transfers', label: 'Transfers' },
]
const DEVELOPER_MENU: readonly MenuEntry[] = [
  { path: '/dashboard/keys', label: 'API keys' },
  { path: '/dashboard/webhooks', label: 'Webhooks' },
]

const document = (title: string, className: string, body: HtmlValue): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · tonlith</title>
<link rel="icon" href="${ICON.href}" type="image/svg+xml">
<link rel="stylesheet" href="${STYLE.href}">
<script src="${SCRIPT.href}" defer></script>
</head>
<body class="${className}">
<a class="skip" href="#main">Skip to the content</a>
${body}
</body>
</html>
`.markup

const menu = (entries: readonly MenuEntry[], place: string): Html =>
  html`<ul>${entries.map(
    ({ path, label }) => html`<li><a href="${path}"${path === place && html` aria-current="page"`}>${label}</a></li>`,
  )}</ul>`

const brand = (network: KeyNetwork): Html =>
  html`<p class="brand"><a href="/dashboard">tonlith</a> <span class="network ${network}">${network}</span></p>`

/** A page for who is signed in. */
export const framedPage = ({ merchant, network, token }: Frame, { title, place, notice, main }: PageContent): string =>
  document(
    title,
    'framed',
    html`<header class="side">
${brand(network)}
<nav aria-label="Dashboard">
${menu(MAIN_MENU, place)}
<p class="group" id="developer">Developer</p>
<div role="group" aria-labelledby="developer">${menu(DEVELOPER_MENU, place)}</div>
</nav>
<div class="account"><p><span class="quiet">Merchant</span> <strong>${merchant}</strong></p>${buttonForm({
      action: '/dashboard/sign-out',
      token,
      label: 'Sign out',
      className: 'small',
    })}</div>
</header>
<main id="main" tabindex="-1">
<h1>${title}</h1>
${notice}
${main}
<footer><p>tonlith ${VERSION}</p></footer>
</main>`,
  )

/** A page for who is not signed in, or cannot be shown another one. */
export const barePage = (network: KeyNetwork, title: string, main: HtmlValue): string =>
  document(
    title,
    'bare',
    html`<main id="main" tabindex="-1">
${brand(network)}
<h1>${title}</h1>
${main}
</main>`,
  )
