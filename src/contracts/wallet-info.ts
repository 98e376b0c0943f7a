import { unlessMalformed } from '../common/errors.ts'
import type { Cell } from '../ton/cell.ts'
import { beginParse, type Slice } from '../ton/slice.ts'
import { type WalletLayout, walletCode } from './wallet-info-codes.ts'

/** What a wallet's data tells; a field is there where the wallet's version has it. */
export interface WalletFields {
  /** What the next external message must carry. */
  seqno: number
  /** Unsigned: 32 bits, in wallet v5 beta 80 bits (network 32, workchain 8, version 8, subwallet 32). */
  wallet_id?: bigint
  /** False when only extensions may act for the wallet. */
  is_signature_allowed?: boolean
}

export interface WalletInfo extends WalletFields {
  wallet_type: string
}

const WALLET_ID_BETA_BITS = 80

const READERS: Readonly<Record<WalletLayout, (data: Slice) => WalletFields>> = {
  seqno: (data) => ({ seqno: data.uint(32) }),
  'seqno-id': (data) => ({ seqno: data.uint(32), wallet_id: data.uintBig(32) }),
  // A seqno below zero stands for one whose signatures are refused; the contract gives its absolute value.
  'v5-beta': (data) => {
    const seqno = data.int(33)
    return {
      seqno: Math.abs(seqno),
      wallet_id: data.uintBig(WALLET_ID_BETA_BITS),
      is_signature_allowed: seqno >= 0,
    }
  },
  v5: (data) => {
    const is_signature_allowed = data.bit()
    return { seqno: data.uint(32), wallet_id: data.uintBig(32), is_signature_allowed }
  },
}

/**
 * The wallet that an account is, told by its code and read from its data (contracts/v2.md 14), or null: unknown code, no
 * code, and data that no wallet of this version could have. Highload, restricted and multisig wallets are none here.
 */
export const readWalletInfo = (code: Cell | null, data: Cell | null): WalletInfo | null => {
  const known = code && walletCode(code)
  if (!known || !data) return null
  const { wallet_type, layout } = known
  return unlessMalformed(() => ({ wallet_type, ...READERS[layout](beginParse(data)) })) ?? null
}
