import { randomBytes } from 'node:crypto'
import type { Merchant, WebhookSecret } from '../model/payments.ts'

/** 192 random bits. The prefix lets people and scanners of source code see what it is. */
export const newMerchantKey = (): string => `tonlith_m_${randomBytes(24).toString('base64url')}`

/** 32 random bytes in base64. The text as a whole is the key of the HMAC. */
export const newWebhookSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

/** How long webhooks are still signed with the secret before, beside the new one: seconds. */
const OVERLAP = 86_400
/** How many secrets are kept, at most. */
const MAX_SECRETS = 3

/** The secrets that count at `now` (unix seconds), the newest first. */
export const validSecrets = ({ webhook }: Pick<Merchant, 'webhook'>, now: number): WebhookSecret[] =>
  webhook.secrets.filter(({ until }) => until === null || now < until)

/** A merchant with a new secret; those before it count for a while yet. @param now unix seconds */
export const rotateSecret = (merchant: Merchant, secret: string, now: number): Merchant => ({
  ...merchant,
  webhook: {
    ...merchant.webhook,
    secrets: [
      { secret, created: now, until: null },
      ...validSecrets(merchant, now).map((old) => ({ ...old, until: old.until ?? now + OVERLAP })),
    ].slice(0, MAX_SECRETS),
  },
})
