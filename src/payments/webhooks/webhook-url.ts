import type { KeyNetwork } from '../../model/api-key.ts'

/** What is wrong with the URL of a webhook, in words that end the sentence "the webhook is not sent: …". */
export type UrlFault =
  | 'the URL is none'
  | 'the URL is too long'
  | 'the URL is not one of https'
  | 'the URL has a user name or a password in it'

const MAX_LENGTH = 2048

/**
 * Reads the URL that a merchant has entered. The host may be written in any way that browsers understand: what is given has
 * it as an IP address or a name, and no fragment. On mainnet `http:` is ignored (spec.md, Delivery rules 4).
 */
export const readWebhookUrl = (text: string, network: KeyNetwork): URL | UrlFault => {
  if (text.length > MAX_LENGTH) return 'the URL is too long'
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return 'the URL is none'
  const url = new URL(text)
  if (url.username !== '' || url.password !== '') return 'the URL has a user name or a password in it'
  if (url.protocol !== 'https:' && network === 'mainnet') return 'the URL is not one of https'
  url.hash = ''
  return url
}
