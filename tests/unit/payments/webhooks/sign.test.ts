import { expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { VERSION } from '../../../../src/common/version.ts'
import type { WebhookSecret } from '../../../../src/model/payments.ts'
import { paySignature, webhookHeaders } from '../../../../src/payments/webhooks/sign.ts'

const OLD = { secret: `whsec_${Buffer.alloc(32, 1).toString('base64')}`, created: 100, until: 1_000 }
const NEW = { secret: `whsec_${Buffer.alloc(32, 2).toString('base64')}`, created: 500, until: null }
const merchant = (secrets: WebhookSecret[]) => ({ webhook: { url: null, secrets } })
const EVENT = { id: '01JDXYZ0000000000000000000', body: Buffer.from('{"event":"transfer.completed","n":"é"}') }

test('the signature is that of RFC 4231, case 2, over the exact bytes', () => {
  expect(paySignature('Jefe', Buffer.from('what do ya want for nothing?'))).toBe(
    'sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  )
})

test('an event is sent with both names of the signature, and with what Standard Webhooks asks for', () => {
  const signature = `sha256=${createHmac('sha256', NEW.secret).update(EVENT.body).digest('hex')}`
  expect(webhookHeaders(EVENT, merchant([NEW]), 1_700_000_000)).toEqual({
    'content-type': 'application/json',
    'content-length': '39',
    'user-agent': `tonlith/${VERSION}`,
    accept: '*/*',
    'X-Pay-Signature': signature,
    'X-TonPay-Signature': signature,
    'webhook-id': EVENT.id,
    'webhook-timestamp': '1700000000',
    'webhook-signature': expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
  })
})

test('webhook-signature is that of the example of Standard Webhooks', () => {
  const secret = { secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', created: 0, until: null }
  const event = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', body: Buffer.from('{"test": 2432232314}') }
  expect(webhookHeaders(event, merchant([secret]), 1_614_265_330)['webhook-signature']).toBe(
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  )
})

test('while a secret is being replaced, webhook-signature is made with both; the others with the new one alone', () => {
  const during = webhookHeaders(EVENT, merchant([NEW, OLD]), 999)
  const alone = webhookHeaders(EVENT, merchant([NEW]), 999)
  const before = webhookHeaders(EVENT, merchant([{ ...OLD, until: null }]), 999)
  expect(during['webhook-signature']).toBe(`${alone['webhook-signature']} ${before['webhook-signature']}`)
  expect(during['X-Pay-Signature']).toBe(alone['X-Pay-Signature']!)
  expect(during['X-TonPay-Signature']).toBe(alone['X-Pay-Signature']!)
  expect(webhookHeaders(EVENT, merchant([NEW, OLD]), 1_000)['webhook-signature']).not.toContain(' ')
})
