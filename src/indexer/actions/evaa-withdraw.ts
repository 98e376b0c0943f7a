import { EVAA_OPS, readEvaaWithdrawal, readEvaaWithdrawn } from '../../contracts/evaa-messages.ts'
import type { EvaaWithdrawDetails } from '../../model/actions/evaa.ts'
import type { Matcher } from '../classify/family.ts'
import { detailsOf, isCall, messageOf, type Part } from '../classify/part.ts'
import { call, kind, type Match, maybe, oneOf, where } from '../classify/pattern.ts'
import { isEvaaTon } from './evaa-assets.ts'
import { command, idText } from './evaa-parts.ts'

/** What the user's contract gives back with what is left, where it refuses. */
const REFUSALS: ReadonlyMap<number, string> = new Map([
  [0x21e6, 'withdraw_locked_excess'],
  [0x21e7, 'withdraw_not_collateralized_excess'],
  [0x21e8, 'withdraw_missing_prices_excess'],
  [0x21ec, 'withdraw_execution_crashed'],
])

const refusalOf = (part: Part | undefined): string | undefined =>
  part && isCall(part) && part.opcode !== null ? REFUSALS.get(part.opcode) : undefined

/** The master pays, or has the user's contract undo what it did. */
const paid = call(EVAA_OPS.withdraw_collateralized, {
  as: 'collateralized',
  children: [
    oneOf(kind('jetton_transfer', { as: 'payout' }), call(EVAA_OPS.withdraw_success, { as: 'payout' })),
    command(EVAA_OPS.withdraw_success, { child: maybe(kind('ton_transfer')) }),
  ],
})
const undone = call(EVAA_OPS.withdraw_collateralized, {
  child: command(EVAA_OPS.withdraw_fail, { as: 'undone', child: maybe(call(EVAA_OPS.withdraw_no_funds_excess)) }),
})
const refused = where((part) => refusalOf(part) !== undefined, { as: 'refused' })

type Outcome = Pick<
  EvaaWithdrawDetails,
  'amount' | 'asset' | 'fail_reason' | 'master_jetton_wallet' | 'recipient_jetton_wallet'
>

const NO_PAYOUT = { asset: null, master_jetton_wallet: null, recipient_jetton_wallet: null } as const

/** Undefined where something else was paid than what was asked for. */
const outcomeOf = (match: Match, asked: bigint, isTon: boolean): Outcome | undefined => {
  const reason = match.one('undone') ? 'withdraw_no_funds_excess' : refusalOf(match.one('refused'))
  if (reason) return { ...NO_PAYOUT, amount: asked, fail_reason: reason }
  const collateralized = match.one('collateralized')
  const amount = collateralized && readEvaaWithdrawn(messageOf(collateralized).body)
  const transfer = detailsOf(match.one('payout'), 'jetton_transfer')
  if (amount === undefined || isTon !== (transfer === undefined)) return undefined
  if (!transfer) return { ...NO_PAYOUT, amount, fail_reason: null }
  return {
    amount,
    fail_reason: null,
    asset: transfer.asset,
    master_jetton_wallet: transfer.sender_jetton_wallet,
    recipient_jetton_wallet: transfer.receiver_jetton_wallet,
  }
}

/** Assets taken out of a pool of EVAA. */
export const evaaWithdraw: Matcher = {
  name: 'EVAA withdrawal',
  pattern: call(EVAA_OPS.withdraw_master, {
    bare: true,
    child: command(EVAA_OPS.withdraw_user, { as: 'user', child: oneOf(paid, undone, refused) }),
  }),
  build: (start, match) => {
    const { source, destination: master, body } = messageOf(start)
    const said = readEvaaWithdrawal(body)
    const outcome = said && outcomeOf(match, said.amount, isEvaaTon(said.asset_id))
    if (!said || !outcome) return undefined
    const { recipient, asset_id } = said
    const owner_contract = messageOf(match.one('user')!).destination
    const { asset, amount, fail_reason, master_jetton_wallet, recipient_jetton_wallet } = outcome
    return {
      btype: 'evaa_withdraw',
      content: {
        type: 'evaa_withdraw',
        details: {
          recipient_jetton_wallet,
          master_jetton_wallet,
          master,
          fail_reason,
          asset_id: idText(asset_id),
          source,
          recipient,
          owner_contract,
          asset,
          amount,
        },
      },
      columns: { source, destination: recipient, destination_secondary: owner_contract, asset, amount },
      failed: fail_reason !== null,
    }
  },
}
