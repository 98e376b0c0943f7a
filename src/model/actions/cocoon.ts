import type { Address } from '../../ton/address.ts'
import type { ActionOf } from './content.ts'

/** Amounts in nano-units; what is counted in tokens is no jetton but the work of a model. */
export type CocoonWorkerPayoutDetails = {
  payout_type: 'regular' | 'last'
  query_id: bigint
  /** As `SignedByProxy` has it. */
  new_tokens: bigint
  worker_state: number
  worker_tokens: bigint
  /** The proxy, and the owner of the worker. */
  source: Address | null
  destination: Address | null
  amount: bigint
}

export type CocoonProxyPayoutDetails = {
  query_id: bigint
  source: Address | null
  destination: Address | null
}

export type CocoonProxyChargeDetails = {
  query_id: bigint
  new_tokens_used: bigint
  expected_address: string | null
  source: Address | null
  destination: Address | null
}

export type CocoonClientTopUpDetails = {
  query_id: bigint
  source: Address | null
  destination: Address | null
  amount: bigint
}

export type CocoonRegisterProxyDetails = {
  query_id: bigint
  destination: Address | null
}

export type CocoonUnregisterProxyDetails = {
  query_id: bigint
  seqno: number
  destination: Address | null
}

export type CocoonClientRegisterDetails = {
  query_id: bigint
  nonce: bigint
  source: Address | null
  destination: Address | null
}

export type CocoonClientChangeSecretHashDetails = {
  query_id: bigint
  /** Hex without prefix and leading zeros. */
  new_secret_hash: string
  source: Address | null
  destination: Address | null
}

export type CocoonClientRequestRefundDetails = {
  query_id: bigint
  /** Asked for through a wallet of Cocoon. */
  via_wallet: boolean
  source: Address | null
  destination: Address | null
}

export type CocoonGrantRefundDetails = {
  query_id: bigint
  new_tokens_used: bigint
  expected_address: string | null
  source: Address | null
  destination: Address | null
  amount: bigint
}

export type CocoonClientIncreaseStakeDetails = {
  query_id: bigint
  new_stake: bigint
  source: Address | null
  destination: Address | null
  amount: bigint
}

export type CocoonClientWithdrawDetails = {
  query_id: bigint
  withdraw_amount: bigint
  source: Address | null
  destination: Address | null
  amount: bigint
}

/** Cocoon: workers, the proxies that give them work, and the clients who pay for it. */
export type CocoonAction =
  | ActionOf<'cocoon_worker_payout', CocoonWorkerPayoutDetails>
  | ActionOf<'cocoon_proxy_payout', CocoonProxyPayoutDetails>
  | ActionOf<'cocoon_proxy_charge', CocoonProxyChargeDetails>
  | ActionOf<'cocoon_client_top_up', CocoonClientTopUpDetails>
  | ActionOf<'cocoon_register_proxy', CocoonRegisterProxyDetails>
  | ActionOf<'cocoon_unregister_proxy', CocoonUnregisterProxyDetails>
  | ActionOf<'cocoon_client_register', CocoonClientRegisterDetails>
  | ActionOf<'cocoon_client_change_secret_hash', CocoonClientChangeSecretHashDetails>
  | ActionOf<'cocoon_client_request_refund', CocoonClientRequestRefundDetails>
  | ActionOf<'cocoon_grant_refund', CocoonGrantRefundDetails>
  | ActionOf<'cocoon_client_increase_stake', CocoonClientIncreaseStakeDetails>
  | ActionOf<'cocoon_client_withdraw', CocoonClientWithdrawDetails>
