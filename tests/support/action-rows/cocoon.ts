import type { RowData } from './row-data.ts'

export const COCOON_ROWS: RowData = {
  cocoon_worker_payout: ({ payout_type, query_id, new_tokens, worker_state, worker_tokens }) => ({
    cocoon_worker_payout_data: { payout_type, query_id, new_tokens, worker_state, worker_tokens },
  }),
  cocoon_proxy_payout: ({ query_id }) => ({ cocoon_proxy_payout_data: { query_id } }),
  cocoon_proxy_charge: ({ query_id, new_tokens_used, expected_address }) => ({
    cocoon_proxy_charge_data: { query_id, new_tokens_used, expected_address },
  }),
  cocoon_client_top_up: ({ query_id }) => ({ cocoon_client_top_up_data: { query_id } }),
  cocoon_register_proxy: ({ query_id }) => ({ cocoon_register_proxy_data: { query_id } }),
  cocoon_unregister_proxy: ({ query_id, seqno }) => ({ cocoon_unregister_proxy_data: { query_id, seqno } }),
  cocoon_client_register: ({ query_id, nonce }) => ({ cocoon_client_register_data: { query_id, nonce } }),
  cocoon_client_change_secret_hash: ({ query_id, new_secret_hash }) => ({
    cocoon_client_change_secret_hash_data: { query_id, new_secret_hash },
  }),
  cocoon_client_request_refund: ({ query_id, via_wallet }) => ({
    cocoon_client_request_refund_data: { query_id, via_wallet },
  }),
  cocoon_grant_refund: ({ query_id, new_tokens_used, expected_address }) => ({
    cocoon_grant_refund_data: { query_id, new_tokens_used, expected_address },
  }),
  cocoon_client_increase_stake: ({ query_id, new_stake }) => ({
    cocoon_client_increase_stake_data: { query_id, new_stake },
  }),
  cocoon_client_withdraw: ({ query_id, withdraw_amount }) => ({
    cocoon_client_withdraw_data: { query_id, withdraw_amount },
  }),
}
