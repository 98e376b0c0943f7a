import { accountIn, needInteger } from '../../contracts/fields.ts'
import {
  JETTON_BURN_NOTIFICATION,
  JETTON_INTERNAL_TRANSFER,
  JETTON_NOTIFY,
  readJettonInternalTransfer,
} from '../../contracts/token-messages.ts'
import { JETTON_BURN, readJettonBurn } from '../../contracts/transfer-bodies.ts'
import type { StakeWithdrawalDetails } from '../../model/actions/staking.ts'
import type { Address } from '../../ton/address.ts'
import type { Made, Matcher } from '../classify/family.ts'
import { calls, detailsOf, messageOf, type Part } from '../classify/part.ts'
import { call, maybe, oneOf } from '../classify/pattern.ts'

const DEPOSIT = 0x47d54391
const MINT = 0x1674b0a0
const WITHDRAW = 0x319b0cdc
const WITHDRAWAL = 0x0a77535c
const NFT_INIT = 0x132f9a45
const NFT_BURN = 0xf127fe4e
const NFT_BURN_NOTIFICATION = 0xed58b0b2
const NFT_PAYOUT = 0xdb3b8abd
const DISTRIBUTE = 0x1140a64f

/** Kept by the pool for what it has to send. */
const DEPOSIT_FEE = 1_000_000_000n

const provider = 'liquid_staking' as const

/** TON for a pool, which has its jettons minted. */
export const liquidStakingDeposit: Matcher = {
  name: 'deposit in a liquid pool',
  pattern: call(DEPOSIT, {
    bare: true,
    child: maybe(
      call(MINT, { child: call(JETTON_INTERNAL_TRANSFER, { as: 'minted', child: maybe(call(JETTON_NOTIFY)) }) }),
    ),
  }),
  build: (start, match) => {
    const { source, destination: pool, value } = messageOf(start)
    const minted = match.one('minted')
    const transfer = minted && messageOf(minted)
    const amount = value > DEPOSIT_FEE ? value - DEPOSIT_FEE : 0n
    const asset = transfer?.source ?? null
    const tokens_minted = (transfer && readJettonInternalTransfer(transfer.body)?.amount) ?? null
    return {
      btype: 'tonstakers_deposit',
      content: {
        type: 'stake_deposit',
        details: { provider, stake_holder: source, pool, amount, tokens_minted, asset, source_asset: null },
      },
      columns: { source, destination: pool, asset, amount },
      failed: start.failed || !minted,
    }
  },
}

const withdrawal = (
  details: Omit<StakeWithdrawalDetails, 'provider'>,
  wallet: Address | null,
): Omit<Made, 'failed'> => ({
  btype: 'tonstakers_withdraw',
  content: { type: 'stake_withdrawal', details: { provider, ...details } },
  columns: {
    source: details.stake_holder,
    source_secondary: wallet,
    destination: details.pool,
    asset: details.asset,
    amount: details.amount,
  },
})

/** The item that is made for a payout to come. */
const payoutItem = (minted: Part): Address | null => {
  const item = minted.next.find((part) => detailsOf(part, 'nft_mint') !== undefined || calls(part, NFT_INIT))
  return item ? messageOf(item).destination : null
}

/** A pool's jettons that are burned, for TON at once or for an item that stands for them. */
export const liquidStakingWithdraw: Matcher = {
  name: 'withdrawal from a liquid pool',
  pattern: call(JETTON_BURN, {
    bare: true,
    child: call(JETTON_BURN_NOTIFICATION, {
      child: call(WITHDRAW, {
        as: 'request',
        child: oneOf(call(WITHDRAWAL, { as: 'paid' }), call(MINT, { as: 'delayed' })),
      }),
    }),
  }),
  build: (start, match) => {
    const { source: stake_holder, destination: wallet, body } = messageOf(start)
    const request = messageOf(match.one('request')!)
    const { source: asset, destination: pool } = request
    const tokens_burnt = readJettonBurn(body)?.amount ?? null
    const paid = match.one('paid')
    if (paid) {
      const amount = messageOf(paid).value - request.value
      const details = { stake_holder, pool, amount, payout_nft: null, tokens_burnt, asset }
      return { ...withdrawal(details, wallet), failed: start.failed }
    }
    const payout_nft = payoutItem(match.one('delayed')!)
    return {
      btype: 'tonstakers_withdraw_request',
      content: {
        type: 'stake_withdrawal_request',
        details: { provider, stake_holder, pool, payout_nft, asset, tokens_burnt, tokens_minted: null },
      },
      columns: {
        source: stake_holder,
        source_secondary: wallet,
        destination: pool,
        asset,
        amount: tokens_burnt,
      },
      failed: start.failed || payout_nft === null,
    }
  },
}

/** The pool whose payout led to this part: it is what set off the items, of which each burns the next. */
const poolBefore = (part: Part): Address | null => {
  for (let at = part.previous; at; at = at.previous) {
    if (calls(at, DISTRIBUTE)) return messageOf(at).source
    const made = detailsOf(at, 'stake_withdrawal')
    if (made) return made.pool
    if (!calls(at, NFT_BURN, NFT_BURN_NOTIFICATION, NFT_PAYOUT)) return null
  }
  return null
}

/** The payout for an item that stood for burned jettons. */
export const liquidStakingDelayedWithdrawal: Matcher = {
  name: 'delayed withdrawal from a liquid pool',
  pattern: call(NFT_PAYOUT, {
    bare: true,
    parent: call(NFT_BURN_NOTIFICATION, { as: 'notification', parent: call(NFT_BURN) }),
  }),
  build: (start, match) => {
    const notification = match.one('notification')!
    const told = notification.nodes[0]!.said()
    const details = {
      stake_holder: accountIn(told, 'owner'),
      pool: poolBefore(notification),
      amount: messageOf(start).value,
      payout_nft: messageOf(notification).source,
      tokens_burnt: needInteger(told, 'amount'),
      asset: null,
    }
    return { ...withdrawal(details, null), failed: start.failed }
  },
}
