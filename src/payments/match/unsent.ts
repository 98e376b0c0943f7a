import { orderedMessages } from '../../contracts/ordered-messages.ts'
import type { IntendedMessage } from '../../contracts/wallet-payload.ts'
import { type Address, rawAddress } from '../../ton/address.ts'
import { accountOf } from '../../ton/tlb/msg-address.ts'
import { type Claim, claimOf, type KnownTransfers } from './claim.ts'
import { genuineWallets } from './jetton-wallets.ts'
import { failedAt, LEFT_OUT, type Outcome } from './outcome.ts'
import type { PaymentTransaction } from './payment-transaction.ts'
import type { Surroundings } from './surroundings.ts'

const nameOf = (destination: Address | null, body_hash: Buffer): string =>
  `${destination && rawAddress(destination)} ${body_hash.toString('base64')}`

const destinationOf = ({ info }: IntendedMessage): Address | null => accountOf(info.dest)

/** Those that did not come out of the transaction: the node fills in a message, and leaves its destination and body. */
const leftOut = (ordered: readonly IntendedMessage[], { out_msgs }: PaymentTransaction): IntendedMessage[] => {
  const sent = new Map<string, number>()
  for (const { destination, body } of out_msgs) {
    const name = nameOf(destination, body.hash())
    sent.set(name, (sent.get(name) ?? 0) + 1)
  }
  return ordered.filter((message) => {
    const name = nameOf(destinationOf(message), message.body.hash())
    const left = sent.get(name) ?? 0
    sent.set(name, left - 1)
    return left <= 0
  })
}

/** A payment that a wallet was asked to send and did not. */
interface UnsentClaim extends Claim {
  /** Where the message was to go: for jettons the sender's jetton wallet. */
  destination: Address
  /** Of the message, in nano-units. */
  value: bigint
}

/** The payments that a transaction of a wallet was to send and did not, because it failed or lacked the money for them. */
export const unsentClaims = (transaction: PaymentTransaction, transfers: KnownTransfers): UnsentClaim[] => {
  const { in_msg, failure, skipped_actions } = transaction
  if (!in_msg || (!failure && skipped_actions === 0)) return []
  return leftOut(orderedMessages(in_msg.body), transaction).flatMap((message) => {
    const destination = destinationOf(message)
    const claim = claimOf(message.body, destination, transfers)
    if (!claim || !destination || message.info._ !== 'int_msg_info') return []
    return [{ ...claim, destination, value: message.info.value.grams }]
  })
}

/** What came of these payments: each failed where the wallet was asked. None of them left a message behind. */
export const unsentOutcomes = (transaction: PaymentTransaction, { transfers, wallets }: Surroundings): Outcome[] => {
  const { account: sender, failure } = transaction
  return unsentClaims(transaction, transfers).flatMap(({ transfer, jetton, destination, value }) => {
    if (jetton && genuineWallets(transfer, wallets).isOf(destination, sender) !== true) return []
    return [failedAt({ transfer, sender, raw_amount: jetton?.amount ?? value }, transaction, failure ?? LEFT_OUT)]
  })
}
