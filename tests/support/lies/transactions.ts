import { bag } from '../../../src/devnet/proofs.ts'
import type { Query } from '../../../src/liteserver/query.ts'
import { parseBoc } from '../../../src/ton/boc.ts'
import type { Cell } from '../../../src/ton/cell.ts'
import type { LiteAnswer } from '../../../src/ton/tl/lite-api.ts'
import type { Arguments } from '../../../src/ton/tl/types.ts'
import { blockTransactions } from '../../../src/ton/tlb/account-blocks.ts'
import { parseBlock } from '../../../src/ton/tlb/block.ts'
import { parseBlockExtra } from '../../../src/ton/tlb/block-extra.ts'
import { parseTransaction } from '../../../src/ton/tlb/transaction.ts'
import type { Fate, Lie } from '../lying-liteserver.ts'
import { recordedChain } from '../recorded-chain.ts'
import { flipped, neighbour } from './pieces.ts'

type Page = LiteAnswer<'liteServer.getTransactions'>
type List = LiteAnswer<'liteServer.listBlockTransactions'>
type Ext = LiteAnswer<'liteServer.listBlockTransactionsExt'>

const cellsOf = (bag: Buffer): Cell[] => (bag.length > 0 ? parseBoc(bag) : [])

/** Changes the items of a page, in whatever form it has them. Undefined: this page is too short for the lie. */
type Change = <T>(items: readonly T[]) => readonly T[] | undefined

const onItems = (name: string, fate: Fate, change: Change): Lie => ({
  name,
  fate,
  tells: {
    'liteServer.getTransactions': (honest: Page) => {
      const pairs = change(cellsOf(honest.transactions).map((cell, i) => ({ cell, id: honest.ids[i]! })))
      return pairs && { ...honest, ids: pairs.map(({ id }) => id), transactions: bag(...pairs.map(({ cell }) => cell)) }
    },
    'liteServer.listBlockTransactions': (honest: List) => {
      const ids = change(honest.ids)
      return ids && { ...honest, ids: [...ids] }
    },
    'liteServer.listBlockTransactionsExt': (honest: Ext) => {
      const cells = change(cellsOf(honest.transactions))
      return cells && { ...honest, transactions: bag(...cells) }
    },
  },
})

const several =
  (change: Change): Change =>
  (items) =>
    items.length > 1 ? change(items) : undefined

type AnyList = 'liteServer.listBlockTransactions' | 'liteServer.listBlockTransactionsExt'

/** The same lie about both kinds of lists of a block's transactions. */
const onLists = (
  name: string,
  fate: Fate,
  tell: <A extends List | Ext>(
    honest: A,
    again: (change: Partial<Arguments<AnyList>>) => Promise<A>,
    args: Arguments<AnyList>,
  ) => A | undefined | Promise<A | undefined>,
): Lie => ({
  name,
  fate,
  tells: {
    'liteServer.listBlockTransactions': (honest, args, ask) =>
      tell(honest, (change) => ask('liteServer.listBlockTransactions', { ...args, ...change }), args),
    'liteServer.listBlockTransactionsExt': (honest, args, ask) =>
      tell(honest, (change) => ask('liteServer.listBlockTransactionsExt', { ...args, ...change }), args),
  },
})

const isExt = (list: List | Ext): list is Ext => 'transactions' in list
const countOf = (list: List | Ext): number => (isExt(list) ? cellsOf(list.transactions).length : list.ids.length)
const emptied = <A extends List | Ext>(list: A): A =>
  isExt(list) ? { ...list, transactions: Buffer.alloc(0) } : { ...list, ids: [] }

type PageArgs = Arguments<'liteServer.getTransactions'>

const onPages = (
  name: string,
  fate: Fate,
  tell: (honest: Page, args: PageArgs, ask: Query) => Page | undefined | Promise<Page | undefined>,
): Lie => ({ name, fate, tells: { 'liteServer.getTransactions': tell } })

/** Another account than the asked one, and its last transaction in the block where the liar stands. */
const elsewhere = async (asked: Buffer, ask: Query): Promise<Omit<PageArgs, 'count'>> => {
  const { last } = await ask('liteServer.getMasterchainInfo', {})
  const { account_blocks } = parseBlockExtra(parseBlock(recordedChain().masterchain(last.seqno)!.root).extra)
  const others = [...blockTransactions(account_blocks)].filter(({ account_addr }) => !account_addr.equals(asked))
  const { account_addr: id, lt, cell } = others.at(-1)!
  return { account: { workchain: last.workchain, id }, lt, hash: cell.hash() }
}

const WANT_PROOF = 1 << 5
const AFTER = 1 << 7

export const LIES_ABOUT_TRANSACTIONS: readonly Lie[] = [
  onItems(
    'without the first transaction',
    'refused',
    several((items) => items.slice(1)),
  ),
  onItems('without the second transaction', 'refused', (items) =>
    items.length > 2 ? items.toSpliced(1, 1) : undefined,
  ),
  onItems(
    'without the last transaction',
    'either',
    several((items) => items.slice(0, -1)),
  ),
  onItems('the first transaction twice', 'refused', ([first, ...others]) => first && [first, first, ...others]),
  onItems('the last transaction twice', 'refused', (items) =>
    items.length > 0 ? [...items, items.at(-1)!] : undefined,
  ),
  onItems(
    'the first two transactions swapped',
    'refused',
    several(([a, b, ...others]) => [b!, a!, ...others]),
  ),
  onItems(
    'backwards',
    'refused',
    several((items) => items.toReversed()),
  ),
  onItems(
    'no transactions',
    'refused',
    several(() => []),
  ),
  onLists('one transaction of another block', 'refused', async (honest, again, { id }) => {
    const other = await again({ id: neighbour(id) })
    if (isExt(honest) && isExt(other)) {
      const [foreign] = cellsOf(other.transactions)
      return foreign && { ...honest, transactions: bag(foreign, ...cellsOf(honest.transactions).slice(1)) }
    }
    if (isExt(honest) || isExt(other)) return undefined
    const [foreign] = other.ids
    return foreign && { ...honest, ids: [foreign, ...honest.ids.slice(1)] }
  }),
  onLists('the list of another block', 'refused', (_, again, { id }) => again({ id: neighbour(id) })),
  onLists('the list of another block under the name of the asked one', 'refused', async (honest, again, { id }) => ({
    ...(await again({ id: neighbour(id) })),
    id: honest.id,
  })),
  onLists("another block's list with the proof of the asked one", 'refused', async (honest, again, { id }) => {
    const other = await again({ id: neighbour(id) })
    return countOf(other) > 0 ? { ...other, id: honest.id, proof: honest.proof } : undefined
  }),
  onLists('no proof', 'refused', (_, again, { mode }) => again({ mode: mode & ~WANT_PROOF })),
  onLists('the list from its start', 'refused', (_, again, { mode }) =>
    mode & AFTER ? again({ mode: mode & ~AFTER, after: undefined }) : undefined,
  ),
  onLists('backwards from the end', 'refused', (honest, again, { mode }) =>
    countOf(honest) > 1 ? again({ mode: mode | 64 }) : undefined,
  ),
  onLists('more than asked for', 'refused', async (honest, again, { count }) => {
    const more = await again({ count: count + 1 })
    return countOf(more) > countOf(honest) ? more : undefined
  }),
  onLists('one at a time', 'harmless', (honest, again) => (countOf(honest) > 1 ? again({ count: 1 }) : undefined)),
  onLists('nothing is left out, where something is', 'either', (honest) =>
    honest.incomplete ? { ...honest, incomplete: false } : undefined,
  ),
  onLists('something is left out, where nothing is', 'refused', (honest) =>
    honest.incomplete ? undefined : { ...honest, incomplete: true },
  ),
  onLists('nothing yet, more to come', 'refused', (honest) => ({ ...emptied(honest), incomplete: true })),
  onLists('nothing at all', 'refused', (honest) =>
    countOf(honest) > 0 ? { ...emptied(honest), incomplete: false } : undefined,
  ),
  {
    name: 'other names in the list of transactions',
    fate: 'refused',
    tells: {
      'liteServer.listBlockTransactions': (honest) =>
        honest.ids.length > 0
          ? { ...honest, ids: honest.ids.map(({ hash, ...each }) => ({ ...each, hash: flipped(hash!, 3) })) }
          : undefined,
    },
  },
  onPages('the page behind the asked one', 'refused', (honest, args, ask) => {
    const [first] = cellsOf(honest.transactions)
    if (!first) return undefined
    const { prev_trans_lt: lt, prev_trans_hash: hash } = parseTransaction(first)
    return lt > 0n ? ask('liteServer.getTransactions', { ...args, lt, hash }) : undefined
  }),
  onPages("another account's transactions", 'refused', async (_, args, ask) => {
    const other = await elsewhere(args.account.id, ask)
    return ask('liteServer.getTransactions', { ...args, ...other })
  }),
  onPages('a page of one', 'harmless', (honest, args, ask) =>
    honest.ids.length > 1 ? ask('liteServer.getTransactions', { ...args, count: 1 }) : undefined,
  ),
  onPages('more transactions than asked for', 'refused', async (honest, args, ask) => {
    const more = await ask('liteServer.getTransactions', { ...args, count: args.count + 1 })
    return more.ids.length > honest.ids.length ? more : undefined
  }),
  onPages('fewer names of blocks than transactions', 'refused', (honest) => ({ ...honest, ids: honest.ids.slice(1) })),
  onPages('other blocks in which the transactions stand', 'harmless', (honest) => ({
    ...honest,
    ids: honest.ids.map((id) => neighbour(id)),
  })),
]
