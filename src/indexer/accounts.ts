import { TonlithError } from '../common/errors.ts'
import type { Batch, BatchAccount } from '../model/batch.ts'
import type { KnownCells } from '../store/account-cells.ts'
import type { NeededCells } from '../store/write-accounts.ts'
import type { Address } from '../ton/address.ts'
import { rawAddress, sameAddress } from '../ton/address.ts'
import type { Cell } from '../ton/cell.ts'
import { withRefs } from '../ton/data-cell.ts'
import { childDepth, isPruned, isWhole } from '../ton/partial-tree.ts'
import { parseAccount } from '../ton/tlb/account.ts'
import { extraCurrencies } from '../ton/tlb/currency.ts'
import { shownCells } from './shown-cells.ts'

/** A batch of which the store can rebuild every account, but for those that are missing. */
export interface CompletedBatch {
  batch: Batch
  /** Accounts of which neither the store nor the batch has all cells: fetch them (withAccount). */
  missing: Address[]
}

const EVERYTHING: NeededCells = { code: true, data: true, extra: true }

/** A cell that is not in the store, by its representation hash. */
type FindCell = (hash: Buffer) => Cell | undefined

/** Fills in pruned parts that `holds` does not know with what `find` gives; undefined when a part is nowhere. */
const complete = (part: Cell, holds: (hash: Buffer) => boolean, find: FindCell): Cell | undefined => {
  const done = new Map<string, Cell | undefined>()
  const visit = (cell: Cell, depth: number): Cell | undefined => {
    if (isWhole(cell, depth)) return cell
    const hash = cell.hash(depth)
    const name = `${depth}${hash.toString('latin1')}`
    if (done.has(name)) return done.get(name)
    const result = isPruned(cell, depth) ? visitPruned(cell, hash, depth) : visitRefs(cell, depth)
    done.set(name, result)
    return result
  }
  const visitPruned = (cell: Cell, hash: Buffer, depth: number): Cell | undefined => {
    if (holds(hash)) return cell
    const shown = find(hash)
    if (!shown) return undefined
    return depth === 0 || isWhole(shown, 0) ? visit(shown, depth) : undefined
  }
  const visitRefs = (cell: Cell, depth: number): Cell | undefined => {
    const below = childDepth(cell, depth)
    const refs: Cell[] = []
    let same = true
    for (let i = 0; i < cell.refCount; i++) {
      const ref = cell.ref(i)
      const completed = visit(ref, below)
      if (!completed) return undefined
      if (completed !== ref) same = false
      refs.push(completed)
    }
    return same ? cell : withRefs(cell, refs)
  }
  return visit(part, 0)
}

/** A part of an account whole, with the cells that the store has for what is pruned; undefined when some are nowhere. */
export const wholePart = (part: Cell, cells: Pick<KnownCells, 'read'>): Cell | undefined =>
  complete(part, () => false, cells.read)

/** The account with what is needed of that for which its hidden parts stand; undefined when a part is nowhere. */
const completeAccount = (
  account: BatchAccount,
  needed: NeededCells,
  cells: KnownCells,
  find: FindCell,
): BatchAccount | undefined => {
  const code = account.code && needed.code ? complete(account.code, cells.holds, find) : account.code
  const data = account.data && needed.data ? complete(account.data, cells.holds, find) : account.data
  if (code === undefined || data === undefined) return undefined
  const { hidden_extra, ...rest } = account
  if (!hidden_extra) return code === account.code && data === account.data ? account : { ...account, code, data }
  const extra = cells.read(hidden_extra.hash(0)) ?? complete(hidden_extra, () => false, withRead(cells, find))
  return extra && { ...rest, code, data, extra_currencies: extraCurrencies(extra) }
}

const withRead =
  ({ read }: KnownCells, find: FindCell): FindCell =>
  (hash) =>
    read(hash) ?? find(hash)

/**
 * Makes sure that the store can rebuild the accounts in a batch: a part that the block's Merkle update prunes must be
 * among the `cells` that the store has, or elsewhere in the batch, in the message that brought it or in an earlier block;
 * such a part is filled in. Ask right before the batch is written: what the store has changes. `needed` tells what of an
 * account is needed; one of which nothing is (undefined) is left out.
 */
export const completeBatch = (
  batch: Batch,
  cells: KnownCells,
  needed: (account: BatchAccount) => NeededCells | undefined = () => EVERYTHING,
): CompletedBatch => {
  let shown: FindCell | undefined
  const find: FindCell = (hash) => {
    shown ??= shownCells(batch.blocks.map(({ root }) => root))
    return shown(hash)
  }
  const missing: Address[] = []
  const accounts = batch.accounts.flatMap((account) => {
    const wanted = needed(account)
    if (!wanted) return []
    const completed = completeAccount(account, wanted, cells, find)
    if (!completed) missing.push(account.address)
    return completed ?? account
  })
  return { batch: { ...batch, accounts }, missing }
}

/**
 * The batch with an account that was fetched whole (`cell`: TL-B Account, from liteServer.getAccountState at the batch's
 * masterchain block). Throws `proof` when its state is another one than the batch has.
 */
export const withAccount = (batch: Batch, address: Address, cell: Cell): Batch => ({
  ...batch,
  accounts: batch.accounts.map((account) => {
    if (!sameAddress(account.address, address)) return account
    if (!cell.hash().equals(account.state_hash))
      throw new TonlithError('proof', `account ${rawAddress(address)} has another state`)
    const parsed = parseAccount(cell)
    if (parsed._ !== 'account') return account
    const { hidden_extra: _, ...rest } = account
    const { balance, state } = parsed.storage
    const extra_currencies = extraCurrencies(balance.other)
    if (state._ !== 'account_active') return { ...rest, extra_currencies }
    return { ...rest, extra_currencies, code: state.code, data: state.data }
  }),
})

/** The batch with an account whose cells are nowhere to be had: its code and data are known by their hashes only. */
export const withoutCells = (batch: Batch, address: Address): Batch => ({
  ...batch,
  accounts: batch.accounts.map((account) => {
    if (!sameAddress(account.address, address)) return account
    const { hidden_extra: _, ...rest } = account
    return { ...rest, code: null, data: null }
  }),
})
