import type { Transfer } from '../../model/payments.ts'
import { type Address, sameAddress } from '../../ton/address.ts'

/** Whose jetton wallet an account is; its master says so too. */
export interface JettonWalletOf {
  owner: Address
  jetton: Address
}

/** What an account is as a jetton wallet; undefined where it is not known to be one. */
export type KnownWallets = (account: Address) => JettonWalletOf | undefined

/** The wallets of a transfer's jetton. */
export interface GenuineWallets {
  /** True where the master gives `wallet` for `owner`; undefined where that cannot be told. */
  isOf(wallet: Address, owner: Address): boolean | undefined
}

/**
 * Tells the wallets of a transfer's jetton from others: by what the master gave for the transfer's two sides when it was
 * made, and by what the index has found out of accounts.
 */
export const genuineWallets = (
  { asset, sender, recipient, jetton_wallets }: Transfer,
  known: KnownWallets,
): GenuineWallets => ({
  isOf: (wallet, owner) => {
    if (!asset || !jetton_wallets) return false
    const given = [
      sameAddress(owner, sender) ? jetton_wallets.sender : undefined,
      sameAddress(owner, recipient) ? jetton_wallets.recipient : undefined,
    ].filter((one) => one !== undefined)
    if (given.some((one) => sameAddress(one, wallet))) return true
    const found = known(wallet)
    if (!found) return given.length > 0 ? false : undefined
    return sameAddress(found.owner, owner) && sameAddress(found.jetton, asset)
  },
})
