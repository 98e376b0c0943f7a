import { TonlithError } from '../common/errors.ts'
import type { KeyNetwork } from '../model/api-key.ts'

const MAX_LENGTH = 2048

/**
 * Reads the URL of a webhook as its merchant gives it. Where it leads is looked at when something is sent there.
 * @throws TonlithError `invalid` for what is no http(s) URL, and for one with a user, a password or a fragment
 */
export const parseWebhookUrl = (text: string): string => {
  const refuse = (why: string): TonlithError => new TonlithError('invalid', `the URL of the webhook ${why}`)
  if (text.length > MAX_LENGTH) throw refuse(`must have at most ${MAX_LENGTH} characters`)
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw refuse('must begin with https:// or http://')
  if (url.username !== '' || url.password !== '') throw refuse('must not hold a user or password')
  if (url.hash !== '') throw refuse('must not hold a fragment')
  return url.href
}

/** Why nothing is sent to this URL on this network, in plain words; null where it may be used. */
export const ignoredReason = (url: string | null, network: KeyNetwork): string | null => {
  if (url === null) return 'no URL is set'
  return network === 'mainnet' && !url.startsWith('https:') ? 'on mainnet only https is used' : null
}
