import { kept } from '../../payments/kept.ts'
import type { PaymentStore } from '../../store/payments/environment.ts'
import { findMerchantKey } from '../../store/payments/merchants.ts'
import type { Exchange } from '../exchange.ts'
import type { Refusal } from '../middleware/admission.ts'
import { callerOf } from '../middleware/client-address.ts'
import type { RateLimiter } from '../middleware/rate-limit.ts'
import { MAX_OF_ADDRESS } from './keyless-share.ts'
import type { MerchantParts } from './parts.ts'
import type { MerchantCall, MerchantRoute } from './route.ts'

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
export type Admitted = Pick<MerchantCall, 'merchant' | 'caller'> | { readonly refusal: Refusal }

const limited = (wait: number): Refusal | undefined =>
  wait === 0
    ? undefined
    : {
        status: 429,
        error: 'Ratelimit exceeded',
        ...(Number.isFinite(wait) && { retryAfter: Math.ceil(wait) }),
      }

/** Why an address makes no more transfers for now, where it has made its share of those that wait to be paid. */
const overShare = (
  { keylessRps, keylessShare }: MerchantParts,
  counts: string,
  caller: string,
): Refusal | undefined => {
  const wait = counts === 'creation' && keylessRps > 0 ? keylessShare.wait(caller) : 0
  if (wait === 0) return undefined
  const error = `there are ${MAX_OF_ADDRESS} transfers of this address already: a merchant's key may make more`
  return { status: 429, error, retryAfter: wait }
}

/** The merchant of a valid key, or why it may not be used here. */
const merchantOf = (store: PaymentStore, secret: string, network: string): Admitted => {
  const found = kept(() => findMerchantKey(store, secret))
  if (!found || found.key.revoked !== null) return { refusal: { status: 401, error: 'API key does not exist' } }
  const { merchant } = found
  if (merchant.network !== network) return { refusal: { status: 403, error: 'Network not allowed' } }
  if (merchant.disabled !== null) return { refusal: { status: 403, error: 'the merchant is disabled' } }
  return { merchant, caller: null }
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
    const caller = callerOf(addressOf(exchange.request))
    const rps = parts.keylessRps * (route.counts === 'lookup' ? LOOKUPS_PER_CREATION : 1)
    const refusal = limited(limiter(`${route.counts} ${caller}`, rps)) ?? overShare(parts, route.counts, caller)
    return refusal ? { refusal } : { merchant: null, caller }
  }
  const admitted = merchantOf(store, secret, parts.network)
  if ('refusal' in admitted || admitted.merchant === null) return admitted
  exchange.keyName = admitted.merchant.name
  const refusal = limited(limiter(`merchant ${admitted.merchant.id}`, parts.merchantRps))
  return refusal ? { refusal } : admitted
}
