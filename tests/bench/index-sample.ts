import type { Batch } from '../../src/model/batch.ts'
import type { Address } from '../../src/ton/address.ts'

/** What is asked for of a batch that was written: little, so that it does not lie in the way of the queries. */
export interface Sample {
  seqno: number
  transactions: { account: Address; hash: Buffer; now: number }[]
  messages: { hash: Buffer; opcode: number | null; destination: Address | null }[]
  owners: Address[]
}

const copyOf = ({ workchain, hash }: Address): Address => ({ workchain, hash: Buffer.from(hash) })

export const sampleOf = ({ mc, transactions, accounts }: Batch): Sample => ({
  seqno: mc.seqno,
  transactions: transactions.map(({ account, id, now }) => ({
    account: copyOf(account),
    hash: Buffer.from(id.hash),
    now,
  })),
  messages: transactions
    .flatMap(({ out_msgs }) => out_msgs)
    .map(({ hash, opcode, destination }) => ({
      hash: Buffer.from(hash),
      opcode,
      destination: destination && copyOf(destination),
    })),
  owners: accounts.map(({ address }) => copyOf(address)),
})
