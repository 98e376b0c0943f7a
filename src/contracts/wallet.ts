import type {
  HighloadWalletV1AccountState,
  WalletV3AccountState,
  WalletV4AccountState,
} from '../model/account-state.ts'
import type { Slice } from '../ton/slice.ts'

type SeqnoWallet = WalletV3AccountState | WalletV4AccountState | HighloadWalletV1AccountState

/**
 * Data of wallet v3, v4 and highload wallet v1: seqno:uint32, wallet_id:uint32 and what follows. Gives what the
 * get-methods `seqno` and `get_subwallet_id` would. Throws `malformed` when the data is too short.
 */
export const readSeqnoWallet = <Kind extends SeqnoWallet['_']>(
  kind: Kind,
  data: Slice,
): { _: Kind; wallet_id: bigint; seqno: number } => {
  const seqno = data.uint(32)
  return { _: kind, wallet_id: data.uintBig(32), seqno }
}
