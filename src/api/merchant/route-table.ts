import { OWN_ROUTES } from './own-routes.ts'
import type { MerchantRoute } from './route.ts'
import { SDK_ROUTES } from './sdk-routes.ts'
import { WEBHOOK_ROUTES } from './webhook-routes.ts'

/** Every call of the merchant API. */
export const MERCHANT_ROUTES: readonly MerchantRoute[] = [...SDK_ROUTES, ...OWN_ROUTES, ...WEBHOOK_ROUTES]
