import type { Address } from '../../ton/address.ts'
import { type Claim, claimOf, type KnownTransfers } from './claim.ts'
import { jettonOutcome } from './jetton.ts'
import { nativeOutcome } from './native.ts'
import type { Outcome } from './outcome.ts'
import type { PaymentTransaction } from './payment-transaction.ts'
import { type Surroundings, UNDECIDED } from './surroundings.ts'
import { unsentClaims, unsentOutcomes } from './unsent.ts'

interface TakenClaim extends Claim {
  sender: Address
  value: bigint
}

/** What the message claims that a transaction took. */
const takenClaim = (transaction: PaymentTransaction, transfers: KnownTransfers): TakenClaim | undefined => {
  const { in_msg, account, descr } = transaction
  if (!in_msg?.source || in_msg.kind !== 'internal' || in_msg.bounced || descr !== 'ord') return undefined
  const claim = claimOf(in_msg.body, account, transfers)
  return claim && { ...claim, sender: in_msg.source, value: in_msg.value }
}

/**
 * The payments of known transfers that a transaction begins or is: it took the coins, it is the jetton wallet that was
 * asked to send jettons, or it is a wallet that was asked to pay and could not. Each payment stands at one transaction
 * only, however many a trace has. Undefined while a later transaction that tells what came of it is missing.
 */
export const paymentsAt = (transaction: PaymentTransaction, around: Surroundings): Outcome[] | undefined => {
  const claim = takenClaim(transaction, around.transfers)
  const taken = claim?.jetton
    ? jettonOutcome(claim.transfer, claim.sender, claim.jetton, transaction, around)
    : claim && nativeOutcome(claim.transfer, claim.sender, claim.value, transaction)
  if (taken === UNDECIDED) return undefined
  return [...(taken ? [taken] : []), ...unsentOutcomes(transaction, around)]
}

/** True for a transaction of which paymentsAt may tell something, now or later. */
export const mayPay = (transaction: PaymentTransaction, transfers: KnownTransfers): boolean =>
  takenClaim(transaction, transfers) !== undefined || unsentClaims(transaction, transfers).length > 0
