import type { Batch, BatchTransaction } from '../../src/model/batch.ts'
import type { BatchTransfer } from '../../src/model/entities.ts'
import type { JettonBurnFilter, JettonTransferFilter, NftTransferFilter } from '../../src/model/entity-records.ts'
import type { SortOrder } from '../../src/model/index-records.ts'
import type { Address } from '../../src/ton/address.ts'
import { compareAddresses, isAny } from './entity-oracle.ts'

/** Arrays and filters: which transfers of some batches an index has to list. */

interface OracleTransfer {
  transfer: BatchTransfer
  transaction: BatchTransaction
  mc_seqno: number
  parent: Address | null
}

type Filter = Pick<JettonTransferFilter, 'owner_addresses' | 'direction'> &
  Pick<NftTransferFilter, 'start_utime' | 'end_utime' | 'start_lt' | 'end_lt'> & {
    accounts?: readonly Address[] | undefined
    parent?: Address | undefined
  }

const sides = (transfer: BatchTransfer): { from: Address | null; to: Address | null; parent: Address | null } => {
  switch (transfer._) {
    case 'jetton_transfer':
      return { from: transfer.source, to: transfer.destination, parent: transfer.jetton_master }
    case 'jetton_burn':
      return { from: transfer.owner, to: null, parent: transfer.jetton_master }
    case 'nft_transfer':
      return { from: transfer.old_owner, to: transfer.new_owner, parent: transfer.nft_collection }
  }
}

const isWithin = <T extends bigint | number>(value: T, low: T | undefined, high: T | undefined): boolean =>
  (low === undefined || value >= low) && (high === undefined || value <= high)

const compare = (a: bigint | number, b: bigint | number): number => (a < b ? -1 : a > b ? 1 : 0)

export const createTransferOracle = (batches: readonly Batch[]) => {
  const all = batches.flatMap(({ mc, transactions, transfers = [] }) =>
    transfers.map(
      (transfer): OracleTransfer => ({
        transfer,
        transaction: transactions[transfer.transaction]!,
        mc_seqno: mc.seqno,
        parent: sides(transfer).parent,
      }),
    ),
  )

  const list = (kind: BatchTransfer['_'], filter: Filter, sort: SortOrder): OracleTransfer[] => {
    const { owner_addresses, direction, accounts, parent } = filter
    const isNarrow = owner_addresses?.length || accounts?.length || parent
    const isByTime = (filter.start_utime !== undefined || filter.end_utime !== undefined) && !isNarrow
    const sign = sort === 'asc' ? 1 : -1
    return all
      .filter(({ transfer, transaction }) => {
        const { from, to, parent: of } = sides(transfer)
        return (
          transfer._ === kind &&
          !(kind === 'jetton_transfer' && transfer.aborted) &&
          ((direction !== 'in' && isAny(from, owner_addresses)) ||
            (direction !== 'out' && isAny(to, owner_addresses))) &&
          isAny(transaction.account, accounts) &&
          isAny(of, parent && [parent]) &&
          isWithin(transaction.now, filter.start_utime, filter.end_utime) &&
          isWithin(transaction.id.lt, filter.start_lt, filter.end_lt)
        )
      })
      .sort(
        (a, b) =>
          (isByTime ? sign * compare(a.transaction.now, b.transaction.now) : 0) ||
          sign * compare(a.transaction.id.lt, b.transaction.id.lt) ||
          compareAddresses(a.transaction.account, b.transaction.account),
      )
  }

  return {
    jettonTransfers: (
      { jetton_wallets: accounts, jetton_master: parent, ...filter }: JettonTransferFilter,
      sort: SortOrder,
    ) => list('jetton_transfer', { ...filter, accounts, parent }, sort),
    jettonBurns: ({ jetton_wallets: accounts, jetton_master: parent, ...filter }: JettonBurnFilter, sort: SortOrder) =>
      list('jetton_burn', { ...filter, accounts, parent }, sort),
    nftTransfers: (
      { item_addresses: accounts, collection_address: parent, ...filter }: NftTransferFilter,
      sort: SortOrder,
    ) => list('nft_transfer', { ...filter, accounts, parent }, sort),
  }
}

export type TransferOracle = ReturnType<typeof createTransferOracle>
