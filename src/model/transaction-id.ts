/** Names one transaction of an account: its logical time and the hash of its cell. */
export interface TransactionId {
  lt: bigint
  hash: Buffer
}

/** What stands in place of the id where there is no transaction. */
export const NO_TRANSACTION: TransactionId = { lt: 0n, hash: Buffer.alloc(32) }
