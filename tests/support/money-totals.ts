import type { Cell } from '../../src/ton/cell.ts'
import { dispatchQueues, outMsgQueue, parseOutMsgQueueInfo } from '../../src/ton/tlb/out-msg-queue.ts'
import { parseShardStateTotals, parseShardStateUnsplit } from '../../src/ton/tlb/shard-state.ts'
import type { CheckedChain } from './checked-chain.ts'

/** Where all the money of a network is, nano-units. */
export interface MoneyTotals {
  /** What was ever issued, without what was burned. */
  issued: bigint
  /** On all accounts. */
  balances: bigint
  /** Collected, and not paid out yet. */
  fees: bigint
  /** Messages in queues: while there are any, their value is on no account. */
  queued: number
}

const waiting = (info: Cell): number => {
  const { out_queue, extra } = parseOutMsgQueueInfo(info)
  let messages = [...outMsgQueue(out_queue)].length
  for (const [, { count }] of extra ? dispatchQueues(extra.dispatch_queue) : []) messages += Number(count)
  return messages
}

/** The totals at the masterchain block that a chain was followed to. */
export const moneyTotals = (chain: CheckedChain): MoneyTotals => {
  const totals: MoneyTotals = { issued: chain.issued(), balances: 0n, fees: 0n, queued: 0 }
  for (const { state } of chain.tops()) {
    const { totals: cell, custom, out_msg_queue_info } = parseShardStateUnsplit(state)
    const { total_balance, total_validator_fees } = parseShardStateTotals(cell)
    totals.balances += total_balance.grams
    totals.queued += waiting(out_msg_queue_info)
    if (custom) totals.fees = total_validator_fees.grams
  }
  return totals
}
