import type { HighloadWalletV2AccountState } from '../model/account-state.ts'
import type { Slice } from '../ton/slice.ts'

/** Data of highload wallet v2: wallet_id:uint32 and what follows. Throws `malformed` when the data is too short. */
export const readHighloadWalletV2 = (data: Slice): HighloadWalletV2AccountState => ({
  _: 'wallet.highload.v2.accountState',
  wallet_id: data.uintBig(32),
})
