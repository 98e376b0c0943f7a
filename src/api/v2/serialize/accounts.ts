import type { WalletInfo } from '../../../contracts/wallet-info.ts'
import type { AccountSnapshot } from '../../../model/account.ts'
import type { AccountState } from '../../../model/account-state.ts'
import type { GivenAddress } from '../../../ton/address.ts'
import { accountAddress, blockIdExt, type Neutral } from '../dialect.ts'
import { accountState } from './account-state.ts'
import { bytesOf, extraCurrencies, transactionId } from './scalars.ts'

/**
 * `uninitialized`, `active` or `frozen`. As in the reference, an account without code counts as uninitialized, even one
 * that is active on the chain (contracts/v2.md 5.2, 20 #39).
 */
export const stateName = (account: AccountSnapshot): 'uninitialized' | 'active' | 'frozen' => {
  if (account.code) return 'active'
  return account.frozen_hash ? 'frozen' : 'uninitialized'
}

/** `raw.fullAccountState` (contracts/v2.md 5.2). */
export const addressInformation = (account: AccountSnapshot, suspended: boolean): Neutral => ({
  '@type': 'raw.fullAccountState',
  balance: String(account.balance),
  extra_currencies: extraCurrencies(account.extra_currencies),
  last_transaction_id: transactionId(account.last_transaction),
  block_id: blockIdExt(account.block),
  code: bytesOf(account.code),
  data: bytesOf(account.data),
  frozen_hash: account.frozen_hash ?? '',
  sync_utime: account.gen_utime,
  state: stateName(account),
  suspended,
})

/** `fullAccountState` (contracts/v2.md 5.3); the address is shown with the flags of the form that was asked with. */
export const extendedAddressInformation = (
  given: GivenAddress,
  account: AccountSnapshot,
  detected: { state: AccountState; revision: number },
): Neutral => ({
  '@type': 'fullAccountState',
  address: accountAddress(given, given.flags),
  balance: String(account.balance),
  extra_currencies: extraCurrencies(account.extra_currencies),
  last_transaction_id: transactionId(account.last_transaction),
  block_id: blockIdExt(account.block),
  sync_utime: account.gen_utime,
  account_state: accountState(detected.state),
  revision: detected.revision,
})

/** `ext.accounts.walletInformation` (contracts/v2.md 5.4); an account that is no known wallet has none of the last keys. */
export const walletInformation = (account: AccountSnapshot, wallet: WalletInfo | null): Neutral => ({
  '@type': 'ext.accounts.walletInformation',
  wallet: wallet !== null,
  balance: String(account.balance),
  account_state: stateName(account),
  last_transaction_id: transactionId(account.last_transaction),
  wallet_type: wallet?.wallet_type,
  seqno: wallet?.seqno,
  wallet_id: wallet?.wallet_id,
  is_signature_allowed: wallet?.is_signature_allowed,
})
