import { loadTransaction, type Transaction as TonTransaction } from '@ton/core'
import { orderedMessages } from '../../src/contracts/ordered-messages.ts'
import { JETTON_INTERNAL_TRANSFER } from '../../src/contracts/token-messages.ts'
import { readJettonTransfer } from '../../src/contracts/transfer-bodies.ts'
import type { Batch } from '../../src/model/batch.ts'
import type { Transfer } from '../../src/model/payments.ts'
import { type PaymentTransaction, readPaymentTransaction } from '../../src/payments/match/payment-transaction.ts'
import { type Address, rawAddress } from '../../src/ton/address.ts'
import type { Cell } from '../../src/ton/cell.ts'
import { accountOf } from '../../src/ton/tlb/msg-address.ts'
import { addressNo, sampleTransfer } from './payment-samples.ts'
import { toTonCore } from './ton-core.ts'

/** A transfer that a recorded message pays, as if it had been asked for, with what @ton/core says that became of it. */
export interface RecordedTransfer {
  transfer: Transfer
  /** No message came out of the wallet. */
  isUnsent: boolean
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

const expectedOf = (
  end: TonTransaction,
  sender: Address,
  sent: bigint,
  credited = sent,
): RecordedTransfer['expected'] => ({
  status: isFailed(end) ? 'failed' : 'success',
  raw_amount: isFailed(end) ? sent : credited,
  tx_hash: hex(end.hash()),
  sender: rawAddress(sender),
})

const MASTER = addressNo(0xffff)
let made = 0

const madeTransfer = (of: Partial<Transfer>): Transfer => sampleTransfer(++made, of)

/** What the only message with its body pays. */
const paidBy = (
  { transaction, core }: Recorded,
  takerOf: (hash: Buffer) => Recorded | undefined,
): RecordedTransfer[] => {
  const { account, in_msg } = transaction
  if (!in_msg?.source || transaction.descr !== 'ord') return []
  const of = { sender: in_msg.source, body_hash: in_msg.body.hash() }
  const asked = readJettonTransfer(in_msg.body)
  if (!asked) {
    const expected = expectedOf(core, in_msg.source, in_msg.value)
    return in_msg.opcode === 0
      ? [{ transfer: madeTransfer({ ...of, recipient: account }), isUnsent: false, expected }]
      : []
  }
  const recipient = accountOf(asked.destination)
  const sent = transaction.out_msgs.find(({ opcode }) => opcode === JETTON_INTERNAL_TRANSFER)
  const end = isFailed(core) ? core : sent && takerOf(sent.hash)?.core
  if (!recipient || !end) return []
  const jetton_wallets = { sender: account, recipient: sent?.destination ?? account }
  const transfer = madeTransfer({ ...of, recipient, asset: MASTER, jetton_wallets })
  return [{ transfer, isUnsent: false, expected: expectedOf(end, in_msg.source, asked.amount) }]
}

/** Native payments that a wallet was asked for and could not send, each by the first transaction that took the message. */
const unsentBy = ({ transaction, core }: Recorded, isElsewhere: (body: Cell) => boolean): RecordedTransfer[] => {
  const { account, in_msg } = transaction
  const { description } = core
  if (in_msg?.kind !== 'ext_in' || description.type !== 'generic' || !description.actionPhase) return []
  const { success, skippedActions } = description.actionPhase
  if (success && skippedActions === 0) return []
  return orderedMessages(in_msg.body).flatMap(({ info, body }): RecordedTransfer[] => {
    const recipient = accountOf(info.dest)
    if (info._ !== 'int_msg_info' || !recipient || isElsewhere(body) || readJettonTransfer(body)) return []
    const transfer = madeTransfer({ sender: account, recipient, body_hash: body.hash() })
    const expected = { ...expectedOf(core, account, info.value.grams), status: 'failed' as const }
    return [{ transfer, isUnsent: true, expected }]
  })
}

/**
 * The payments among the messages of recorded batches: native ones and those in jettons whose bodies no other message has,
 * and native ones that a wallet was asked for in vain.
 */
export const recordedTransfers = (batches: Iterable<Batch>): RecordedTransfer[] => {
  const recorded: Recorded[] = []
  for (const { transactions } of batches)
    for (const { account, cell } of transactions)
      recorded.push({
        transaction: readPaymentTransaction(account.workchain, cell),
        core: loadTransaction(toTonCore(cell).beginParse()),
      })
  const takers = Map.groupBy(
    recorded.filter(({ transaction }) => transaction.in_msg),
    ({ transaction }) => hex(transaction.in_msg!.hash),
  )
  const first = [...takers.values()].map((same) => same[0]!)
  const bodies = Map.groupBy(
    first.flatMap(({ transaction }) =>
      transaction.in_msg!.kind === 'internal'
        ? [transaction.in_msg!.body]
        : orderedMessages(transaction.in_msg!.body).map(({ body }) => body),
    ),
    (body) => hex(body.hash()),
  )
  const timesOf = (body: Cell): number => bodies.get(hex(body.hash()))?.length ?? 0
  const taken = first.filter(
    ({ transaction }) => transaction.in_msg!.kind === 'internal' && !transaction.in_msg!.bounced,
  )
  const takenBodies = Map.groupBy(taken, ({ transaction }) => hex(transaction.in_msg!.body.hash()))
  return [
    ...[...takenBodies.values()].flatMap((same) =>
      same.length === 1 ? paidBy(same[0]!, (hash) => takers.get(hex(hash))?.[0]) : [],
    ),
    ...first.flatMap((one) => unsentBy(one, (body) => timesOf(body) > 1)),
  ]
}
