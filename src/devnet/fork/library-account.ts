import { MASTERCHAIN } from '../../ton/block-id.ts'
import type { Cell } from '../../ton/cell.ts'
import { updateDict } from '../../ton/dictionary-update.ts'
import { stateInitCell } from '../../ton/tlb/state-init.ts'
import type { AccountImport } from '../collate/collation.ts'
import { newShardAccount } from '../genesis/account-cell.ts'

/** Nano-units that keep the account for some years: what it owes is taken when somebody sends it a message. */
const BALANCE = 1_000_000_000_000n

/**
 * An account of the masterchain that publishes a library and does nothing else: its address is the hash of its TL-B
 * StateInit, which has no code, no data, and the library as a public one.
 * @param now unix seconds: up to then its storage is paid
 */
export const libraryAccount = (library: Cell, now: number): AccountImport => {
  const libraries = updateDict(null, [{ key: library.hash(), store: (builder) => builder.bit(true).ref(library) }], 256)
  const init = { fixed_prefix_length: null, special: null, code: null, data: null, library: libraries }
  const address = { workchain: MASTERCHAIN, hash: stateInitCell(init).hash() }
  const state = { _: 'account_active', ...init } as const
  return {
    address,
    account: newShardAccount({ address, balance: { grams: BALANCE, other: null }, state, last_paid: now }),
  }
}
