import { accountIn, integerIn, needInteger } from '../../contracts/fields.ts'
import { readToncoOtherWallet, readToncoPositionIndex } from '../../contracts/tonco-messages.ts'
import type { DexTransfer } from '../../model/actions/dex.ts'
import type { Facts } from '../../model/known-account.ts'
import { sameAddress } from '../../ton/address.ts'
import type { Matcher } from '../classify/family.ts'
import { calls, detailsOf, messageOf, type Part } from '../classify/part.ts'
import { call } from '../classify/pattern.ts'
import { depositTold, type Payouts, withdrawalTold } from './dex-content.ts'
import {
  assetHeldBy,
  type Incoming,
  incomingTo,
  nextCall,
  outgoingBy,
  payloadBehind,
  saidBy,
  transfersBehind,
  withAppended,
} from './dex-parts.ts'
import { coinsOf, TONCO_PAY } from './tonco-swap.ts'

const FUND_ACCOUNT = 0x4468de77
const ADD_LIQUIDITY = 0x3ebe5431
const MINT_AND_REFUND = 0x81702ef8
const POSITION_INIT = 0xd5ecca2a
const START_BURN = 0x530b5f2c
const POSITION_BURN = 0x46ca335a
const POOL_BURN = 0xd73ac09d
const BURN_OK: readonly (bigint | undefined)[] = [0n, 201n]

/** The position's item: one that is known is a mint already. Without it nothing was minted. */
const positionIn = (minted: Part | undefined) => {
  const part = minted?.next.find((next) => next.btype === 'nft_mint' || calls(next, POSITION_INIT))
  if (!minted || !part) return undefined
  const said = part.nodes[0]!.said()
  return {
    part,
    nft_index: detailsOf(part, 'nft_mint')?.nft_item_index ?? readToncoPositionIndex(messageOf(part).body) ?? null,
    nft_address: messageOf(part).destination,
    liquidity: integerIn(said, 'liquidity') ?? needInteger(saidBy(minted), 'liquidity'),
  }
}

/** What the pool has the router give back, and the parts that it is. */
const refundsOf = (minted: Part | undefined): { parts: Part[]; transfers: DexTransfer[] } => {
  const told = minted?.next.filter((next) => calls(next, TONCO_PAY)) ?? []
  const paid = told.flatMap(transfersBehind).map(outgoingBy)
  return {
    parts: [...withAppended(told), ...paid.flatMap(({ parts }) => parts)],
    transfers: paid.map(({ transfer }) => transfer),
  }
}

/**
 * An asset for a position; the position is minted when the account has what it needs. What is given stands first, whichever
 * of the pool's assets it is; its wallet and the targets stand in the order of the pool.
 */
export const toncoDeposit: Matcher = {
  name: 'TONCO deposit',
  pattern: call(FUND_ACCOUNT, { bare: true }),
  build: (start, _match, facts) => {
    const incoming = incomingTo(start.previous)
    const add = nextCall(start, ADD_LIQUIDITY)
    if (!incoming || !add) return undefined
    const minted = nextCall(add, MINT_AND_REFUND)
    const position = positionIn(minted)
    const refunds = refundsOf(minted)
    const said = saidBy(start)
    const { asset, amount, source, source_jetton_wallet } = incoming.transfer
    const payload = payloadBehind(start.previous)
    const other = assetHeldBy(payload && readToncoOtherWallet(payload), facts) ?? null
    const isFirst = needInteger(said, 'amount0') > 0n
    const pool = messageOf(start).destination
    return {
      of: [
        ...incoming.parts,
        ...withAppended([start, add, ...(minted ? [minted] : []), ...(position ? [position.part] : [])]),
        ...refunds.parts,
      ],
      ...depositTold(
        'tonco_deposit_liquidity',
        {
          dex: 'tonco',
          source,
          pool,
          destination_liquidity: pool,
          asset_1: asset,
          amount_1: amount,
          user_jetton_wallet_1: isFirst ? source_jetton_wallet : null,
          user_jetton_wallet_2: isFirst ? null : source_jetton_wallet,
          lp_tokens_minted: position?.liquidity ?? null,
          target_asset_1: isFirst ? asset : other,
          target_asset_2: isFirst ? other : asset,
          target_amount_1: needInteger(said, 'enough0'),
          target_amount_2: needInteger(said, 'enough1'),
          vault_excesses: refunds.transfers.map((refund) => ({ asset: refund.asset, amount: refund.amount })),
          tick_lower: needInteger(said, 'tick_lower'),
          tick_upper: needInteger(said, 'tick_upper'),
          nft_index: position?.nft_index ?? null,
          nft_address: position?.nft_address ?? null,
        },
        messageOf(add).destination,
        source_jetton_wallet,
      ),
      failed: start.failed || add.failed,
    }
  },
}

/**
 * What the router paid, in the order of the pool. For what it did not pay stands what it was told: nothing of an asset, or
 * what it could not send.
 */
const inOrder = (told: Part, paid: readonly Incoming[], facts: Facts): Payouts =>
  ([0, 1] as const).map((at) => {
    const coins = coinsOf(told)
    const wallet = accountIn(coins, `jetton${at}_address`)
    const found = paid.find(({ parts: [part] }) => {
      const { destination } = messageOf(part!)
      return wallet && destination && sameAddress(wallet, destination)
    })
    if (found || !wallet) return found?.transfer
    const asset = assetHeldBy(wallet, facts) ?? null
    return {
      asset,
      source: messageOf(told).source,
      destination: accountIn(saidBy(told), `owner${at}`),
      source_jetton_wallet: asset ? wallet : null,
      destination_jetton_wallet: null,
      amount: needInteger(coins, `amount${at}`),
    }
  })

/** A position, or a part of it, is burnt for what is in it. */
export const toncoWithdraw: Matcher = {
  name: 'TONCO withdrawal',
  pattern: call(START_BURN, { bare: true }),
  build: (start, _match, facts) => {
    const item = nextCall(start, POSITION_BURN)
    const burn = nextCall(item, POOL_BURN)
    const told = nextCall(burn, TONCO_PAY)
    if (!item || !burn || !told) return undefined
    const paid = transfersBehind(told).map(outgoingBy)
    const said = saidBy(start)
    return {
      of: [...withAppended([start, item, burn, told]), ...paid.flatMap(({ parts }) => parts)],
      ...withdrawalTold('tonco_withdraw_liquidity', {
        dex: 'tonco',
        source: messageOf(start).source,
        pool: messageOf(start).destination,
        payouts: inOrder(told, paid, facts),
        lp_tokens_burnt: integerIn(saidBy(burn), 'liquidity_to_burn') ?? null,
        position: {
          burnt_nft_index: needInteger(said, 'burned_index'),
          burnt_nft_address: messageOf(item).destination,
          tick_lower: needInteger(said, 'tick_lower'),
          tick_upper: needInteger(said, 'tick_upper'),
        },
      }),
      failed: !BURN_OK.includes(integerIn(saidBy(told), 'exit_code')),
    }
  },
}
