import type { Merchant } from '../../model/payments.ts'
import { kept } from '../../payments/kept.ts'
import type { PaymentStore } from '../../store/payments/environment.ts'
import { findMerchantKey } from '../../store/payments/merchants.ts'
import type { Exchange } from '../exchange.ts'
import type { Refusal } from '../middleware/admission.ts'
import { callerOf } from '../middleware/client-address.ts'
import type { RateLimiter } from '../middleware/rate-limit.ts'
import type { MerchantParts } from './parts.ts'
import type { MerchantRoute } from './route.ts'

/** A client asks after each transfer several times. */
const LOOKUPS_PER_CREATION = 10

/** What the admission to the merchant API needs. */
export interface MerchantAdmissionRules {
  readonly parts: MerchantParts
  readonly limiter: RateLimiter
  /** The client's IP address. */
  addressOf(request: Request): string
}

/** Who asks, or why the request may not pass. */
export type Admitted = { readonly merchant: Merchant | null } | { readonly refusal: Refusal }

const limited = (wait: number): Refusal | undefined =>
  wait === 0
    ? undefined
    : {
        status: 429,
        error: 'Ratelimit exceeded',
        ...(Number.isFinite(wait) && { retryAfter: Math.ceil(wait) }),
      }

/** The merchant of a valid key, or why it may not be used here. */
const merchantOf = (store: PaymentStore, secret: string, network: string): Admitted => {
  const found = kept(() => findMerchantKey(store, secret))
  if (!found || found.key.revoked !== null) return { refusal: { status: 401, error: 'API key does not exist' } }
  const { merchant } = found
  if (merchant.network !== network) return { refusal: { status: 403, error: 'Network not allowed' } }
  if (merchant.disabled !== null) return { refusal: { status: 403, error: 'the merchant is disabled' } }
  return { merchant }
}

/**
 * The key check and the rate limits of the merchant API: a request with a key is counted for its merchant, one without for
 * its address, creations and look-ups apart.
 */
export const admitToMerchantApi = (
  { parts, limiter, addressOf }: MerchantAdmissionRules,
  store: PaymentStore,
  exchange: Exchange,
  route: MerchantRoute,
): Admitted => {
  const secret = exchange.request.headers.get('x-api-key')
  if (!secret) {
    if (route.key === 'required') return { refusal: { status: 401, error: 'the API key of a merchant is required' } }
    const rps = parts.keylessRps * (route.counts === 'lookup' ? LOOKUPS_PER_CREATION : 1)
    const refusal = limited(limiter(`${route.counts} ${callerOf(addressOf(exchange.request))}`, rps))
    return refusal ? { refusal } : { merchant: null }
  }
  const admitted = merchantOf(store, secret, parts.network)
  if ('refusal' in admitted || admitted.merchant === null) return admitted
  exchange.keyName = admitted.merchant.name
  const refusal = limited(limiter(`merchant ${admitted.merchant.id}`, parts.merchantRps))
  return refusal ? { refusal } : admitted
}
