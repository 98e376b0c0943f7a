/** What can be asked of a live network of our own beside what its liteserver answers. Plain data: it crosses threads. */

/** A wallet whose keys everybody knows. */
export interface DevWallet {
  /** `v5r1` or `v4r2`. */
  version: string
  /** Raw form. */
  address: string
  /** 24 words. */
  mnemonic: string
}

/** Accounts that a network begins with and that are worth knowing; addresses in raw form. */
export interface DevAccounts {
  faucet: string
  wallets: readonly DevWallet[]
  /** Contracts by what they are: `jetton TUSD`, `NFT collection`. */
  contracts: readonly { name: string; address: string }[]
}

/** A shard as the newest masterchain block knows it. */
export interface DevShard {
  workchain: number
  /** 16 hexadecimal digits. */
  shard: string
  seqno: number
}

export interface DevStatus {
  /** The newest masterchain block. */
  seqno: number
  /** Its gen_utime, Unix seconds. */
  utime: number
  /** The clock, Unix seconds: what the next block has at least. */
  now: number
  /** False where the clock stands still between blocks. */
  real_time: boolean
  /** Milliseconds between blocks; null where they are made on demand. */
  block_interval: number | null
  shards: readonly DevShard[]
  /** External messages that wait for a block. */
  pending: number
  accounts: DevAccounts
  /** Names of the snapshots that can be restored. */
  snapshots: readonly string[]
}

/** A payment of the faucet that has arrived. */
export interface DevPayment {
  /** Hash of the external message that asked for it, 64 hexadecimal digits. */
  message_hash: string
  /** The faucet's transaction: the payment's message left in it. */
  transaction_hash: string
  lt: bigint
  /** The masterchain block from which on the account has it. */
  mc_seqno: number
}

/** Where the chain stands after something was done to it. */
export interface DevHead {
  seqno: number
  utime: number
}

/** What became of accounts that were to be put in; addresses in raw form. */
export interface DevLoaded extends DevHead {
  /** How many came in. */
  accounts: number
  /** Those that were there before: they are as they were. */
  present: readonly string[]
}

/** Accounts in one of the forms of `--load`. */
export interface DevLoad {
  file: Uint8Array
}

/**
 * All that can be asked; every one rejects with TonlithError: `invalid` for what cannot be done as asked, `timeout` when
 * it did not happen in time, `unavailable` while the network is being replaced, makes no blocks (a full disk) or ends.
 */
export interface DevControl {
  status(): Promise<DevStatus>
  /** Pays `amount` nano-units to an address (any form), and waits until the account has them. */
  faucet(address: string, amount: bigint): Promise<DevPayment>
  /** Makes so many masterchain blocks at once, each with a block of every shard. */
  mine(blocks: number): Promise<DevHead>
  /** Sets the clock to a Unix time that is not before the newest block's, or moves it on by seconds. */
  setTime(to: { now: number } | { advance: number }): Promise<{ now: number }>
  /** Splits a shard (16 hexadecimal digits) or merges it with its sibling, and waits until the masterchain shows it. */
  resplit(what: 'split' | 'merge', shard: string): Promise<DevHead>
  /** Changes a parameter of the configuration to the root cell of a BoC, and waits for the key block. */
  setConfig(param: number, boc: Uint8Array): Promise<DevHead>
  /** Puts accounts into the chain, and answers when blocks have them. */
  load(load: DevLoad): Promise<DevLoaded>
  /**
   * On a fork: waits some seconds for an account (raw form) to come from the other network. Gives the newest masterchain
   * block, which shows it if it has come.
   */
  arrive(address: string): Promise<DevHead>
  /** Keeps the chain as it is under a name. `conflict` for one that is taken. */
  snapshot(name: string): Promise<DevHead>
  /** Goes back to a snapshot. `notFound` for one that is not there. */
  restore(name: string): Promise<DevHead>
}
