import type {
  JettonBurnFilter,
  JettonTransferFilter,
  JettonTransferRecord,
  NftTransferFilter,
  NftTransferRecord,
} from '../../model/entity-records.ts'
import type { SortOrder } from '../../model/index-records.ts'
import type { Address } from '../../ton/address.ts'
import { NO_ADDRESS } from '../addresses.ts'
import { TRANSACTION_KEY_SIZE, txKey } from '../keys.ts'
import { type TransferKind, type TransferList, type TransferRow, transferListKey } from '../transfers.ts'
import { transferAt } from '../write-transfers.ts'
import type { Budget } from './budget.ts'
import { idsOf } from './entity-pages.ts'
import { isGiven, type KeyList, type Pages, pagesOf } from './paging.ts'
import { arranged, merged, type RankedSource, rankedInAll } from './ranked.ts'
import { LT_SIZE, TIME_LT_SIZE } from './ranks.ts'
import { indexed } from './transaction-lists.ts'
import { byAccount, missing, placeOf, rowOf, type Source, transactionRecords } from './transaction-rows.ts'
import { type Bounds, isTimed, isWithin, ltWindow, timeWindow } from './windows.ts'

/** What the filters of all kinds of transfers have in common. */
interface TransferFilter extends Bounds {
  owner_addresses?: readonly Address[] | undefined
  direction?: 'in' | 'out' | undefined
  accounts?: readonly Address[] | undefined
  parent?: Address | undefined
}

/** One part of a filter: a transfer has one of `ids` at one of `sides`. */
interface Facet {
  ids: ReadonlySet<number>
  sides: readonly Exclude<TransferList, 'lt' | 'now'>[]
}

const SIDES = { in: ['to'], out: ['from'], both: ['from', 'to'] } as const

const facetsOf = (source: Source, { owner_addresses, direction, accounts, parent }: TransferFilter): Facet[] => {
  const facet = (addresses: readonly Address[] | undefined, sides: Facet['sides']): Facet[] =>
    isGiven(addresses) ? [{ ids: new Set(idsOf(source, addresses)), sides }] : []
  return [
    ...facet(accounts, ['account']),
    ...facet(owner_addresses, SIDES[direction ?? 'both']),
    ...facet(parent && [parent], ['parent']),
  ]
}

const rowAt = ({ tables }: Source, ranked: Buffer): TransferRow => {
  const row = transferAt(tables, txKey(placeOf(ranked)))
  if (!row) throw missing('a transfer')
  return row
}

/** The lists of a facet, for a window of lt. */
const partsOf = (
  { tables }: Source,
  kind: TransferKind,
  { ids, sides }: Facet,
  window: Pick<RankedSource, 'low' | 'high'>,
): RankedSource[] =>
  [...ids].flatMap((id) =>
    sides.map((side) => ({ table: tables.transfer_lists, prefix: transferListKey(kind, side, id), ...window })),
  )

/** The transfers that all facets have: the lists of those that have one are gone through together, side by side. */
const ofFacets = (
  source: Source,
  kind: TransferKind,
  filter: TransferFilter,
  facets: readonly Facet[],
  sort: SortOrder,
  budget: Budget,
): KeyList => {
  const window = ltWindow(source.tables, filter)
  const parts = facets.map((facet) => partsOf(source, kind, facet, window))
  const single = parts.filter((list) => list.length === 1).flat()
  const several = parts.filter((list) => list.length !== 1)
  const [only, ...others] = several
  const together = only ? only.map((part) => [part, ...single]) : [single]
  const [plain] = together
  const timed = isTimed(filter)
  const accepts = (ranked: Buffer): boolean => {
    budget.spend(1)
    const { now, lt } = rowOf(source.tables, placeOf(ranked))
    if (!isWithin(filter, now, lt)) return false
    const row = others.length > 0 ? rowAt(source, ranked) : undefined
    return !row || facets.every(({ ids, sides }) => sides.some((side) => ids.has(row[side])))
  }
  if (together.length === 1 && plain?.length === 1 && others.length === 0) {
    return indexed(source, plain[0]!, sort, LT_SIZE, timed ? accepts : undefined, budget)
  }
  return {
    from: (start) => {
      const lists = together.map((sources) => rankedInAll(sources, sort, budget, start))
      return arranged(merged(lists, sort), LT_SIZE, byAccount(source))
    },
    rankSize: LT_SIZE,
    keySize: LT_SIZE + TRANSACTION_KEY_SIZE,
    accepts: timed || others.length > 0 ? accepts : () => true,
  }
}

/** All transfers of a kind: by time, or by lt where no time is asked for. */
const ofAll = (
  source: Source,
  kind: TransferKind,
  filter: TransferFilter,
  sort: SortOrder,
  budget: Budget,
): KeyList => {
  const { transfer_lists: table } = source.tables
  if (!isTimed(filter)) {
    const part = { table, prefix: transferListKey(kind, 'lt'), ...ltWindow(source.tables, filter) }
    return indexed(source, part, sort, LT_SIZE, undefined, budget)
  }
  const part = { table, prefix: transferListKey(kind, 'now'), ...timeWindow(filter) }
  const accepts = (ranked: Buffer): boolean => {
    const { now, lt } = rowOf(source.tables, placeOf(ranked))
    return isWithin(filter, now, lt)
  }
  const byLtToo = filter.start_lt !== undefined || filter.end_lt !== undefined
  return indexed(source, part, sort, TIME_LT_SIZE, byLtToo ? accepts : undefined, budget)
}

interface Transfer {
  transaction: JettonTransferRecord['transaction']
  parent: Address | null
}

const transferPages = <T>(
  source: Source,
  kind: TransferKind,
  filter: TransferFilter,
  sort: SortOrder,
  recordOf: (transfer: Transfer) => T,
): Pages<T> => {
  const facets = facetsOf(source, filter)
  return pagesOf(
    (budget) =>
      facets.length > 0
        ? ofFacets(source, kind, filter, facets, sort, budget)
        : ofAll(source, kind, filter, sort, budget),
    (keys) =>
      transactionRecords(source, keys).map((transaction, i) => {
        const { parent } = rowAt(source, keys[i]!)
        return recordOf({ transaction, parent: parent === NO_ADDRESS ? null : source.addresses.of(parent) })
      }),
  )
}

const jettonRecord = ({ transaction, parent }: Transfer): JettonTransferRecord => {
  if (!parent) throw missing('the master of a transfer')
  return { transaction, jetton_master: parent }
}

/** Pages of EntityReader.jettonTransfers */
export const jettonTransferPages = (
  source: Source,
  { jetton_wallets: accounts, jetton_master: parent, ...filter }: JettonTransferFilter,
  sort: SortOrder,
): Pages<JettonTransferRecord> =>
  transferPages(source, 'jetton_transfer', { ...filter, accounts, parent }, sort, jettonRecord)

/** Pages of EntityReader.jettonBurns */
export const jettonBurnPages = (
  source: Source,
  { jetton_wallets: accounts, jetton_master: parent, ...filter }: JettonBurnFilter,
  sort: SortOrder,
): Pages<JettonTransferRecord> =>
  transferPages(source, 'jetton_burn', { ...filter, accounts, parent, direction: 'out' }, sort, jettonRecord)

/** Pages of EntityReader.nftTransfers */
export const nftTransferPages = (
  source: Source,
  { item_addresses: accounts, collection_address: parent, ...filter }: NftTransferFilter,
  sort: SortOrder,
): Pages<NftTransferRecord> =>
  transferPages(source, 'nft_transfer', { ...filter, accounts, parent }, sort, ({ transaction, parent }) => ({
    transaction,
    nft_collection: parent,
  }))
