import type {
  BoundedSwapDetails,
  Dex,
  DexDepositLiquidityDetails,
  DexTransfer,
  DexWithdrawLiquidityDetails,
  JettonSwapDetails,
  PeerSwap,
} from '../../model/actions/dex.ts'
import { type Address, sameAddress } from '../../ton/address.ts'
import type { Told } from '../classify/part.ts'

/** A swap, as exchanges tell of it. */
export interface Swap {
  dex: Dex
  incoming: DexTransfer
  outgoing: DexTransfer
  /** The asset that was asked for, where a failed swap gives back another one. */
  asset_out?: Address | null
  /** The router's wallet of the asset that was asked for, where that is told in place of the one that took it. */
  target_wallet?: Address | null
  /** Every pool that was gone through. */
  hops?: readonly PeerSwap[]
  /** TONCO's. */
  min_out_amount?: bigint | null
}

const swapDetails = ({ dex, incoming, outgoing, hops = [], ...swap }: Swap): JettonSwapDetails | BoundedSwapDetails => {
  const details: JettonSwapDetails = {
    dex,
    sender: incoming.source,
    asset_in: incoming.asset,
    asset_out: swap.asset_out === undefined ? outgoing.asset : swap.asset_out,
    dex_incoming_transfer: incoming,
    dex_outgoing_transfer: outgoing,
    peer_swaps: hops.length > 1 ? hops : [],
  }
  return swap.min_out_amount === undefined ? details : { ...details, min_out_amount: swap.min_out_amount }
}

/** A swap on an exchange. */
export const swapTold = (swap: Swap): Omit<Told, 'failed'> => {
  const { incoming, outgoing } = swap
  const details = swapDetails(swap)
  return {
    btype: 'jetton_swap',
    content: { type: 'jetton_swap', details },
    columns: {
      source: incoming.source,
      source_secondary: incoming.source_jetton_wallet,
      destination: outgoing.destination,
      destination_secondary: swap.target_wallet ?? outgoing.destination_jetton_wallet,
      asset: details.asset_in,
      asset2: details.asset_out,
    },
  }
}

type DepositSaid = Pick<DexDepositLiquidityDetails, 'dex' | 'source' | 'pool' | 'destination_liquidity'>

/** Liquidity given to a pool: what is said of it, all else being null. `account` is the contract that collects the assets. */
export const depositTold = (
  btype: string,
  said: DepositSaid & Partial<DexDepositLiquidityDetails>,
  account: Address | null,
  sender_wallet: Address | null = null,
): Omit<Told, 'failed'> => ({
  btype,
  content: {
    type: 'dex_deposit_liquidity',
    details: {
      dex: said.dex,
      amount_1: said.amount_1 ?? null,
      amount_2: said.amount_2 ?? null,
      asset_1: said.asset_1 ?? null,
      asset_2: said.asset_2 ?? null,
      user_jetton_wallet_1: said.user_jetton_wallet_1 ?? null,
      user_jetton_wallet_2: said.user_jetton_wallet_2 ?? null,
      source: said.source,
      pool: said.pool,
      destination_liquidity: said.destination_liquidity,
      lp_tokens_minted: said.lp_tokens_minted ?? null,
      target_asset_1: said.target_asset_1 ?? null,
      target_asset_2: said.target_asset_2 ?? null,
      target_amount_1: said.target_amount_1 ?? null,
      target_amount_2: said.target_amount_2 ?? null,
      vault_excesses: said.vault_excesses ?? [],
      tick_lower: said.tick_lower ?? null,
      tick_upper: said.tick_upper ?? null,
      nft_index: said.nft_index ?? null,
      nft_address: said.nft_address ?? null,
    },
  },
  columns: {
    source: said.source,
    source_secondary: sender_wallet,
    destination: said.pool,
    destination_secondary: account,
  },
})

/** What was given for liquidity: one asset, or two in the order of the pool. */
export type Payouts = readonly (DexTransfer | undefined)[]

/** Liquidity taken out of a pool. */
export interface Withdrawal {
  dex: Dex
  source: Address | null
  pool: Address | null
  payouts: Payouts
  lp_tokens_burnt: bigint | null
  /** The wallet that the liquidity's tokens were burnt in, and the tokens. */
  wallet?: Address | null
  lp_asset?: Address | null
  position?: Pick<DexWithdrawLiquidityDetails, 'burnt_nft_index' | 'burnt_nft_address' | 'tick_lower' | 'tick_upper'>
}

const NO_POSITION = { burnt_nft_index: null, burnt_nft_address: null, tick_lower: null, tick_upper: null } as const

/** Liquidity taken out of a pool. */
export const withdrawalTold = (
  btype: string,
  { dex, source, pool, payouts, lp_tokens_burnt, wallet, lp_asset, position = NO_POSITION }: Withdrawal,
): Omit<Told, 'failed'> => {
  const [first, second] = payouts
  return {
    btype,
    content: {
      type: 'dex_withdraw_liquidity',
      details: {
        dex,
        amount_1: first?.amount ?? null,
        amount_2: second?.amount ?? null,
        asset_1: first?.asset ?? null,
        asset_2: second?.asset ?? null,
        user_jetton_wallet_1: first?.destination_jetton_wallet ?? null,
        user_jetton_wallet_2: second?.destination_jetton_wallet ?? null,
        lp_tokens_burnt,
        is_refund: null,
        source,
        pool,
        destination_liquidity: pool,
        burnt_nft_index: position.burnt_nft_index,
        burnt_nft_address: position.burnt_nft_address,
        tick_lower: position.tick_lower,
        tick_upper: position.tick_upper,
      },
    },
    columns: { source, source_secondary: wallet ?? null, destination: pool, asset: lp_asset ?? null, payouts },
  }
}

/** True where both name the same account, or both none. */
export const sameAsset = (a: Address | null, b: Address | null): boolean =>
  a === null || b === null ? a === b : sameAddress(a, b)
