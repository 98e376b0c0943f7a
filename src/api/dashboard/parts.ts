import type { KeyNetwork } from '../../model/api-key.ts'
import type { Merchant } from '../../model/payments.ts'
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
  /**
   * Makes a test event of a merchant and has it delivered.
   * @param outcome of the sample transfer
   * @returns the id of the event
   * @throws as Environment.transaction does
   */
  sendTest(merchant: Merchant, outcome: 'success' | 'failed'): string
  /**
   * Has an event delivered again.
   * @throws TonlithError `notFound` where the merchant has no such event; as Environment.transaction does
   */
  resend(merchant: Merchant, event: string): void
}
