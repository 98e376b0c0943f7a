import type { WalletInfo } from '../../../contracts/wallet-info.ts'
import type { AccountRecord } from '../../../model/index-records.ts'
import { rawAddressUpper } from '../../../ton/address.ts'
import { exactNumber, type Wire } from '../go-json.ts'
import type { CodeFacts } from '../known-codes.ts'
import { base64, currencies, given } from './scalars.ts'

/** Code and data of an account as bags of cells, where they are asked for and known. */
export interface AccountBags {
  code?: Buffer | undefined
  data?: Buffer | undefined
}

const bag = (boc: Buffer | undefined): string | undefined => boc && base64(boc)

/** AccountStateFull of contracts/v3.md 5.4. `facts` tell of its code; undefined without one. */
export const accountStateFull = (account: AccountRecord, facts: CodeFacts | undefined, bags: AccountBags): Wire => ({
  address: rawAddressUpper(account.address),
  account_state_hash: base64(account.state_hash),
  balance: String(account.balance),
  extra_currencies: currencies(account.extra_currencies),
  status: account.status,
  frozen_hash: given(account.frozen_hash, base64),
  last_transaction_hash: base64(account.last_transaction.hash),
  last_transaction_lt: String(account.last_transaction.lt),
  data_hash: given(account.data_hash, base64),
  code_hash: given(account.code_hash, base64),
  data_boc: bag(bags.data),
  code_boc: bag(bags.code),
  contract_methods: facts?.methods ?? null,
  interfaces: facts?.interfaces ?? [],
})

const walletId = (id: bigint | undefined): Wire | undefined => (id === undefined ? undefined : exactNumber(id))

/** WalletState of contracts/v3.md 5.4. `wallet` is null for what is no known wallet. */
export const walletState = (account: AccountRecord, wallet: WalletInfo | null): Wire => ({
  address: rawAddressUpper(account.address),
  is_wallet: wallet !== null,
  wallet_type: wallet?.wallet_type,
  seqno: wallet?.seqno,
  wallet_id: walletId(wallet?.wallet_id),
  balance: String(account.balance),
  extra_currencies: currencies(account.extra_currencies),
  is_signature_allowed: wallet?.is_signature_allowed,
  status: account.status,
  code_hash: given(account.code_hash, base64),
  last_transaction_hash: base64(account.last_transaction.hash),
  last_transaction_lt: String(account.last_transaction.lt),
})

/** What the legacy methods show of an account, be it from the index or from the chain. */
export interface LegacyAccount extends Pick<AccountRecord, 'balance' | 'status' | 'frozen_hash' | 'last_transaction'> {
  code: Buffer | null
  data: Buffer | null
}

/** An account that does not exist is written as one without a state (contracts/v3.md 4.9, 18 #8). */
const legacyStatus = (status: AccountRecord['status']): string => (status === 'nonexist' ? 'uninit' : status)

/** V2AddressInformation of contracts/v3.md 4.9. */
export const addressInformation = (account: LegacyAccount): Wire => ({
  balance: String(account.balance),
  code: account.code && base64(account.code),
  data: account.data && base64(account.data),
  last_transaction_lt: String(account.last_transaction.lt),
  last_transaction_hash: base64(account.last_transaction.hash),
  frozen_hash: account.frozen_hash && base64(account.frozen_hash),
  status: legacyStatus(account.status),
})

/** V2WalletInformation of contracts/v3.md 4.9. */
export const walletInformation = (account: LegacyAccount, wallet: WalletInfo | null): Wire => ({
  balance: String(account.balance),
  wallet_type: wallet?.wallet_type,
  seqno: wallet?.seqno,
  wallet_id: walletId(wallet?.wallet_id),
  last_transaction_lt: String(account.last_transaction.lt),
  last_transaction_hash: base64(account.last_transaction.hash),
  status: legacyStatus(account.status),
})
