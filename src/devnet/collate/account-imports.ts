import { TonlithError } from '../../common/errors.ts'
import type { Builder } from '../../ton/builder.ts'
import { dictLookup } from '../../ton/dictionary.ts'
import { updateAugDict } from '../../ton/dictionary-update.ts'
import { beginParse } from '../../ton/slice.ts'
import { loadShardAccount, parseAccount, type ShardAccount } from '../../ton/tlb/account.ts'
import type { AugDict } from '../../ton/tlb/aug-dict.ts'
import { addCurrencies, type CurrencyCollection, NO_CURRENCY } from '../../ton/tlb/currency.ts'
import { type DepthBalanceInfo, depthBalanceAug } from '../../ton/tlb/shard-state.ts'
import { depthBalanceOf } from './accounts.ts'
import type { AccountImport } from './collation.ts'
import { type ShardId, shardHolds } from './routing.ts'

/** The accounts of a shard with some put in from outside. */
export interface ImportedAccounts {
  accounts: AugDict<DepthBalanceInfo>
  /** What the new ones have: it was not in this network before, so the block that puts them in mints it. */
  minted: CurrencyCollection
  /** Their ids in latin1. */
  ids: ReadonlySet<string>
}

const ACCOUNT_BITS = 256

const opened = ({ address, account }: AccountImport, shard: ShardId): ShardAccount => {
  if (!shardHolds(shard, { workchain: address.workchain, prefix: address.hash.readBigUInt64BE(0) }))
    throw new TonlithError('invalid', 'an account is put into a shard that does not hold it')
  const entry = loadShardAccount(beginParse(account))
  if (parseAccount(entry.account)._ === 'account_none')
    throw new TonlithError('invalid', 'an account that does not exist is put in')
  return entry
}

/**
 * Puts accounts into the state that a block starts from, without a transaction. What they have is `minted` in the value
 * flow of that block, of a shard's block too: the masterchain block that commits it adds this to the global balance,
 * which stays the sum of all there is. Throws `invalid` for an account of another shard, for one that
 * does not exist, for one that is there already and for one that comes twice, `malformed` for a broken one.
 */
export const importAccounts = (
  accounts: AugDict<DepthBalanceInfo>,
  shard: ShardId,
  imports: readonly AccountImport[],
): ImportedAccounts => {
  if (imports.length === 0) return { accounts, minted: NO_CURRENCY, ids: new Set() }
  const ids = new Set(imports.map(({ address }) => address.hash.toString('latin1')))
  if (ids.size < imports.length) throw new TonlithError('invalid', 'an account is put in twice')
  if (imports.some(({ address }) => dictLookup(accounts.root, ACCOUNT_BITS, address.hash)))
    throw new TonlithError('invalid', 'an account that is there already is put in')
  const changes = imports.map((each) => ({
    key: each.address.hash,
    extra: depthBalanceOf(opened(each, shard).account),
    store: (builder: Builder) => builder.slice(beginParse(each.account)),
  }))
  return {
    accounts: updateAugDict(accounts, changes, ACCOUNT_BITS, depthBalanceAug),
    ids,
    minted: changes.map(({ extra }) => extra.balance).reduce(addCurrencies, NO_CURRENCY),
  }
}
