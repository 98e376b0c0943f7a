import { type Html, html } from '../html.ts'
import { notice, tokenField } from './elements.ts'

const OPEN =
  'This connection is not encrypted, as far as the server can see: the key could be read on its way. Ask whoever runs the server for an address with https.'

/**
 * The form to sign in with.
 * @param next path to go on to; empty: the first page
 * @param isOpen true where the key could be read on its way
 */
export const signInForm = (
  token: string,
  next: string,
  said: { tone: 'good' | 'bad'; text: string } | undefined,
  isOpen: boolean,
): Html =>
  html`${said && notice(said.tone, said.text)}${isOpen && notice('bad', OPEN)}
<form class="card sign-in" method="post" action="/dashboard/sign-in">${tokenField(token)}<input type="hidden" name="next" value="${next}">
<label><span>API key of the merchant</span><input name="key" type="password" required autofocus maxlength="200" autocomplete="current-password" spellcheck="false" autocapitalize="none" placeholder="tonlith_m_…" aria-describedby="key-help"></label>
<button>Sign in</button>
<p class="quiet help" id="key-help">Whoever runs this server gives it to you: <code>tonlith merchants add</code> makes one.</p>
</form>`
