import type { Address } from '../ton/address.ts'
import type { Cell } from '../ton/cell.ts'
import { beginParse, type Slice } from '../ton/slice.ts'
import { accountOf, loadMsgAddress } from '../ton/tlb/msg-address.ts'
import { readOrNone } from './get-methods.ts'
import { readTaggedBody } from './transfer-bodies.ts'

/**
 * What EVAA's masters and the contracts of their users tell each other, as far as it is read: later versions append fields.
 * Names by the sequence of the messages, as in EVAA's TL-B (`supply_user#00000011`, …).
 */
export const EVAA_OPS = {
  supply_master: 0x1,
  supply_user: 0x11,
  supply_success: 0x11a,
  supply_fail: 0x11f,
  withdraw_master: 0x2,
  withdraw_user: 0x21,
  withdraw_collateralized: 0x211,
  withdraw_success: 0x211a,
  withdraw_fail: 0x211f,
  withdraw_no_funds_excess: 0x211fe8,
  liquidate_master: 0x3,
  liquidate_user: 0x31,
  liquidate_satisfied: 0x311,
  liquidate_unsatisfied: 0x31f,
  liquidate_success: 0x311a,
  liquidate_success_report: 0x311d,
  liquidate_fail: 0x311f,
} as const

const loadAccount = (slice: Slice): Address | null => accountOf(loadMsgAddress(slice))

/** A command of a master to a user's contract. */
export interface EvaaUserCommand {
  opcode: number
  /** What stands behind query_id. */
  rest: Slice
}

/** TL-B PackedCommand: UpgradeHeader, then UserCommand. Undefined for a body that is cut off. */
export const readEvaaUserCommand = (body: Cell): EvaaUserCommand | undefined =>
  readOrNone(() => {
    const slice = beginParse(body)
    slice.coins()
    slice.maybeRef()
    const opcode = slice.skip(2).uint(32)
    return { opcode, rest: slice.skip(64) }
  })

/** supply_master; undefined for another body. */
export const readEvaaSupply = (body: Cell): { amount: bigint; recipient: Address | null } | undefined =>
  readTaggedBody(body, EVAA_OPS.supply_master, (slice) => {
    const amount = slice.skip(64 + 2).uintBig(64)
    return { amount, recipient: loadAccount(slice) }
  })

/** supply_master as the payload of a jetton transfer; undefined for another one. */
export const readEvaaJettonSupply = (payload: Cell): { recipient: Address | null } | undefined =>
  readTaggedBody(payload, EVAA_OPS.supply_master, (slice) => ({ recipient: loadAccount(slice.skip(2)) }))

/** asset_id of supply_user. */
export const suppliedAsset = ({ rest }: EvaaUserCommand): bigint => rest.clone().uintBig(256)

/** amount_supplied of supply_success; undefined for another body. */
export const readEvaaSupplied = (body: Cell): bigint | undefined =>
  readTaggedBody(body, EVAA_OPS.supply_success, (slice) => {
    loadMsgAddress(slice.skip(64))
    return slice.skip(256).uintBig(64)
  })

export interface EvaaWithdrawal {
  asset_id: bigint
  /** 2^64 - 1 stands for all. */
  amount: bigint
  recipient: Address | null
}

/** withdraw_master; undefined for another body. */
export const readEvaaWithdrawal = (body: Cell): EvaaWithdrawal | undefined =>
  readTaggedBody(body, EVAA_OPS.withdraw_master, (slice) => ({
    asset_id: slice.skip(64).uintBig(256),
    amount: slice.uintBig(64),
    recipient: loadAccount(slice),
  }))

/** withdraw_amount_current of withdraw_collateralized; undefined for another body. */
export const readEvaaWithdrawn = (body: Cell): bigint | undefined =>
  readTaggedBody(body, EVAA_OPS.withdraw_collateralized, (slice) => {
    loadMsgAddress(slice.skip(64))
    return slice.skip(256).uintBig(64)
  })

export interface EvaaLiquidation {
  borrower: Address | null
  liquidator: Address | null
  collateral_asset_id: bigint
  liquidate_incoming_amount: bigint
}

const loadLiquidation = (slice: Slice): EvaaLiquidation | undefined => {
  const borrower = loadAccount(slice)
  const liquidator = loadAccount(slice)
  if (!borrower || !liquidator) return undefined
  const collateral_asset_id = slice.uintBig(256)
  return {
    borrower,
    liquidator,
    collateral_asset_id,
    liquidate_incoming_amount: slice.skip(64 + 2).uintBig(64),
  }
}

/** Two addresses, collateral_asset_id, min_collateral_amount, include_user_code and liquidate_incoming_amount. */
const LIQUIDATION_BITS = 2 * 267 + 256 + 64 + 2 + 64

/**
 * liquidate_master, as a body or as the payload of a jetton transfer, where query_id is left out. Undefined for another body.
 */
export const readEvaaLiquidation = (body: Cell): EvaaLiquidation | undefined =>
  readTaggedBody(body, EVAA_OPS.liquidate_master, (slice) =>
    loadLiquidation(slice.remainingBits < LIQUIDATION_BITS + 64 ? slice : slice.skip(64)),
  )

export interface EvaaLiquidated {
  borrower: Address | null
  liquidatable_amount: bigint
  collateral_asset_id: bigint
  collateral_reward: bigint
}

/** liquidate_satisfied; undefined for another body. */
export const readEvaaLiquidated = (body: Cell): EvaaLiquidated | undefined =>
  readTaggedBody(body, EVAA_OPS.liquidate_satisfied, (slice) => {
    const borrower = loadAccount(slice.skip(64))
    const rest = beginParse(slice.preloadRef(0))
    return {
      borrower,
      liquidatable_amount: rest.skip(64).uintBig(64),
      collateral_asset_id: rest.skip(64 + 64).uintBig(256),
      collateral_reward: rest.skip(64).uintBig(64),
    }
  })

/** The code of the LiquidationError in liquidate_unsatisfied; undefined for another body. */
export const readEvaaLiquidationError = (body: Cell): number | undefined =>
  readTaggedBody(body, EVAA_OPS.liquidate_unsatisfied, (slice) =>
    beginParse(slice.preloadRef(0))
      .skip(64 + 256 + 64 + 64)
      .uint(32),
  )
