import { accountIn, integerIn, needInteger, recordIn } from '../../contracts/fields.ts'
import { JETTON_INTERNAL_TRANSFER, JETTON_NOTIFY, readJettonInternalTransfer } from '../../contracts/token-messages.ts'
import type { DexTransfer } from '../../model/actions/dex.ts'
import type { Address } from '../../ton/address.ts'
import type { Matcher } from '../classify/family.ts'
import { calls, detailsOf, messageOf, type Part } from '../classify/part.ts'
import { call, kind } from '../classify/pattern.ts'
import {
  COFFEE_DEPLOY,
  COFFEE_DEPOSITED,
  COFFEE_PAYOUT,
  COFFEE_PAYOUT_INTERNAL,
  coffeePayout,
  coffeeTaken,
} from './coffee-parts.ts'
import { depositTold, sameAsset, withdrawalTold } from './dex-content.ts'
import { nextCall, saidBy, withAppended } from './dex-parts.ts'

const DEPOSIT = 0xc0ffee04
const DEPOSITORY_REQUEST = 0xc0ffee27
const DEPOSIT_INTERNAL = 0xc0ffee29
const DEPOSIT_FAILED = 0xc0ffee34
const WITHDRAWN = 0xc0ffee35

/**
 * What a vault gives back of a deposit that is more than the pool takes in its proportion, and the parts that it is. Of TON
 * all that it sends.
 */
const excessesOf = (all: Part | undefined) => {
  const told = all?.next.filter((next) => calls(next, COFFEE_PAYOUT_INTERNAL)) ?? []
  const paid = told.map(coffeePayout).filter((payout) => payout !== undefined)
  return {
    parts: withAppended([...told, ...paid.map(({ part }) => part)]),
    vault_excesses: paid.map(({ transfer: { asset, amount }, part }) => ({
      asset,
      amount: asset === null ? messageOf(part).value : amount,
    })),
  }
}

/** What a pool answered: the tokens that it minted, as it told the outside and as they came to a wallet. */
const answerOf = (all: Part | undefined) => {
  const minted = nextCall(all, JETTON_INTERNAL_TRANSFER)
  const [done, refused] = [nextCall(all, COFFEE_DEPOSITED), nextCall(all, DEPOSIT_FAILED)]
  const lp_tokens_minted =
    (done && integerIn(saidBy(done), 'lp_amount')) ??
    (minted && readJettonInternalTransfer(messageOf(minted).body)?.amount) ??
    null
  const parts = [all, done, refused, minted, nextCall(minted, JETTON_NOTIFY)].filter((part) => part !== undefined)
  return { parts: withAppended(parts), lp_tokens_minted, isRefused: refused !== undefined }
}

/** An asset for a pool, where it stands in the pool's order; with the other one it goes on to the pool. */
export const coffeeDeposit: Matcher = {
  name: 'swap.coffee deposit',
  pattern: call(DEPOSITORY_REQUEST, { bare: true }),
  build: (start) => {
    const cause = start.previous
    const given = coffeeTaken(cause, [DEPOSIT], 'input_amount')
    const deploy = nextCall(start, COFFEE_DEPLOY)
    if (!cause || !given || !deploy) return undefined
    const pool = recordIn(recordIn(saidBy(start), 'params'), 'pool_params')
    const assets = [accountIn(pool, 'first'), accountIn(pool, 'second')] as const
    const { asset, amount, source_jetton_wallet: wallet } = given
    const isFirst = sameAsset(asset, assets[0])
    const all = nextCall(deploy, DEPOSIT_INTERNAL)
    const answer = answerOf(all)
    const excesses = excessesOf(all)
    const account = messageOf(deploy).destination
    const destination = all ? messageOf(all).destination : null
    return {
      of: [cause, ...withAppended([start, deploy]), ...answer.parts, ...excesses.parts],
      ...depositTold(
        'coffee_deposit_liquidity',
        {
          dex: 'coffee',
          source: given.source,
          pool: destination,
          destination_liquidity: destination,
          ...(isFirst
            ? { asset_1: asset, amount_1: amount, user_jetton_wallet_1: wallet }
            : { asset_2: asset, amount_2: amount, user_jetton_wallet_2: wallet }),
          target_asset_1: asset,
          target_asset_2: isFirst ? assets[1] : assets[0],
          lp_tokens_minted: answer.lp_tokens_minted,
          vault_excesses: excesses.vault_excesses,
        },
        account,
      ),
      failed: answer.isRefused || start.failed || deploy.failed,
    }
  },
}

/** The two payouts in the order of the pool, which is that of their sending, with the amounts that it tells to the outside. */
const asTold = (paid: readonly DexTransfer[], event: Part | undefined): DexTransfer[] => {
  const said = event ? saidBy(event) : undefined
  const amounts = [integerIn(said, 'amount1'), integerIn(said, 'amount2')]
  return paid.map((transfer, at) => ({ ...transfer, amount: amounts[at] ?? transfer.amount }))
}

/** A payout as the pool's own; for TON that is paid without a notification the account stands in place of a wallet. */
const paidBy = (
  pool: Address | null,
  { transfer, part }: NonNullable<ReturnType<typeof coffeePayout>>,
): DexTransfer => {
  const isPlain = transfer.asset === null && calls(part, COFFEE_PAYOUT)
  const wallet = isPlain ? transfer.destination : transfer.destination_jetton_wallet
  return { ...transfer, source: pool, destination_jetton_wallet: wallet }
}

/** Tokens of a pool are burnt for what is in it. */
export const coffeeWithdraw: Matcher = {
  name: 'swap.coffee withdrawal',
  pattern: kind('jetton_burn', { bare: true }),
  build: (start) => {
    const burn = detailsOf(start, 'jetton_burn')!
    const told = start.next.filter((next) => calls(next, COFFEE_PAYOUT_INTERNAL))
    const paid = told.map(coffeePayout).filter((payout) => payout !== undefined)
    if (paid.length !== 2) return undefined
    const pool = messageOf(told[0]!).source
    const event = nextCall(start, WITHDRAWN)
    const payouts = asTold(
      paid.map((payout) => paidBy(pool, payout)),
      event,
    )
    return {
      of: [start, ...withAppended([...told, ...paid.map(({ part }) => part)]), ...(event ? [event] : [])],
      ...withdrawalTold('coffee_withdraw_liquidity', {
        dex: 'coffee',
        source: burn.owner,
        pool,
        payouts,
        lp_tokens_burnt: event ? needInteger(saidBy(event), 'lp_amount') : burn.amount,
        wallet: burn.owner_jetton_wallet,
        lp_asset: burn.asset,
      }),
      failed: !event,
    }
  },
}
