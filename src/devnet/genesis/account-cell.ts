import type { Address } from '../../ton/address.ts'
import { type Builder, beginCell } from '../../ton/builder.ts'
import type { Cell } from '../../ton/cell.ts'
import { beginParse } from '../../ton/slice.ts'
import { storageUsed } from '../../ton/storage-used.ts'
import type { AccountState } from '../../ton/tlb/account.ts'
import type { CurrencyCollection } from '../../ton/tlb/currency.ts'
import { storeStdAddress } from '../../ton/tlb/msg-address.ts'
import { storeStateInit } from '../../ton/tlb/state-init.ts'

/** An account that no transaction of this chain has made. */
export interface NewAccount {
  address: Address
  balance: CurrencyCollection
  state: AccountState
  /** Unix seconds up to which its storage is paid; 0 for one that never pays. */
  last_paid: number
  /** Nano-units that it owes for its storage. */
  due_payment?: bigint | null
}

const storeState = (builder: Builder, state: AccountState): Builder => {
  switch (state._) {
    case 'account_active':
      return storeStateInit(builder.bit(true), state)
    case 'account_frozen':
      return builder.uint(0b01, 2).bytes(state.state_hash)
    case 'account_uninit':
      return builder.uint(0b00, 2)
  }
}

/** TL-B AccountStorage, before any transaction. */
const storageCell = ({ balance, state }: NewAccount): Cell =>
  storeState(beginCell().uint(0, 64).coins(balance.grams).maybeRef(balance.other), state).endCell()

/**
 * TL-B ShardAccount without transactions; the storage that it uses is counted. Cells and bits are those of the account's
 * storage, its root among them (node: Transaction::compute_state).
 */
export const newShardAccount = (account: NewAccount): Cell => {
  const { address, last_paid, due_payment = null } = account
  const storage = storageCell(account)
  const used = storageUsed([storage])
  const builder = storeStdAddress(beginCell().bit(true), address)
    .varUint(used.cells, 7)
    .varUint(used.bits, 7)
    .uint(0, 3)
    .uint(last_paid, 32)
  if (due_payment === null) builder.bit(false)
  else builder.bit(true).coins(due_payment)
  return beginCell()
    .ref(builder.slice(beginParse(storage)).endCell())
    .bytes(Buffer.alloc(32))
    .uint(0, 64)
    .endCell()
}
