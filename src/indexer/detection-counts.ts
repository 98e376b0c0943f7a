import type { ContractFault } from '../contracts/get-methods.ts'

/**
 * Why an account is not what it seems to be, or cannot be told what it is: ContractFault, and get-methods that the TVM
 * `refused`, that ran out of `gas`, contracts behind it that are `unreachable`, and the `budget` of a block being spent.
 */
export type DetectionFault = ContractFault | 'refused' | 'gas' | 'unreachable' | 'budget'

export const DETECTION_FAULTS: readonly DetectionFault[] = [
  'form',
  'parent',
  'content',
  'refused',
  'gas',
  'unreachable',
  'budget',
]

/** What detection has done since the index's thread started. Plain data. */
export interface DetectionCounts {
  /** Accounts that were looked at. */
  accounts: number
  /** Get-methods that were run. */
  runs: number
  /** Accounts that were fetched for the sake of others. */
  fetched: number
  faults: Record<DetectionFault, number>
}

export const noDetectionCounts = (): DetectionCounts => ({
  accounts: 0,
  runs: 0,
  fetched: 0,
  faults: { form: 0, parent: 0, content: 0, refused: 0, gas: 0, unreachable: 0, budget: 0 },
})
