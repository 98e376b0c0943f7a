import type { Address } from '../../ton/address.ts'
import type { Cell } from '../../ton/cell.ts'
import { storageUsed } from '../../ton/storage-used.ts'
import { type AccountState, buildAccount, buildAccountStorage, storeShardAccount } from '../../ton/tlb/account.ts'
import type { CurrencyCollection } from '../../ton/tlb/currency.ts'
import { buildCell } from '../../ton/tlb/tag.ts'

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

const NO_HASH = Buffer.alloc(32)

/**
 * TL-B ShardAccount without transactions. The storage that it uses is counted as a node counts it: the different cells of
 * AccountStorage, its root among them.
 */
export const newShardAccount = ({ address, balance, state, last_paid, due_payment = null }: NewAccount): Cell => {
  const storage = { last_trans_lt: 0n, balance, state }
  const account = buildAccount({
    _: 'account',
    addr: { _: 'addr_std', anycast: null, workchain_id: address.workchain, address: address.hash },
    storage_stat: {
      used: storageUsed([buildAccountStorage(storage)]),
      public_cells: 0n,
      storage_extra: { _: 'storage_extra_none' },
      last_paid,
      due_payment,
    },
    storage,
  })
  return buildCell(storeShardAccount, { account, last_trans_hash: NO_HASH, last_trans_lt: 0n })
}
