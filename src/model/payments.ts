import type { Address } from '../ton/address.ts'
import type { KeyNetwork } from './api-key.ts'

/** A merchant, bound to one network as API keys are. */
export interface Merchant {
  /** ULID. */
  readonly id: string
  /** Unique among the merchants of its network that are not disabled. */
  readonly name: string
  readonly network: KeyNetwork
  /** Where transfers go that name no recipient; null where it has named none. */
  readonly wallet: Address | null
  readonly webhook: MerchantWebhook
  /** Unix seconds. */
  readonly created: number
  /** Unix seconds; null while it may do anything. Its transfers stay, and what was begun is reported. */
  readonly disabled: number | null
}

/** Where a merchant is told of its transfers, and what that is signed with. */
export interface MerchantWebhook {
  readonly url: string | null
  /** The newest first; never empty. */
  readonly secrets: readonly WebhookSecret[]
}

/** A secret that webhooks are signed with: the text itself is the key of the HMAC. */
export interface WebhookSecret {
  readonly secret: string
  /** Unix seconds. */
  readonly created: number
  /** Unix seconds from which on nothing is signed with it; null for the newest. */
  readonly until: number | null
}

/** A merchant's API key as it is kept: everything but its secret. */
export interface MerchantKey {
  /** Id of the merchant. */
  readonly merchant: string
  /** Unique among the merchant's keys that are not revoked. */
  readonly name: string
  /** Unix seconds. */
  readonly created: number
  /** Unix seconds; null while it is valid. */
  readonly revoked: number | null
}

/** A transfer that was asked for: what a wallet was given to sign, and what came of it. */
export interface Transfer {
  /** ULID: 26 characters. It stands in the text comment of the body. */
  readonly reference: string
  /** Id of the merchant; null where it was made without a key. */
  readonly merchant: string | null
  readonly network: KeyNetwork
  /** The jetton's master; null for the native coin. */
  readonly asset: Address | null
  /** Of the asset: 9 for the native coin. */
  readonly decimals: number
  /** What people call the asset; null where its master does not tell. */
  readonly ticker: string | null
  /** The asked amount in base units, above 0. */
  readonly raw_amount: bigint
  readonly sender: Address
  readonly recipient: Address
  /** False for a wallet, and where there was no contract yet: what is sent there must not bounce. */
  readonly recipient_bounceable: boolean
  /** The jetton wallets that the master gives for sender and recipient; null for the native coin. */
  readonly jetton_wallets: { readonly sender: Address; readonly recipient: Address } | null
  /** Representation hash of the body of the message that the wallet signs (the base64 `payload`). */
  readonly body_hash: Buffer
  readonly comment_to_sender: string | null
  readonly comment_to_recipient: string | null
  readonly query_id: bigint
  /** Unix seconds. */
  readonly created: number
  /** Unix seconds from which on it counts as expired while nothing was paid. */
  readonly expires: number
  /** In the order in which they were found; at most MAX_LESSER_PAYMENTS + MAX_FULL_PAYMENTS. */
  readonly payments: readonly TransferPayment[]
  /** How many more there were, which are not kept and gave no event. */
  readonly more_payments: number
}

/** How many payments of a transfer are kept that failed or brought less than was asked. */
export const MAX_LESSER_PAYMENTS = 100
/** How many are kept that brought at least what was asked. */
export const MAX_FULL_PAYMENTS = 100

/** One payment of a transfer as it was found on chain; a transfer may be paid more than once. */
export interface TransferPayment {
  readonly status: 'success' | 'failed'
  /** What arrived, in base units; failed: what was sent, or was to be sent. */
  readonly raw_amount: bigint
  /** Who paid. */
  readonly sender: Address
  /** Of the transaction that credited the recipient; failed: of the one that failed. */
  readonly tx_hash: Buffer
  /** Of the root transaction of its trace. */
  readonly trace_id: Buffer
  /** Block time of the transaction: unix seconds. */
  readonly utime: number
  /** Exit or result code; failed ones alone have one. */
  readonly error_code: number | null
  readonly error_message: string | null
}

/** What became of a transfer so far. */
export type TransferStatus = 'pending' | 'expired' | 'success' | 'failed'

/** The kinds of events. `transfer.refunded` is a reserved name: nothing sends it. */
export type WebhookEventKind = 'transfer.completed' | 'transfer.refunded'

/** Something that a merchant is told. */
export interface WebhookEvent {
  /** ULID; the `webhook-id`. */
  readonly id: string
  readonly merchant: string
  /** Of the transfer; null where it is about none. */
  readonly reference: string | null
  readonly kind: WebhookEventKind
  /** A sample that the merchant asked for. */
  readonly test: boolean
  /** The exact bytes that are sent and signed. */
  readonly body: Buffer
  /** Unix milliseconds. */
  readonly created: number
}

/** `ignored`: there is no URL, or one that may not be used; nothing is tried until it is sent again by hand. */
export const DELIVERY_STATES = ['waiting', 'delivered', 'exhausted', 'ignored'] as const
export type DeliveryState = (typeof DELIVERY_STATES)[number]

/** How the delivery of an event stands. Times are unix milliseconds. */
export interface Delivery {
  /** Id of the event. */
  readonly event: string
  readonly merchant: string
  readonly state: DeliveryState
  /** Why it is ignored; null otherwise. */
  readonly reason: string | null
  /** How many attempts there are, those by hand too. */
  readonly attempts: number
  /** How many attempts of the schedule have failed since it last began: at the start, or when it was sent again by hand. */
  readonly failures: number
  /** When the next attempt is due; null unless it is waiting. */
  readonly due: number | null
  /** The next attempt was asked for by hand. */
  readonly manual: boolean
  /** Number of the attempt that has begun and not ended, be it that the process died over it. */
  readonly open: number | null
  readonly created: number
  /** When it came to its present state. */
  readonly changed: number
}

/** One attempt to deliver an event. Times are unix milliseconds. */
export interface Attempt {
  readonly event: string
  /** From 1. */
  readonly n: number
  readonly manual: boolean
  /** Where it was sent to. */
  readonly url: string
  readonly begun: number
  /** Null while it is under way, and for good when the process died over it. */
  readonly ended: number | null
  /** HTTP status; null where no answer came. */
  readonly status: number | null
  /** Why it failed, in plain words; null when it did not. */
  readonly failure: string | null
  /** The first bytes of the answer, as text. */
  readonly answer: string | null
}

/** How far the payments of an index have been taken over. */
export interface PaymentCursor {
  /** Identity of the index: one that was made anew has another. */
  readonly index: string
  /** Key of the last row that was taken over. */
  readonly position: Buffer
}
