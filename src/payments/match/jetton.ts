import { JETTON_INTERNAL_TRANSFER, readJettonInternalTransfer } from '../../contracts/token-messages.ts'
import type { JettonTransferBody } from '../../contracts/transfer-bodies.ts'
import type { Transfer } from '../../model/payments.ts'
import type { Address } from '../../ton/address.ts'
import { genuineWallets } from './jetton-wallets.ts'
import { arrived, failedAt, LEFT_OUT, NOTHING_SENT, type Outcome } from './outcome.ts'
import type { PaymentTransaction } from './payment-transaction.ts'
import { type Surroundings, UNDECIDED } from './surroundings.ts'

/**
 * What came of a payment in jettons, by the transaction of the wallet that was asked for it (TEP-74 `transfer`). Both
 * wallets must be those of the transfer's jetton; undefined where they are not: a fake jetton pays nothing. Of a sender's
 * wallet of which nothing is known the recipient's genuine wallet decides, as it takes jettons of no other.
 */
export const jettonOutcome = (
  transfer: Transfer,
  owner: Address,
  asked: JettonTransferBody,
  transaction: PaymentTransaction,
  { wallets, takerOf }: Surroundings,
): Outcome | typeof UNDECIDED | undefined => {
  const genuine = genuineWallets(transfer, wallets)
  const isSenders = genuine.isOf(transaction.account, owner)
  if (isSenders === false) return undefined
  const paid = { transfer, sender: owner, raw_amount: asked.amount }
  const failed = (at: PaymentTransaction, failure: Parameters<typeof failedAt>[2]) =>
    isSenders ? failedAt(paid, at, failure) : undefined
  if (transaction.failure) return failed(transaction, transaction.failure)
  const sent = transaction.out_msgs.find(({ opcode }) => opcode === JETTON_INTERNAL_TRANSFER)
  const body = sent && readJettonInternalTransfer(sent.body)
  if (!body || !sent.destination) return failed(transaction, transaction.skipped_actions > 0 ? LEFT_OUT : NOTHING_SENT)
  if (genuine.isOf(sent.destination, transfer.recipient) !== true) return undefined
  const taker = takerOf(sent.hash)
  if (!taker) return UNDECIDED
  if (taker.failure) return failed(taker, taker.failure)
  return arrived({ ...paid, raw_amount: body.amount }, taker)
}
