import { TonlithError } from '../../common/errors.ts'
import { beginCell } from '../../ton/builder.ts'
import type { Cell } from '../../ton/cell.ts'
import { dictLookup, key64 } from '../../ton/dictionary.ts'
import { type AugDictChange, updateAugDict } from '../../ton/dictionary-update.ts'
import { buildAugDict } from '../../ton/dictionary-writer.ts'
import { beginParse } from '../../ton/slice.ts'
import { loadShardAccount, parseAccount, type ShardAccount, storeShardAccount } from '../../ton/tlb/account.ts'
import { storeAccountBlock } from '../../ton/tlb/account-blocks.ts'
import type { AugDict } from '../../ton/tlb/aug-dict.ts'
import { type CurrencyCollection, currencyAug, NO_CURRENCY } from '../../ton/tlb/currency.ts'
import { type DepthBalanceInfo, depthBalanceAug } from '../../ton/tlb/shard-state.ts'
import { buildHashUpdate, type Transaction } from '../../ton/tlb/transaction.ts'

/** A transaction that a block makes. */
export interface MadeTransaction {
  cell: Cell
  lt: bigint
  /** First lt after the transaction and its messages. */
  end_lt: bigint
  total_fees: CurrencyCollection
}

/** An account while a block changes it. */
export interface WorkingAccount {
  id: Buffer
  /** Its Account cell before the block. */
  original: Cell
  existed: boolean
  shardAccount: ShardAccount
  /** TL-B ShardAccount as a cell, for the executor. */
  cell: Cell
  /** First lt that its next transaction may have. */
  end_lt: bigint
  transactions: MadeTransaction[]
  /** It counts for the size of the block. */
  estimated: boolean
}

/** The accounts of a shard that a block has looked at, by id. */
export interface BlockAccounts {
  /** The account, one that does not exist too. Throws `malformed`. */
  get(id: Buffer): WorkingAccount
  /** The account if the block has looked at it. */
  known(id: Buffer): WorkingAccount | undefined
  /** Those with transactions. */
  used(): WorkingAccount[]
}

const ACCOUNT_BITS = 256
const LT_BITS = 64
const NO_HASH = Buffer.alloc(32)

/** TL-B account_none. */
const NO_ACCOUNT = beginCell().bit(false).endCell()

const shardAccountCell = (account: ShardAccount): Cell => storeShardAccount(beginCell(), account).endCell()

const endLtOf = (account: Cell): bigint => {
  const parsed = parseAccount(account)
  return parsed._ === 'account_none' ? 0n : parsed.storage.last_trans_lt
}

const stored = (accounts: AugDict<DepthBalanceInfo>, id: Buffer): ShardAccount | null => {
  const value = dictLookup(accounts.root, ACCOUNT_BITS, id)
  if (!value) return null
  depthBalanceAug.load(value)
  return loadShardAccount(value)
}

/** Opens the accounts of the state that a block starts from. */
export const blockAccounts = (accounts: AugDict<DepthBalanceInfo>): BlockAccounts => {
  const known = new Map<string, WorkingAccount>()
  const open = (id: Buffer): WorkingAccount => {
    const found = stored(accounts, id)
    const shardAccount = found ?? { account: NO_ACCOUNT, last_trans_hash: NO_HASH, last_trans_lt: 0n }
    return {
      id,
      original: shardAccount.account,
      existed: found !== null,
      shardAccount,
      cell: shardAccountCell(shardAccount),
      end_lt: endLtOf(shardAccount.account),
      transactions: [],
      estimated: false,
    }
  }
  return {
    get: (id) => {
      const key = id.toString('latin1')
      const account = known.get(key) ?? open(Buffer.from(id))
      known.set(key, account)
      return account
    },
    known: (id) => known.get(id.toString('latin1')),
    used: () => [...known.values()].filter(({ transactions }) => transactions.length > 0),
  }
}

/** Puts a transaction and the account (TL-B ShardAccount) that it leaves in the place of the account before. */
export const addTransaction = (
  account: WorkingAccount,
  cell: Cell,
  { lt, outmsg_cnt, total_fees }: Transaction,
  after: Cell,
): MadeTransaction => {
  const end_lt = lt + 1n + BigInt(outmsg_cnt)
  const made = { cell, lt, end_lt, total_fees }
  if (lt < account.end_lt) throw new TonlithError('internal', 'a transaction before the one that it follows')
  account.transactions.push(made)
  account.cell = after
  account.shardAccount = loadShardAccount(beginParse(after))
  account.end_lt = end_lt
  return made
}

/** TL-B ShardAccountBlocks over what was made. */
export const accountBlocksOf = (accounts: readonly WorkingAccount[]): AugDict<CurrencyCollection> =>
  buildAugDict(
    accounts.map(({ id: account_addr, original, shardAccount, transactions: made }) => {
      const list = buildAugDict(
        made.map(({ lt, cell, total_fees }) => ({
          key: key64(lt),
          extra: total_fees,
          store: (builder) => builder.ref(cell),
        })),
        LT_BITS,
        currencyAug,
      )
      const transactions = list.root!
      const state_update = buildHashUpdate({ old_hash: original.hash(), new_hash: shardAccount.account.hash() })
      return {
        key: account_addr,
        extra: list.extra,
        store: (builder) => storeAccountBlock(builder, { account_addr, transactions, state_update }),
      }
    }),
    ACCOUNT_BITS,
    currencyAug,
  )

/** Augmentation of an account (its Account cell) in ShardAccounts. Throws `malformed`. */
export const depthBalanceOf = (account: Cell): DepthBalanceInfo => {
  const parsed = parseAccount(account)
  if (parsed._ === 'account_none') return { split_depth: 0, balance: NO_CURRENCY }
  return { split_depth: parsed.addr.anycast?.depth ?? 0, balance: parsed.storage.balance }
}

/** The change of ShardAccounts that an account has come to. */
export const accountChange = ({ id, shardAccount }: WorkingAccount): AugDictChange<DepthBalanceInfo> => {
  const { account } = shardAccount
  if (account.hash().equals(NO_ACCOUNT.hash())) return { key: id, store: null }
  return {
    key: id,
    extra: depthBalanceOf(account),
    store: (builder) => storeShardAccount(builder, shardAccount),
  }
}

/** TL-B ShardAccounts after the block. */
export const updatedAccounts = (
  before: AugDict<DepthBalanceInfo>,
  accounts: readonly WorkingAccount[],
): AugDict<DepthBalanceInfo> =>
  updateAugDict(
    before,
    accounts
      .filter(({ original, shardAccount }) => !original.hash().equals(shardAccount.account.hash()))
      .map(accountChange),
    ACCOUNT_BITS,
    depthBalanceAug,
  )
