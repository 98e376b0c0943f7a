import type { MessageFailure } from '../../src/contracts/message-failure.ts'
import { opcodeOf } from '../../src/model/batch-message.ts'
import type { Transfer } from '../../src/model/payments.ts'
import type { TraceMessage } from '../../src/model/trace.ts'
import type { KnownTransfers } from '../../src/payments/match/claim.ts'
import type { JettonWalletOf } from '../../src/payments/match/jetton-wallets.ts'
import type { Outcome } from '../../src/payments/match/outcome.ts'
import type { PaymentTransaction } from '../../src/payments/match/payment-transaction.ts'
import { mayPay, paymentsAt } from '../../src/payments/match/payments-at.ts'
import { type Address, sameAddress } from '../../src/ton/address.ts'
import { beginCell } from '../../src/ton/builder.ts'
import type { Cell } from '../../src/ton/cell.ts'

const EMPTY = beginCell().endCell()

let made = 0

const hashOf = (kind: number): Buffer => {
  const hash = Buffer.alloc(32, kind)
  hash.writeUInt32BE(++made, 0)
  return hash
}

/** A message; without a source it comes from outside. */
export const madeMessage = (
  source: Address | null,
  destination: Address,
  { body = EMPTY, value = 0n, bounced = false }: { body?: Cell; value?: bigint; bounced?: boolean } = {},
): TraceMessage => ({
  kind: source ? 'internal' : 'ext_in',
  hash: hashOf(1),
  source,
  destination,
  value,
  extra_currencies: [],
  bounce: false,
  bounced,
  created_lt: source ? BigInt(made) : null,
  created_at: source ? made : null,
  opcode: opcodeOf(body),
  body,
  init: null,
})

/** The transaction that takes a message. */
export const madeTaker = (
  in_msg: TraceMessage,
  {
    sends = [],
    failure = null,
    ...rest
  }: { sends?: TraceMessage[]; failure?: MessageFailure | null } & Partial<
    Pick<PaymentTransaction, 'skipped_actions' | 'skipped' | 'descr'>
  > = {},
): PaymentTransaction => ({
  account: in_msg.destination!,
  hash: hashOf(2),
  lt: BigInt(++made),
  now: made,
  descr: 'ord',
  orig_status: 'active',
  end_status: 'active',
  aborted: failure !== null,
  skipped: null,
  exit_code: 0,
  in_msg,
  out_msgs: sends,
  failure,
  skipped_actions: 0,
  ...rest,
})

/** Transfers by what they are looked up by. */
export const transfersOf = (...transfers: Transfer[]): KnownTransfers => ({
  byBodyHash: (hash) => transfers.find(({ body_hash }) => body_hash.equals(hash)),
  byReference: (wanted) => transfers.find(({ reference }) => reference === wanted),
})

/** What the transactions of a trace tell, each of it: one that tells something must be one that may. */
export const paymentsIn = (
  transactions: readonly PaymentTransaction[],
  transfers: KnownTransfers,
  wallets: readonly (JettonWalletOf & { wallet: Address })[] = [],
): (Outcome | 'undecided')[] =>
  transactions.flatMap((transaction): readonly (Outcome | 'undecided')[] => {
    if (!mayPay(transaction, transfers)) return []
    const found = paymentsAt(transaction, {
      transfers,
      wallets: (account) => wallets.find(({ wallet }) => sameAddress(wallet, account)),
      takerOf: (hash) => transactions.find(({ in_msg }) => in_msg?.hash.equals(hash)),
    })
    return found ?? ['undecided']
  })
