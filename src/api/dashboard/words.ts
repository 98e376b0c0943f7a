import type { Delivery, TransferStatus } from '../../model/payments.ts'
import type { Html } from '../html.ts'
import { badge, type Tone } from './elements.ts'

const STATUS: Record<TransferStatus, readonly [Tone, string]> = {
  success: ['good', 'Success'],
  failed: ['bad', 'Failed'],
  pending: ['waiting', 'Pending'],
  expired: ['quiet', 'Expired'],
}

const STATE: Record<Delivery['state'], readonly [Tone, string]> = {
  delivered: ['good', 'Delivered'],
  exhausted: ['bad', 'Exhausted'],
  waiting: ['waiting', 'Waiting'],
  ignored: ['quiet', 'Ignored'],
}

/** The word for a status. */
export const statusWord = (status: TransferStatus): string => STATUS[status][1]
/** The word for a state. */
export const stateWord = (state: Delivery['state']): string => STATE[state][1]

export const statusBadge = (status: TransferStatus): Html => badge(...STATUS[status])
export const stateBadge = (state: Delivery['state']): Html => badge(...STATE[state])
