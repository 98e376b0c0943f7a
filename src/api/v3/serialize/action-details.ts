import type { ActionContent, ActionType, DetailsOf } from '../../../model/action.ts'
import type { DetailValue } from '../../../model/actions/content.ts'
import { type Address, rawAddressUpper } from '../../../ton/address.ts'
import { Cell } from '../../../ton/cell.ts'
import { exactNumber, type Wire } from '../go-json.ts'
import { bocText } from './scalars.ts'

/** The keys of details that are left out where they are null; all others stand there as null (contracts/v3.md 6.2). */
type LeftOut = { readonly [Type in ActionType]: readonly (keyof DetailsOf<Type>)[] }

const MESSAGE = ['opcode', 'source', 'destination', 'value'] as const
const NFT_TRANSFER = ['old_owner', 'price'] as const

const LEFT_OUT: LeftOut = {
  call_contract: MESSAGE,
  contract_deploy: MESSAGE,
  ton_transfer: [],
  tick_tock: [],
  unknown: [],
  jetton_transfer: [],
  jetton_burn: [],
  jetton_mint: [],
  jetton_swap: [],
  dex_deposit_liquidity: [],
  dex_withdraw_liquidity: [],
  tonco_deploy_pool: [],
  coffee_create_pool: [],
  coffee_create_pool_creator: [],
  coffee_create_vault: [],
  coffee_mev_protect_hold_funds: [],
  coffee_mev_protect_failed_swap: [],
  coffee_staking_deposit: [],
  coffee_staking_withdraw: [],
  coffee_staking_claim_rewards: [],
  nft_mint: ['owner'],
  nft_transfer: NFT_TRANSFER,
  nft_purchase: NFT_TRANSFER,
  nft_discovery: [],
  nft_put_on_sale: [],
  nft_put_on_auction: [],
  nft_cancel_sale: [],
  nft_cancel_auction: [],
  nft_finish_auction: [],
  nft_update_sale: [],
  teleitem_start_auction: [],
  teleitem_cancel_auction: [],
  auction_bid: [],
  auction_outbid: ['comment', 'marketplace'],
  change_dns: [],
  delete_dns: [],
  renew_dns: [],
  dns_purchase: [],
  dns_release: [],
  election_deposit: ['amount'],
  election_recover: ['amount'],
  evaa_supply: [],
  evaa_withdraw: [],
  evaa_liquidate: [],
  jvault_stake: [],
  jvault_unstake: [],
  jvault_unstake_request: [],
  jvault_claim: [],
  multisig_create_order: [],
  multisig_approve: [],
  multisig_execute: [],
  stake_deposit: ['source_asset'],
  stake_withdrawal: [],
  stake_withdrawal_request: ['tokens_minted'],
  subscribe: ['beneficiary'],
  unsubscribe: ['beneficiary', 'amount'],
  tgbtc_mint: [],
  tgbtc_mint_fallback: [],
  tgbtc_burn: [],
  tgbtc_burn_fallback: [],
  tgbtc_new_key: [],
  tgbtc_new_key_fallback: [],
  tgbtc_dkg_log_fallback: [],
  vesting_send_message: [],
  vesting_add_whitelist: [],
  layerzero_send: [],
  layerzero_send_tokens: [],
  layerzero_receive: [],
  layerzero_commit_packet: [],
  layerzero_dvn_verify: [],
  cocoon_worker_payout: [],
  cocoon_proxy_payout: [],
  cocoon_proxy_charge: [],
  cocoon_client_top_up: [],
  cocoon_register_proxy: [],
  cocoon_unregister_proxy: [],
  cocoon_client_register: [],
  cocoon_client_change_secret_hash: [],
  cocoon_client_request_refund: [],
  cocoon_grant_refund: [],
  cocoon_client_increase_stake: [],
  cocoon_client_withdraw: [],
}

const LAYERZERO_NUMBERS = ['send_request_id', 'native_fee', 'zro_fee', 'nonce'] as const

/** Integers that are JSON numbers on the wire however large they are; those of other names and types are texts. */
const NUMBERS: { readonly [Type in ActionType]?: readonly string[] } = {
  layerzero_send: LAYERZERO_NUMBERS,
  layerzero_send_tokens: LAYERZERO_NUMBERS,
  layerzero_receive: LAYERZERO_NUMBERS,
  layerzero_commit_packet: LAYERZERO_NUMBERS,
  layerzero_dvn_verify: LAYERZERO_NUMBERS,
}

/** Every type that the classifier tells of. */
export const ACTION_TYPES: readonly string[] = Object.keys(LEFT_OUT)

const isAddress = (value: object): value is Address =>
  'workchain' in value && 'hash' in value && Buffer.isBuffer(value.hash)

const isList = (value: object): value is readonly DetailValue[] => Array.isArray(value)

interface Writing {
  /** Told every address. */
  name(address: string): void
  /** Integers of these names are JSON numbers. */
  numbers: readonly string[]
}

/** A value of details, which stands under `key`, on the wire. */
const written = (value: DetailValue, key: string, writing: Writing): Wire => {
  if (value === null || typeof value === 'boolean' || typeof value === 'number' || typeof value === 'string')
    return value
  if (typeof value === 'bigint') return writing.numbers.includes(key) ? exactNumber(value) : String(value)
  if (value instanceof Cell) return bocText(value)
  if (isAddress(value)) {
    const raw = rawAddressUpper(value)
    writing.name(raw)
    return raw
  }
  if (isList(value)) return value.map((one) => written(one, key, writing))
  return Object.fromEntries(Object.entries(value).map(([inner, one]) => [inner, written(one, inner, writing)]))
}

/**
 * The details of an action on the wire, and the addresses in them, raw. What has no details of its own says so, as the
 * reference does of what it does not know.
 */
export const actionDetails = ({ type, details }: ActionContent): { wire: Wire; addresses: string[] } => {
  if (type === 'unknown' || type === 'coffee_mev_protect_failed_swap')
    return { wire: { error: `unsupported action type: '${type}'` }, addresses: [] }
  const addresses: string[] = []
  const writing = { name: (raw: string) => addresses.push(raw), numbers: NUMBERS[type] ?? [] }
  const leftOut: readonly string[] = LEFT_OUT[type]
  const kept = Object.entries(details).filter(([key, value]) => value !== null || !leftOut.includes(key))
  const wire = Object.fromEntries(kept.map(([key, value]) => [key, written(value, key, writing)]))
  return { wire, addresses }
}

/** The type on the wire: what moves extra currencies is told apart there (contracts/v3.md 6.2). */
export const actionType = ({ type, details }: ActionContent): string => {
  const amounts =
    type === 'ton_transfer'
      ? details.value_extra_currencies
      : type === 'call_contract'
        ? details.extra_currencies
        : undefined
  return amounts && Object.keys(amounts).length > 0 ? 'extra_currency_transfer' : type
}
