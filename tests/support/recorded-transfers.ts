import { loadTransaction, type Transaction as TonTransaction } from '@ton/core'
import { JETTON_INTERNAL_TRANSFER } from '../../src/contracts/token-messages.ts'
import { readJettonTransfer } from '../../src/contracts/transfer-bodies.ts'
import type { Batch } from '../../src/model/batch.ts'
import type { Transfer } from '../../src/model/payments.ts'
import { type PaymentTransaction, readPaymentTransaction } from '../../src/payments/match/payment-transaction.ts'
import { type Address, rawAddress } from '../../src/ton/address.ts'
import { accountOf } from '../../src/ton/tlb/msg-address.ts'
import { sampleTransfer } from './payment-samples.ts'
import { toTonCore } from './ton-core.ts'

/** A transfer that a recorded message pays, as if it had been asked for, with what @ton/core says that became of it. */
export interface RecordedTransfer {
  transfer: Transfer
  expected: { status: 'success' | 'failed'; raw_amount: bigint; tx_hash: string; sender: string }
}

interface Recorded {
  transaction: PaymentTransaction
  core: TonTransaction
}

const isFailed = ({ description }: TonTransaction): boolean => {
  if (description.type !== 'generic' || !description.aborted) return false
  return !(description.computePhase.type === 'skipped' && !description.bouncePhase)
}

const hex = (hash: Buffer): string => hash.toString('hex')

/** The native payments and those in jettons among the messages of recorded batches whose bodies no other message has. */
export const recordedTransfers = (batches: Iterable<Batch>): RecordedTransfer[] => {
  const recorded: Recorded[] = []
  for (const { transactions } of batches)
    for (const { account, cell } of transactions)
      recorded.push({
        transaction: readPaymentTransaction(account.workchain, cell),
        core: loadTransaction(toTonCore(cell).beginParse()),
      })
  const takers = new Map(
    recorded.flatMap((one) => (one.transaction.in_msg ? [[hex(one.transaction.in_msg.hash), one] as const] : [])),
  )
  const bodies = Map.groupBy(
    recorded.filter(({ transaction }) => transaction.in_msg?.kind === 'internal' && !transaction.in_msg.bounced),
    ({ transaction }) => hex(transaction.in_msg!.body.hash()),
  )
  let number = 100
  return [...bodies.values()].flatMap((same): RecordedTransfer[] => {
    const [{ transaction, core }] = same as [Recorded]
    const { account, in_msg } = transaction
    if (same.length > 1 || !in_msg?.source || transaction.descr !== 'ord') return []
    const body_hash = in_msg.body.hash()
    const told = (of: Partial<Transfer>, end: TonTransaction, sent: bigint, credited = sent): RecordedTransfer[] => [
      {
        transfer: sampleTransfer(number++, { sender: in_msg.source!, body_hash, ...of }),
        expected: {
          status: isFailed(end) ? 'failed' : 'success',
          raw_amount: isFailed(end) ? sent : credited,
          tx_hash: end.hash().toString('hex'),
          sender: rawAddress(in_msg.source!),
        },
      },
    ]
    const asked = readJettonTransfer(in_msg.body)
    if (!asked) return in_msg.opcode === 0 ? told({ recipient: account }, core, in_msg.value) : []
    const recipient: Address | null = accountOf(asked.destination)
    if (!recipient) return []
    const sent = transaction.out_msgs.find(({ opcode }) => opcode === JETTON_INTERNAL_TRANSFER)
    const of = {
      recipient,
      asset: { workchain: 0, hash: Buffer.alloc(32, 1) },
      jetton_wallets: { sender: account, recipient: sent?.destination ?? account },
    }
    const second = sent && takers.get(hex(sent.hash))
    if (isFailed(core)) return told(of, core, asked.amount)
    return second ? told(of, second.core, asked.amount) : []
  })
}
