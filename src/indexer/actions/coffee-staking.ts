import { COFFEE_STAKING_WITHDRAW, readCoffeeStakingWithdrawal } from '../../contracts/coffee-messages.ts'
import type { Matcher } from '../classify/family.ts'
import { calls, detailsOf, messageOf } from '../classify/part.ts'
import { call, kind } from '../classify/pattern.ts'
import { jettonMoved, nextCall, transfersBehind, withAppended } from './dex-parts.ts'

const DEPOSIT = 0xf9471134
const INIT = 0xbe5a7595
const CLAIM = 0xb30c7310

/** Jettons are locked, and an item is made for them. */
export const coffeeStakingDeposit: Matcher = {
  name: 'swap.coffee stake',
  pattern: call(DEPOSIT, { bare: true, parent: kind('jetton_transfer', { bare: true }) }),
  build: (start, _match, facts) => {
    const given = jettonMoved(start.previous!)
    const item = start.next.find((next) => next.btype === 'nft_mint' || calls(next, INIT))
    if (!item) return undefined
    const event = nextCall(start, DEPOSIT)
    const minted_item_address = messageOf(item).destination
    const known = minted_item_address ? facts(minted_item_address).nft_item?.index : undefined
    const pool = messageOf(start).destination
    const { source, source_jetton_wallet, destination_jetton_wallet: pool_jetton_wallet, asset, amount } = given
    return {
      of: [start.previous!, ...withAppended([start, item]), ...(event ? [event] : [])],
      btype: 'coffee_staking_deposit',
      content: {
        type: 'coffee_staking_deposit',
        details: {
          source,
          source_jetton_wallet,
          pool,
          pool_jetton_wallet,
          asset,
          amount,
          minted_item_address,
          minted_item_index: detailsOf(item, 'nft_mint')?.nft_item_index ?? known ?? null,
        },
      },
      columns: {
        source,
        source_secondary: source_jetton_wallet,
        destination: pool,
        destination_secondary: pool_jetton_wallet,
        asset,
        amount,
      },
      failed: start.failed,
    }
  },
}

/** The owner of an item takes back what is locked in it. */
export const coffeeStakingWithdraw: Matcher = {
  name: 'swap.coffee unstake',
  pattern: call(COFFEE_STAKING_WITHDRAW, { bare: true }),
  build: (start) => {
    const told = nextCall(start, COFFEE_STAKING_WITHDRAW)
    const asked = told?.next.find((next) => calls(next, COFFEE_STAKING_WITHDRAW) && messageOf(next).kind === 'internal')
    const event = told?.next.find((next) => calls(next, COFFEE_STAKING_WITHDRAW) && next !== asked)
    const [paid] = transfersBehind(asked)
    const said = told && readCoffeeStakingWithdrawal(messageOf(told).body)
    if (!told || !asked || !paid || !said) return undefined
    const { source, destination: nft_address } = messageOf(start)
    const { source_jetton_wallet: pool_jetton_wallet, destination_jetton_wallet, asset, amount } = jettonMoved(paid)
    return {
      of: [...withAppended([start, told, asked, paid]), ...(event ? [event] : [])],
      btype: 'coffee_staking_withdraw',
      content: {
        type: 'coffee_staking_withdraw',
        details: {
          source,
          source_jetton_wallet: destination_jetton_wallet,
          pool: messageOf(told).destination,
          pool_jetton_wallet,
          asset,
          amount,
          nft_address,
          nft_index: said.nft_index,
          points: said.points,
        },
      },
      columns: {
        source,
        source_secondary: destination_jetton_wallet,
        destination: nft_address,
        destination_secondary: pool_jetton_wallet,
        asset,
        amount,
      },
      failed: start.failed || paid.failed,
    }
  },
}

/** A pool pays out what was earned. */
export const coffeeStakingClaimRewards: Matcher = {
  name: 'swap.coffee rewards',
  pattern: call(CLAIM, { bare: true, child: kind('jetton_transfer', { as: 'paid' }) }),
  build: (start, match) => {
    const event = nextCall(start, CLAIM)
    const paid = match.one('paid')!
    const moved = jettonMoved(paid)
    const pool = messageOf(start).destination
    const { source_jetton_wallet, destination, destination_jetton_wallet, asset, amount } = moved
    return {
      with: event ? [event] : [],
      btype: 'coffee_staking_claim_rewards',
      content: {
        type: 'coffee_staking_claim_rewards',
        details: {
          pool,
          pool_jetton_wallet: source_jetton_wallet,
          recipient: destination,
          recipient_jetton_wallet: destination_jetton_wallet,
          asset,
          amount,
        },
      },
      columns: {
        source: pool,
        source_secondary: source_jetton_wallet,
        destination,
        destination_secondary: destination_jetton_wallet,
        asset,
        amount,
      },
      failed: start.failed || paid.failed,
    }
  },
}
