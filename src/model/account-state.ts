import type { Address } from '../ton/address.ts'
import type { Cell } from '../ton/cell.ts'

/**
 * The nine account states of getExtendedAddressInformation (spec.md, AccountState variants). `_` is the variant's `@type`;
 * the other names are the fields' own. int64 fields are bigint, int32 fields are number; amounts are nano-units, times
 * are Unix seconds. Code and data are the cells as they are stored; null stands for what is absent.
 */
export type AccountState =
  | RawAccountState
  | WalletV3AccountState
  | WalletV4AccountState
  | HighloadWalletV1AccountState
  | HighloadWalletV2AccountState
  | DnsAccountState
  | RestrictedWalletAccountState
  | PaymentChannelAccountState
  | UninitedAccountState

export interface RawAccountState {
  _: 'raw.accountState'
  code: Cell | null
  data: Cell | null
  frozen_hash: Buffer | null
}

export interface WalletV3AccountState {
  _: 'wallet.v3.accountState'
  wallet_id: bigint
  seqno: number
}

export interface WalletV4AccountState {
  _: 'wallet.v4.accountState'
  wallet_id: bigint
  seqno: number
}

export interface HighloadWalletV1AccountState {
  _: 'wallet.highload.v1.accountState'
  wallet_id: bigint
  seqno: number
}

export interface HighloadWalletV2AccountState {
  _: 'wallet.highload.v2.accountState'
  wallet_id: bigint
}

export interface DnsAccountState {
  _: 'dns.accountState'
  wallet_id: bigint
}

export interface RestrictedWalletAccountState {
  _: 'rwallet.accountState'
  wallet_id: bigint
  seqno: number
  unlocked_balance: bigint
  config: RestrictedWalletConfig
}

export interface RestrictedWalletConfig {
  start_at: bigint
  /** Ascending by seconds. */
  limits: RestrictedWalletLimit[]
}

/** From `seconds` after the start on, `value` of the balance stays locked, until the next limit takes its place. */
export interface RestrictedWalletLimit {
  seconds: number
  value: bigint
}

export interface PaymentChannelAccountState {
  _: 'pchan.accountState'
  config: PaymentChannelConfig
  state: PaymentChannelState
  /** The state in words, many lines, for people to read. */
  description: string
}

export interface PaymentChannelConfig {
  /** 48 characters: base64url of the bytes 3e e6, the Ed25519 key and the CRC-16 of these 34 bytes. */
  alice_public_key: string
  /** undefined when the contract holds no internal address there. */
  alice_address: Address | undefined
  bob_public_key: string
  bob_address: Address | undefined
  init_timeout: number
  close_timeout: number
  /** The contract's uint64 as a signed number. */
  channel_id: bigint
}

export type PaymentChannelState = PaymentChannelOpenState | PaymentChannelPayout

export interface PaymentChannelOpenState {
  _: 'pchan.stateInit' | 'pchan.stateClose'
  signed_A: boolean
  signed_B: boolean
  min_A: bigint
  min_B: bigint
  expire_at: bigint
  A: bigint
  B: bigint
}

export interface PaymentChannelPayout {
  _: 'pchan.statePayout'
  A: bigint
  B: bigint
}

export interface UninitedAccountState {
  _: 'uninited.accountState'
  frozen_hash: Buffer | null
}
