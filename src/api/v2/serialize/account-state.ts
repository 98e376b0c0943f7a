import type {
  AccountState,
  PaymentChannelConfig,
  PaymentChannelState,
  RestrictedWalletConfig,
} from '../../../model/account-state.ts'
import { accountAddress, type Neutral } from '../dialect.ts'
import { bytesOf } from './scalars.ts'

const restrictedWalletConfig = ({ start_at, limits }: RestrictedWalletConfig): Neutral => ({
  '@type': 'rwallet.config',
  start_at,
  limits: limits.map(({ seconds, value }) => ({ '@type': 'rwallet.limit', seconds, value })),
})

const paymentChannelConfig = (config: PaymentChannelConfig): Neutral => ({
  '@type': 'pchan.config',
  alice_public_key: config.alice_public_key,
  alice_address: accountAddress(config.alice_address),
  bob_public_key: config.bob_public_key,
  bob_address: accountAddress(config.bob_address),
  init_timeout: config.init_timeout,
  close_timeout: config.close_timeout,
  channel_id: config.channel_id,
})

const paymentChannelState = (state: PaymentChannelState): Neutral => {
  if (state._ === 'pchan.statePayout') return { '@type': state._, A: state.A, B: state.B }
  const { signed_A, signed_B, min_A, min_B, expire_at, A, B } = state
  return { '@type': state._, signed_A, signed_B, min_A, min_B, expire_at, A, B }
}

/** The variant's own fields in the order of contracts/v2.md 5.3. */
const fieldsOf = (state: AccountState): { readonly [key: string]: Neutral } => {
  switch (state._) {
    case 'raw.accountState':
      return { code: bytesOf(state.code), data: bytesOf(state.data), frozen_hash: state.frozen_hash ?? '' }
    case 'wallet.v3.accountState':
    case 'wallet.v4.accountState':
    case 'wallet.highload.v1.accountState':
      return { wallet_id: state.wallet_id, seqno: state.seqno }
    case 'wallet.highload.v2.accountState':
    case 'dns.accountState':
      return { wallet_id: state.wallet_id }
    case 'rwallet.accountState':
      return {
        wallet_id: state.wallet_id,
        seqno: state.seqno,
        unlocked_balance: state.unlocked_balance,
        config: restrictedWalletConfig(state.config),
      }
    case 'pchan.accountState':
      return {
        config: paymentChannelConfig(state.config),
        state: paymentChannelState(state.state),
        description: state.description,
      }
    case 'uninited.accountState':
      return { frozen_hash: state.frozen_hash ?? '' }
  }
}

/** `account_state` of getExtendedAddressInformation: one of nine variants, told apart by `@type`. */
export const accountState = (state: AccountState): Neutral => ({ '@type': state._, ...fieldsOf(state) })
