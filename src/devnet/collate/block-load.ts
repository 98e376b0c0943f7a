import type { BlockLimits, ParamLimits } from '../../ton/tlb/block-limits.ts'
import { type Growth, measureGrowth } from './growth.ts'

/** How full a block is: 0 less than underload, 1 normal, 2 above the soft limit, 3 half way to the hard one, 4 above it. */
export type LoadClass = 0 | 1 | 2 | 3 | 4

/** What a block has used of its limits (node: BlockLimitStatus). */
export interface BlockLoad extends Omit<Growth, 'bytes'> {
  addGas(gas: bigint): void
  addLt(lt: bigint): void
  addTransaction(): void
  /** Counts messages that were made and have not gone on yet. */
  addWaiting(messages: number): void
  /** The class of what is the fullest: bytes, gas or logical time. */
  classify(): LoadClass
}

const BLOCK_BYTES = 2000
const TRANSACTION_BYTES = 200
const WAITING_BYTES = 300

const classOf = ({ underload, soft_limit, hard_limit }: ParamLimits, value: number): LoadClass => {
  if (value < underload) return 0
  if (value < soft_limit) return 1
  if (value < Math.floor((soft_limit + hard_limit) / 2)) return 2
  return value < hard_limit ? 3 : 4
}

/** A block that comes long after the one before it must not reach far ahead of the time. */
const LATE_SECONDS = 15
const LATE_LT: ParamLimits = { underload: 20, soft_limit: 180, hard_limit: 200 }

/**
 * The limits of a block that is made this many seconds after its predecessor (node: Collator::init_block_limits).
 */
export const limitsAfter = (limits: BlockLimits, seconds: number): BlockLimits =>
  seconds > LATE_SECONDS && limits.lt_delta.hard_limit > LATE_LT.hard_limit ? { ...limits, lt_delta: LATE_LT } : limits

/** Starts to measure a block whose logical time begins with `start_lt`. */
export const blockLoad = (limits: BlockLimits, start_lt: bigint): BlockLoad => {
  const growth = measureGrowth()
  let gas = 0n
  let lt = start_lt
  let bytes = BLOCK_BYTES
  return {
    ...growth,
    addGas: (more) => {
      gas += more
    },
    addLt: (to) => {
      if (to > lt) lt = to
    },
    addTransaction: () => {
      bytes += TRANSACTION_BYTES
    },
    addWaiting: (messages) => {
      bytes += messages * WAITING_BYTES
    },
    classify: () =>
      Math.max(
        classOf(limits.bytes, bytes + growth.bytes()),
        classOf(limits.gas, Number(gas)),
        classOf(limits.lt_delta, Number(lt - start_lt)),
      ) as LoadClass,
  }
}
