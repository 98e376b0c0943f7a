import { TonlithError } from '../../common/errors.ts'
import type { Json } from '../../common/lossless-json.ts'
import { tryParseUlid } from '../../common/ulid.ts'
import type { Merchant, TransferStatus } from '../../model/payments.ts'
import { kept } from '../../payments/kept.ts'
import { newWebhookSecret, rotateSecret, validSecrets } from '../../payments/secrets.ts'
import { isoTime, transferInfo } from '../../payments/transfer-info.ts'
import { enteredUrl, ignoredReason } from '../../payments/webhook-url.ts'
import { changeMerchant } from '../../store/payments/merchants.ts'
import { fullPage } from '../../store/payments/newest-first.ts'
import { listTransfers } from '../../store/payments/transfers.ts'
import { arrayOf, object, ref, STRING } from '../json-schema.ts'
import type { Query } from '../query.ts'
import { textIn } from './members.ts'
import { type Field, limitIn, MAX_PAGE, type MerchantRoute } from './route.ts'
import { NULLABLE_TEXT } from './schemas.ts'
import { transferJson } from './sdk-routes.ts'

const STATUSES = ['pending', 'expired', 'success', 'failed'] as const satisfies readonly TransferStatus[]

/** The parameters of every list. */
export const PAGE_FIELDS: Readonly<Record<string, Field>> = {
  limit: {
    description: 'How many at most; 50 unless given',
    schema: { type: 'integer', minimum: 1, maximum: MAX_PAGE },
  },
  before: { description: '`next` of the page before', schema: STRING },
}

/** The `before` of a list. Throws `invalid`. */
export const beforeIn = (query: Query): { before?: string } => {
  const text = query('before')
  if (text === undefined) return {}
  const before = tryParseUlid(text)
  if (before === undefined) throw new TonlithError('invalid', 'before is not what a page before has as next')
  return { before }
}

/** A word of the query that must be one of some. Throws `invalid`. */
export const wordIn = <W extends string>(query: Query, name: string, words: readonly W[]): W | undefined => {
  const text = query(name)
  if (text === undefined) return undefined
  const word = words.find((candidate) => candidate === text)
  if (word === undefined) throw new TonlithError('invalid', `${name} must be one of ${words.join(', ')}`)
  return word
}

const transfers: MerchantRoute = {
  verb: 'GET',
  path: 'transfers',
  operationId: 'getTransfers',
  summary: "The merchant's transfers, the newest first",
  key: 'required',
  query: {
    ...PAGE_FIELDS,
    status: { description: 'Only those of this status', schema: { type: 'string', enum: STATUSES } },
  },
  result: object({ transfers: arrayOf(ref('Transfer')), next: NULLABLE_TEXT }),
  errors: { 422: 'A parameter cannot be used; the text names it' },
  run: async ({ parts, store, merchant, query }) => {
    const now = Math.floor(parts.now() / 1000)
    const status = wordIn(query, 'status', STATUSES)
    const request = { limit: limitIn(query), ...beforeIn(query), ...(status && { status }) }
    const { items, next } = await fullPage(request, (part) => kept(() => listTransfers(store, merchant.id, part, now)))
    return { transfers: items.map((transfer) => transferJson(transferInfo(transfer, now))), next }
  },
}

const webhookJson = (merchant: Merchant, now: number): { [key: string]: Json } => ({
  url: merchant.webhook.url,
  ignored: ignoredReason(merchant.webhook.url, merchant.network),
  secrets: validSecrets(merchant, now).map(({ created, until }) => ({
    created: isoTime(created),
    until: until === null ? null : isoTime(until),
  })),
})

const WEBHOOK = object({
  url: NULLABLE_TEXT,
  ignored: { ...NULLABLE_TEXT, description: 'Why nothing is sent there; null where it is' },
  secrets: arrayOf(object({ created: STRING, until: NULLABLE_TEXT })),
})

const webhook: MerchantRoute = {
  verb: 'GET',
  path: 'webhook',
  operationId: 'getWebhook',
  summary: 'Where webhooks are sent, and since when its secrets count; the secrets themselves are not told',
  key: 'required',
  result: WEBHOOK,
  errors: {},
  run: ({ parts, merchant }) => webhookJson(merchant, Math.floor(parts.now() / 1000)),
}

const setWebhook: MerchantRoute = {
  verb: 'PUT',
  path: 'webhook',
  operationId: 'setWebhook',
  summary: 'Sets where webhooks are sent',
  key: 'required',
  body: { url: { description: 'https, or http on testnet and dev; null or empty for none', schema: NULLABLE_TEXT } },
  result: WEBHOOK,
  errors: { 422: 'The URL cannot be used' },
  run: ({ parts, store, merchant, members }) => {
    if (!members.has('url')) throw new TonlithError('invalid', 'url is required')
    const text = textIn(members, 'url')
    const url = text ? enteredUrl(text, merchant.network) : null
    const changed = kept(() =>
      changeMerchant(store, merchant.id, (found) => ({ ...found, webhook: { ...found.webhook, url } })),
    )
    return webhookJson(changed, Math.floor(parts.now() / 1000))
  },
}

const rotate: MerchantRoute = {
  verb: 'POST',
  path: 'webhook/rotate-secret',
  operationId: 'rotateWebhookSecret',
  summary: 'Makes a new secret and tells it, this once; webhooks are signed with the one before, too, for a day',
  key: 'required',
  result: object({ secret: STRING }),
  errors: {},
  run: ({ parts, store, merchant }) => {
    const secret = newWebhookSecret()
    const now = Math.floor(parts.now() / 1000)
    kept(() => changeMerchant(store, merchant.id, (found) => rotateSecret(found, secret, now)))
    return { secret }
  },
}

/** What a merchant sees and sets, beside the calls of the SDK. */
export const OWN_ROUTES: readonly MerchantRoute[] = [transfers, webhook, setWebhook, rotate]
