import type { Cell } from '../cell.ts'
import type { Slice } from '../slice.ts'
import { parseCell } from './tag.ts'

/** Configuration parameter 15; all in seconds. */
export interface ElectionTimes {
  validators_elected_for: number
  elections_start_before: number
  elections_end_before: number
  stake_held_for: number
}

/** Configuration parameter 17: nano-units; `max_stake_factor` is scaled by 2^16. */
export interface StakeLimits {
  min_stake: bigint
  max_stake: bigint
  min_total_stake: bigint
  max_stake_factor: number
}

const loadElectionTimes = (slice: Slice): ElectionTimes => ({
  validators_elected_for: slice.uint(32),
  elections_start_before: slice.uint(32),
  elections_end_before: slice.uint(32),
  stake_held_for: slice.uint(32),
})

const loadStakeLimits = (slice: Slice): StakeLimits => ({
  min_stake: slice.coins(),
  max_stake: slice.coins(),
  min_total_stake: slice.coins(),
  max_stake_factor: slice.uint(32),
})

/** Configuration parameter 15. Throws `malformed`. */
export const parseElectionTimes = (cell: Cell): ElectionTimes => parseCell(cell, loadElectionTimes)

/** Configuration parameter 17. Throws `malformed`. */
export const parseStakeLimits = (cell: Cell): StakeLimits => parseCell(cell, loadStakeLimits)
