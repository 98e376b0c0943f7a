import { TonlithError } from '../common/errors.ts'
import type { KeyNetwork } from '../model/api-key.ts'
import { readWebhookUrl, type UrlFault } from './webhooks/webhook-url.ts'

/** One that is kept all the same: merchants are told that nothing is sent there. */
const KEPT: UrlFault = 'the URL is not one of https'

/**
 * The URL of a webhook as its merchant enters it, in the form in which it is kept.
 * @throws TonlithError `invalid` for what is no URL that anything could be sent to
 */
export const enteredUrl = (text: string, network: KeyNetwork): string => {
  const url = readWebhookUrl(text, network)
  if (typeof url !== 'string') return url.href
  if (url !== KEPT) throw new TonlithError('invalid', `the webhook cannot be set: ${url}`)
  return text
}

/** Why nothing is sent to the URL of a merchant's webhook, in plain words; null where it is, and where none is set. */
export const ignoredReason = (url: string | null, network: KeyNetwork): string | null => {
  const read = url === null ? null : readWebhookUrl(url, network)
  return typeof read === 'string' ? read : null
}
