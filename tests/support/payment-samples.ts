import { makeUlid } from '../../src/common/ulid.ts'
import type { Merchant, Transfer, TransferPayment } from '../../src/model/payments.ts'
import type { Address } from '../../src/ton/address.ts'

/** A ULID that differs for each `n`, and is later for a later one. */
export const ulidNo = (n: number): string => {
  const random = Buffer.alloc(10)
  random.writeUInt32BE(n, 6)
  return makeUlid(1_700_000_000_000 + n, random)
}

export const addressNo = (n: number, workchain = 0): Address => {
  const hash = Buffer.alloc(32)
  hash.writeUInt32BE(n, 28)
  return { workchain, hash }
}

export const hashNo = (n: number): Buffer => addressNo(n).hash

export const sampleMerchant = (changes: Partial<Merchant> = {}): Merchant => ({
  id: ulidNo(1),
  name: 'shop',
  network: 'dev',
  wallet: addressNo(7),
  webhook: {
    url: 'http://127.0.0.1:9000/hook',
    secrets: [{ secret: 'whsec', created: 1_700_000_000, until: null }],
  },
  created: 1_700_000_000,
  disabled: null,
  ...changes,
})

/** Of 1.5 native coins from account 1 to account 2, by the merchant of sampleMerchant. */
export const sampleTransfer = (n: number, changes: Partial<Transfer> = {}): Transfer => ({
  reference: ulidNo(n),
  merchant: ulidNo(1),
  network: 'dev',
  asset: null,
  decimals: 9,
  ticker: 'TON',
  raw_amount: 1_500_000_000n,
  sender: addressNo(1),
  recipient: addressNo(2),
  recipient_bounceable: false,
  jetton_wallets: null,
  body_hash: hashNo(n),
  comment_to_sender: null,
  comment_to_recipient: 'order 1',
  query_id: 0n,
  created: 1_700_000_000,
  expires: 1_700_086_400,
  payments: [],
  more_payments: 0,
  ...changes,
})

/** Pays sampleTransfer in full. */
export const samplePayment = (n: number, changes: Partial<TransferPayment> = {}): TransferPayment => ({
  status: 'success',
  raw_amount: 1_500_000_000n,
  sender: addressNo(1),
  tx_hash: hashNo(1000 + n),
  trace_id: hashNo(2000 + n),
  utime: 1_700_000_100,
  error_code: null,
  error_message: null,
  ...changes,
})
