import type { KeyNetwork } from '../../model/api-key.ts'
import type { PaymentStore } from '../../store/payments/environment.ts'
import type { IndexReader } from '../../store/queries/index-reader.ts'

/** How far the index was behind the chain at a moment. */
export interface LagSample {
  /** Unix milliseconds. */
  readonly at: number
  /** Masterchain blocks; null while that cannot be told. */
  readonly blocks: number | null
}

/** What the dashboard takes from the rest of the program. */
export interface DashboardParts {
  readonly store: PaymentStore
  readonly network: KeyNetwork
  /** The index, once it can be read; undefined where there is none. */
  index(): IndexReader | undefined
  /** What was seen of the index over the last hour, the oldest first. */
  lag(): readonly LagSample[]
  /** Tells that there are webhooks to be sent at once. */
  webhooksDue(): void
  /** Unix milliseconds. */
  now(): number
}
