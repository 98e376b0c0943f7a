/** Cells of some neighbouring transactions of a batch, packed together as the store keeps them. */
export interface CellGroup {
  /** Index of the first of these transactions. */
  first: number
  /** How many there are. */
  count: number
  packed: Uint8Array
}

/** Index entries of one table in one piece. */
export interface PackedEntries {
  /** Bytes of each key. */
  size: number
  /** The keys one behind the other, ascending. */
  keys: Uint8Array<ArrayBuffer>
  /** For each key the place, from 1 on, of the message among `unsent` with which it stands or falls; 0: it stands. */
  claims: Uint32Array<ArrayBuffer>
}

/**
 * What a store writes of transactions and their messages, but for what only the store knows: in place of the interned id
 * of an address stands its place among `addresses`, from 1 on. Flat, to cross to another thread.
 */
export interface PackedTransactions {
  /** How many transactions these are. */
  count: number
  /** Keys of addresses, one behind the other, each once, in the order in which they are met. */
  addresses: Uint8Array<ArrayBuffer>
  cell_groups: CellGroup[]
  /** Keys of the rows, one behind the other. */
  keys: Uint8Array<ArrayBuffer>
  /** Their values, one behind the other. */
  values: Uint8Array<ArrayBuffer>
  /** Where each value ends. */
  ends: Uint32Array<ArrayBuffer>
  /** A list for each table with entries of them, in an order that the store knows. */
  entries: PackedEntries[]
  /** Hashes, one behind the other, of the internal messages that were taken and that none of the transactions sent. */
  unsent: Uint8Array<ArrayBuffer>
}
