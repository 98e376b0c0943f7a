import type { KnownTransfers } from './claim.ts'
import type { KnownWallets } from './jetton-wallets.ts'
import type { PaymentTransaction } from './payment-transaction.ts'

/** What is looked up while a transaction is matched. */
export interface Surroundings {
  transfers: KnownTransfers
  wallets: KnownWallets
  /** The transaction that took the internal message with this hash; undefined while none did. */
  takerOf(message_hash: Buffer): PaymentTransaction | undefined
}

/** What came of a claim: one payment or none; `undecided` while the transaction that tells it is missing. */
export const UNDECIDED = 'undecided'
