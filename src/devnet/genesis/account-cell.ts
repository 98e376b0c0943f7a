import type { Address } from '../../ton/address.ts'
import type { Cell } from '../../ton/cell.ts'
import { storageUsed } from '../../ton/storage-used.ts'
import { type AccountState, buildAccount, buildAccountStorage, storeShardAccount } from '../../ton/tlb/account.ts'
import type { CurrencyCollection } from '../../ton/tlb/currency.ts'
import type { StorageUsed } from '../../ton/tlb/storage-info.ts'
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
 * What an account pays storage for, as a node counts it since global version 10: the root cell of its storage and the
 * different cells of code, data and library; the dictionary of its extra currencies is free.
 */
export const accountStorageUsed = ({ balance, state }: Pick<NewAccount, 'balance' | 'state'>): StorageUsed => {
  const roots = state._ === 'account_active' ? [state.code, state.data, state.library] : []
  const { cells, bits } = storageUsed(roots.filter((root) => root !== null))
  return { cells: cells + 1n, bits: bits + BigInt(buildAccountStorage({ last_trans_lt: 0n, balance, state }).bits) }
}

/** TL-B ShardAccount without transactions. */
export const newShardAccount = ({ address, balance, state, last_paid, due_payment = null }: NewAccount): Cell => {
  const account = buildAccount({
    _: 'account',
    addr: { _: 'addr_std', anycast: null, workchain_id: address.workchain, address: address.hash },
    storage_stat: {
      used: accountStorageUsed({ balance, state }),
      public_cells: 0n,
      storage_extra: { _: 'storage_extra_none' },
      last_paid,
      due_payment,
    },
    storage: { last_trans_lt: 0n, balance, state },
  })
  return buildCell(storeShardAccount, { account, last_trans_hash: NO_HASH, last_trans_lt: 0n })
}
