import type { Action } from '../../model/action.ts'
import type { ActionType } from '../../store/action-types.ts'

/**
 * Types of actions that a client says it knows: sets, which may have others in them (contracts/v3.md 6.1). Which types there
 * are stands in store/action-types.ts; which of them a set has is the API's.
 */

const V1: readonly ActionType[] = [
  'call_contract',
  'contract_deploy',
  'ton_transfer',
  'stake_deposit',
  'stake_withdrawal',
  'stake_withdrawal_request',
  'dex_deposit_liquidity',
  'jetton_transfer',
  'nft_transfer',
  'nft_mint',
  'jetton_burn',
  'jetton_mint',
  'jetton_swap',
  'change_dns',
  'delete_dns',
  'renew_dns',
  'subscribe',
  'dex_withdraw_liquidity',
  'unsubscribe',
  'election_deposit',
  'election_recover',
  'auction_bid',
  'tick_tock',
]

const MULTISIG: readonly ActionType[] = ['multisig_create_order', 'multisig_approve', 'multisig_execute']
const VESTING: readonly ActionType[] = ['vesting_send_message', 'vesting_add_whitelist']
const EVAA: readonly ActionType[] = ['evaa_supply', 'evaa_withdraw', 'evaa_liquidate']
const JVAULT: readonly ActionType[] = ['jvault_stake', 'jvault_unstake', 'jvault_claim', 'jvault_unstake_request']
const COFFEE: readonly ActionType[] = [
  'coffee_create_vault',
  'coffee_create_pool_creator',
  'coffee_create_pool',
  'coffee_mev_protect_hold_funds',
  'coffee_mev_protect_failed_swap',
  'coffee_staking_claim_rewards',
  'coffee_staking_deposit',
  'coffee_staking_withdraw',
]
const TRADES: readonly ActionType[] = [
  'nft_put_on_sale',
  'nft_put_on_auction',
  'auction_outbid',
  'nft_cancel_sale',
  'nft_purchase',
  'nft_cancel_auction',
  'nft_finish_auction',
  'teleitem_start_auction',
  'teleitem_cancel_auction',
  'nft_update_sale',
  'dns_purchase',
  'dns_release',
]
const LAYERZERO: readonly ActionType[] = [
  'layerzero_send',
  'layerzero_send_tokens',
  'layerzero_receive',
  'layerzero_commit_packet',
  'layerzero_dvn_verify',
]
const COCOON: readonly ActionType[] = [
  'cocoon_worker_payout',
  'cocoon_proxy_payout',
  'cocoon_proxy_charge',
  'cocoon_client_top_up',
  'cocoon_register_proxy',
  'cocoon_unregister_proxy',
  'cocoon_client_register',
  'cocoon_client_change_secret_hash',
  'cocoon_client_request_refund',
  'cocoon_grant_refund',
  'cocoon_client_increase_stake',
  'cocoon_client_withdraw',
]

type Member = ActionType | 'v1' | 'v2' | 'v3' | 'v4' | 'nft' | 'dns'

const SETS: ReadonlyMap<string, readonly Member[]> = new Map<string, readonly Member[]>([
  ['v1', V1],
  [
    'v2',
    ['v1', ...MULTISIG, ...VESTING, ...EVAA, ...JVAULT, 'nft_discovery', 'tonco_deploy_pool', ...COFFEE, 'unknown'],
  ],
  ['v3', ['v2', ...TRADES, ...LAYERZERO]],
  ['v4', ['v3', ...COCOON]],
  ['latest', ['v4']],
  ['staking', ['stake_deposit', 'stake_withdrawal', 'stake_withdrawal_request']],
  ['jettons', ['jetton_transfer', 'jetton_burn', 'jetton_mint']],
  ['nft', ['nft_transfer', 'nft_mint', 'auction_bid']],
  ['nft.v3', ['nft', ...TRADES]],
  ['dns', ['change_dns', 'delete_dns', 'renew_dns', 'dns_purchase', 'dns_release']],
  ['dns.v2', ['dns']],
  ['multisig', MULTISIG],
  ['vesting', VESTING],
  ['evaa', EVAA],
  ['jvault', JVAULT],
  ['coffee', COFFEE],
  [
    'tgbtc',
    [
      'tgbtc_mint',
      'tgbtc_mint_fallback',
      'tgbtc_burn',
      'tgbtc_burn_fallback',
      'tgbtc_new_key',
      'tgbtc_new_key_fallback',
      'tgbtc_dkg_log_fallback',
    ],
  ],
  ['layerzero', LAYERZERO],
  ['cocoon', COCOON],
])

/** What a client knows that does not say what it knows. */
const DEFAULT = ['latest']

/**
 * The types behind the names of types and sets; `v1` is known by all. What is no set is a type of its own. Sets hold each
 * other in no circle, and each is opened once.
 */
export const supportedTypes = (named: readonly string[]): ReadonlySet<string> => {
  const found = new Set(['v1', ...(named.length > 0 ? named : DEFAULT)])
  // A Set also walks over what is added on the way.
  for (const name of found) for (const member of SETS.get(name) ?? []) found.add(member)
  return found
}

/** The actions that a client sees who knows these types: of what it does not know it sees the parts. */
export const seenActions = (actions: readonly Action[], supported: ReadonlySet<string>): Action[] =>
  actions.filter(
    ({ content, ancestor_type }) =>
      supported.has(content.type) && !ancestor_type.some((ancestor) => supported.has(ancestor)),
  )
