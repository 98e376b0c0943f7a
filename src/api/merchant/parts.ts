import type { KeyNetwork } from '../../model/api-key.ts'
import type { CreatedTransfer, TransferOrder } from '../../payments/create-transfer.ts'
import type { PaymentStore } from '../../store/payments/environment.ts'
import type { KeylessShare } from './keyless-share.ts'

/** What the merchant API takes from the rest of the program. */
export interface MerchantParts {
  readonly network: KeyNetwork
  /** Undefined where it cannot be opened: nothing is answered then. */
  readonly store: PaymentStore | undefined
  /** Makes a transfer. Throws as createTransfer does. */
  create(order: TransferOrder, signal: AbortSignal): Promise<CreatedTransfer>
  /** Tells that there are webhooks to be sent at once. */
  webhooksDue(): void
  /** Transfers that an address may make a second without a key, and ten times as many look-ups; 0 = no limit. It may change. */
  readonly keylessRps: number
  /** What each address has made without a key: bounded where keylessRps is no 0. */
  readonly keylessShare: KeylessShare
  /** Calls that a merchant may make a second; 0 = no limit. It may change. */
  readonly merchantRps: number
  /** Unix milliseconds. */
  now(): number
}
