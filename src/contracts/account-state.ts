import { isTonlithError } from '../common/errors.ts'
import type { AccountState } from '../model/account-state.ts'
import type { Cell } from '../ton/cell.ts'
import { beginParse } from '../ton/slice.ts'
import { type ContractKind, knownCode } from './code-hashes.ts'
import { readDns } from './dns.ts'
import { readHighloadWalletV2 } from './highload-wallet.ts'
import { readPaymentChannel } from './payment-channel.ts'
import { readRestrictedWallet } from './restricted-wallet.ts'
import { readSeqnoWallet } from './wallet.ts'

/** What an account's state is told from: its stored cells, null where it has none. */
export interface AccountContents {
  /** Nano-units. */
  balance: bigint
  code: Cell | null
  data: Cell | null
  /** Hash of the state that a frozen account had, null for every other account. */
  frozenHash: Buffer | null
  /** Unix time of the block that the state was read from, in seconds. */
  now: number
}

export interface DetectedState {
  state: AccountState
  revision: number
}

const readContract = (kind: ContractKind, data: Cell, { balance, now }: AccountContents): AccountState => {
  const slice = beginParse(data)
  switch (kind) {
    case 'wallet.v3.accountState':
    case 'wallet.v4.accountState':
    case 'wallet.highload.v1.accountState':
      return readSeqnoWallet(kind, slice)
    case 'wallet.highload.v2.accountState':
      return readHighloadWalletV2(slice)
    case 'dns.accountState':
      return readDns(slice)
    case 'rwallet.accountState':
      return readRestrictedWallet(slice, balance, now)
    case 'pchan.accountState':
      return readPaymentChannel(slice)
  }
}

/**
 * The variant of getExtendedAddressInformation that an account is, told by its code hash and read from its data, and the
 * contract's revision (contracts/v2.md 13). An account without code is `uninited.accountState`, whatever its status.
 * Unknown code, no data and data that the contract itself could not have written give `raw.accountState`, revision 0.
 */
export const detectAccountState = (account: AccountContents): DetectedState => {
  const { code, data, frozenHash } = account
  if (!code) return { state: { _: 'uninited.accountState', frozen_hash: frozenHash }, revision: 0 }
  const raw: DetectedState = { state: { _: 'raw.accountState', code, data, frozen_hash: frozenHash }, revision: 0 }
  const known = knownCode(code)
  if (!known || !data) return raw
  try {
    return { state: readContract(known.kind, data, account), revision: known.revision }
  } catch (error) {
    if (isTonlithError(error, 'malformed') || isTonlithError(error, 'limit')) return raw
    throw error
  }
}
