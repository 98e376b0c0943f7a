import {
  EVAA_OPS,
  type EvaaLiquidation,
  readEvaaLiquidated,
  readEvaaLiquidation,
  readEvaaLiquidationError,
} from '../../contracts/evaa-messages.ts'
import type { EvaaLiquidateDetails } from '../../model/actions/evaa.ts'
import type { Facts } from '../../model/known-account.ts'
import type { Address } from '../../ton/address.ts'
import type { Made, Matcher } from '../classify/family.ts'
import { detailsOf, isCall, messageOf, type Part } from '../classify/part.ts'
import { call, kind, type Match, maybe, oneOf, only, where } from '../classify/pattern.ts'
import { evaaAsset } from './evaa-assets.ts'
import { carries, command, idText, rest } from './evaa-parts.ts'

/** Codes of a LiquidationError, by the numbers of contracts/v3.md 15 and by those that EVAA's contracts send. */
const ERRORS: ReadonlyMap<number, string> = new Map([
  [0xe001, 'master_liquidating_too_much'],
  [0xe002, 'user_withdraw_in_progress'],
  [0xe003, 'not_liquidatable'],
  [0xe004, 'execution_crashed'],
  [0xe005, 'min_collateral_not_satisfied'],
  [0xe006, 'user_not_enough_collateral'],
  [0xe007, 'user_liquidating_too_much'],
  [0xe008, 'master_not_enough_liquidity'],
  [0xe009, 'liquidation_prices_missing'],
  [0x30f1, 'master_liquidating_too_much'],
  [0x31f0, 'user_withdraw_in_progress'],
  [0x31f2, 'not_liquidatable'],
  [0x31f3, 'min_collateral_not_satisfied'],
  [0x31f4, 'user_not_enough_collateral'],
  [0x31f5, 'user_liquidating_too_much'],
  [0x31f6, 'master_not_enough_liquidity'],
  [0x31f7, 'liquidation_prices_missing'],
  [0x31fe, 'execution_crashed'],
])

/** What the master tells the liquidator, with the collateral or with what it gives back. */
const report = maybe(
  oneOf(
    kind('jetton_transfer', { as: 'report' }),
    call([EVAA_OPS.liquidate_success_report, EVAA_OPS.liquidate_fail, ...ERRORS.keys()]),
  ),
)

const done = call(EVAA_OPS.liquidate_satisfied, {
  as: 'done',
  children: [command(EVAA_OPS.liquidate_success, { child: rest }), report],
})
const undone = call(EVAA_OPS.liquidate_satisfied, {
  as: 'undone',
  children: [oneOf(command(EVAA_OPS.liquidate_fail), call(EVAA_OPS.liquidate_fail)), report],
})
const refused = call(EVAA_OPS.liquidate_unsatisfied, { as: 'refused', child: report })

/** The contract of the borrower is asked, or the master gives back at once what it was sent. */
const outcome = oneOf(
  command(EVAA_OPS.liquidate_user, { as: 'user', child: oneOf(done, undone, refused) }),
  where((part) => isCall(part) && messageOf(part).bounced, { as: 'rejected' }),
  kind('jetton_transfer', { as: 'rejected' }),
)

type Outcome = Pick<EvaaLiquidateDetails, 'borrower' | 'debt_amount' | 'amount' | 'fail_reason'> & {
  collateral: bigint
  /** The collateral's, where it was paid out as a jetton. */
  paid?: Address | null | undefined
}

const outcomeOf = (match: Match, asked: EvaaLiquidation): Outcome | undefined => {
  const failed = (fail_reason: string): Outcome => ({
    borrower: asked.borrower,
    debt_amount: asked.liquidate_incoming_amount,
    collateral: asked.collateral_asset_id,
    amount: 0n,
    fail_reason,
  })
  if (!match.one('user')) return failed('immediate_rejection')
  if (match.one('undone')) return failed('master_not_enough_liquidity')
  const refusal = match.one('refused')
  if (refusal) {
    const code = readEvaaLiquidationError(messageOf(refusal).body)
    return failed((code !== undefined && ERRORS.get(code)) || 'liquidation_error')
  }
  const satisfied = match.one('done')
  const said = satisfied && readEvaaLiquidated(messageOf(satisfied).body)
  return (
    said && {
      borrower: said.borrower,
      debt_amount: said.liquidatable_amount,
      collateral: said.collateral_asset_id,
      amount: said.collateral_reward,
      fail_reason: null,
      paid: detailsOf(match.one('report'), 'jetton_transfer')?.asset,
    }
  )
}

const liquidationTold = (
  match: Match,
  source: Address | null,
  asked: EvaaLiquidation,
  facts: Facts,
): Made | undefined => {
  const found = outcomeOf(match, asked)
  if (!found) return undefined
  const user = match.one('user')
  const borrower_contract = user ? messageOf(user).destination : null
  const { borrower, debt_amount, amount, fail_reason, collateral } = found
  const asset = found.paid ?? evaaAsset(collateral, facts)
  return {
    btype: 'evaa_liquidate',
    content: {
      type: 'evaa_liquidate',
      details: {
        fail_reason,
        debt_amount,
        source,
        borrower,
        borrower_contract,
        collateral: String(collateral),
        asset_id: idText(collateral),
        asset: asset ?? null,
        is_known_asset: asset !== undefined,
        amount,
      },
    },
    columns: { source, destination: borrower, destination_secondary: borrower_contract, amount },
    failed: fail_reason !== null,
  }
}

/** A loan of EVAA that somebody pays back in TON for the collateral. */
export const evaaLiquidate: Matcher = {
  name: 'EVAA liquidation with TON',
  pattern: call(EVAA_OPS.liquidate_master, { bare: true, child: outcome }),
  build: (start, match, facts) => {
    const { source, body } = messageOf(start)
    const asked = readEvaaLiquidation(body)
    return asked && liquidationTold(match, source, asked, facts)
  },
}

const askedIn = (part: Part): EvaaLiquidation | undefined => {
  const payload = detailsOf(part, 'jetton_transfer')?.forward_payload
  return payload ? readEvaaLiquidation(payload) : undefined
}

/** A loan of EVAA that somebody pays back in jettons for the collateral. */
export const evaaJettonLiquidate: Matcher = {
  name: 'EVAA liquidation with jettons',
  pattern: only(kind('jetton_transfer', { bare: true, child: outcome }), carries(readEvaaLiquidation)),
  build: (start, match, facts) => {
    const asked = askedIn(start)
    return asked && liquidationTold(match, detailsOf(start, 'jetton_transfer')?.sender ?? null, asked, facts)
  },
}
