/**
 * The types of actions by the numbers under which the index has them. New ones come last: a change of the others is a
 * change of the index's form.
 */
const TYPES = [
  'call_contract',
  'contract_deploy',
  'ton_transfer',
  'tick_tock',
  'unknown',
  'stake_deposit',
  'stake_withdrawal',
  'stake_withdrawal_request',
  'dex_deposit_liquidity',
  'dex_withdraw_liquidity',
  'jetton_transfer',
  'jetton_burn',
  'jetton_mint',
  'jetton_swap',
  'nft_transfer',
  'nft_mint',
  'nft_discovery',
  'nft_purchase',
  'nft_put_on_sale',
  'nft_put_on_auction',
  'nft_cancel_sale',
  'nft_cancel_auction',
  'nft_finish_auction',
  'nft_update_sale',
  'auction_bid',
  'auction_outbid',
  'teleitem_start_auction',
  'teleitem_cancel_auction',
  'change_dns',
  'delete_dns',
  'renew_dns',
  'dns_purchase',
  'dns_release',
  'subscribe',
  'unsubscribe',
  'election_deposit',
  'election_recover',
  'multisig_create_order',
  'multisig_approve',
  'multisig_execute',
  'vesting_send_message',
  'vesting_add_whitelist',
  'tonco_deploy_pool',
  'coffee_create_vault',
  'coffee_create_pool_creator',
  'coffee_create_pool',
  'coffee_mev_protect_hold_funds',
  'coffee_mev_protect_failed_swap',
  'coffee_staking_claim_rewards',
  'coffee_staking_deposit',
  'coffee_staking_withdraw',
  'evaa_supply',
  'evaa_withdraw',
  'evaa_liquidate',
  'jvault_stake',
  'jvault_unstake',
  'jvault_claim',
  'jvault_unstake_request',
  'tgbtc_mint',
  'tgbtc_mint_fallback',
  'tgbtc_burn',
  'tgbtc_burn_fallback',
  'tgbtc_new_key',
  'tgbtc_new_key_fallback',
  'tgbtc_dkg_log_fallback',
  'layerzero_send',
  'layerzero_send_tokens',
  'layerzero_receive',
  'layerzero_commit_packet',
  'layerzero_dvn_verify',
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
] as const

/** The name of a type. */
export type ActionType = (typeof TYPES)[number]

const NUMBERS: ReadonlyMap<string, number> = new Map(TYPES.map((type, number) => [type, number]))

/** The number of a type. */
export const typeNumber = (type: ActionType): number => NUMBERS.get(type)!

/** The number of a type that somebody names; undefined for what is none. */
export const findTypeNumber = (name: string): number | undefined => NUMBERS.get(name)

/** All types, by their numbers. */
export const ACTION_TYPES: readonly ActionType[] = TYPES

/** All numbers. */
export const TYPE_NUMBERS: readonly number[] = TYPES.map((_, number) => number)
