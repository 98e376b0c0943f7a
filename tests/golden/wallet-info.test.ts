import { describe, expect, test } from 'bun:test'
import { readWalletInfo } from '../../src/contracts/wallet-info.ts'
import { contentsOf, readVariants, type Variant, type WalletAnswer } from '../support/account-variants.ts'

/** 80 bits: the network's id -217, workchain 0, version 0, subwallet 0. The reference reads the first 32, signed. */
const BETA_WALLET_ID = 0xffffff27n << 48n

const unsigned = (value: number | undefined): number | undefined => (value === undefined ? undefined : value >>> 0)

/** What the reference said, with ids and seqnos unsigned and the fields of wallet v5 beta in their places. */
const corrected = ({ wallet_information }: Variant): Record<string, unknown> => {
  const { wallet_type, seqno, wallet_id, is_signature_allowed }: WalletAnswer = wallet_information.result
  const isBeta = wallet_type === 'wallet v5 beta'
  const id = isBeta ? BETA_WALLET_ID : wallet_id === undefined ? undefined : BigInt(unsigned(wallet_id)!)
  return {
    wallet_type,
    seqno: unsigned(seqno),
    ...(id === undefined ? {} : { wallet_id: id }),
    ...(is_signature_allowed === undefined ? {} : { is_signature_allowed: isBeta || is_signature_allowed }),
  }
}

describe('wallets of the recorded variants', () => {
  for (const each of readVariants())
    test(each.label, () => {
      const { code, data } = contentsOf(each)
      const info = readWalletInfo(code, data)
      expect(info !== null).toBe(each.wallet_information.result.wallet)
      if (!info) return
      expect<object>(info).toEqual(corrected(each))
      expect(info.seqno).toBe(each.truth.seqno!)
      if (info.wallet_type !== 'wallet v5 beta' && info.wallet_id !== undefined)
        expect(Number(info.wallet_id)).toBe(each.truth.wallet_id!)
    })
})
