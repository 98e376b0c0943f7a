import { createHmac } from 'node:crypto'
import { VERSION } from '../../common/version.ts'
import type { Merchant, WebhookEvent } from '../../model/payments.ts'
import { validSecrets } from '../secrets.ts'

/** A secret of this form stands for the bytes in it where Standard Webhooks is spoken. */
const STANDARD_SECRET = /^whsec_([A-Za-z0-9+/]+={0,2})$/

/** The key of `webhook-signature`: the bytes behind `whsec_`, else those of the text. */
const standardKey = (secret: string): Buffer => {
  const base64 = STANDARD_SECRET.exec(secret)?.[1]
  return base64 === undefined ? Buffer.from(secret) : Buffer.from(base64, 'base64')
}

/** `sha256=` and the lower-case hex HMAC-SHA256 of the bytes of a body, with the bytes of the secret's text as key. */
export const paySignature = (secret: string, body: Buffer): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`

/** `v1,` and the base64 HMAC-SHA256 of `ID.TIMESTAMP.BODY` (Standard Webhooks). */
const standardSignature = (secret: string, id: string, timestamp: number, body: Buffer): string =>
  `v1,${createHmac('sha256', standardKey(secret)).update(`${id}.${timestamp}.`).update(body).digest('base64')}`

/**
 * The headers that an event is sent with. `X-Pay-Signature`, and `X-TonPay-Signature` with the same value, are made with
 * the newest secret alone, as receivers compare their text; `webhook-signature` has one signature of each valid secret.
 * @param now unix seconds
 */
export const webhookHeaders = (
  { id, body }: Pick<WebhookEvent, 'id' | 'body'>,
  merchant: Pick<Merchant, 'webhook'>,
  now: number,
): Record<string, string> => {
  const valid = validSecrets(merchant, now).map(({ secret }) => secret)
  const signature = paySignature(valid[0]!, body)
  return {
    'content-type': 'application/json',
    'content-length': String(body.length),
    'user-agent': `tonlith/${VERSION}`,
    accept: '*/*',
    'X-Pay-Signature': signature,
    'X-TonPay-Signature': signature,
    'webhook-id': id,
    'webhook-timestamp': String(now),
    'webhook-signature': valid.map((secret) => standardSignature(secret, id, now, body)).join(' '),
  }
}
