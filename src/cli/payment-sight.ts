import { TonlithError } from '../common/errors.ts'
import type { Settings } from '../config.ts'
import type { TransferParts } from '../payments/create-transfer.ts'
import type { LiveIndex } from './live-index.ts'

/** Where payments are looked for. */
export interface PaymentSightOptions {
  settings: Settings
  /** The index; undefined until it is there. */
  index(): Pick<LiveIndex, 'reader' | 'documents'> | undefined
}

/**
 * Gives what refuses a transfer that nobody would see paid, before anybody pays it. An index of chosen accounts keeps what
 * concerns the transfers of merchants too, and nobody else may make it keep anything.
 */
export const paymentSight = ({ settings, index }: PaymentSightOptions): TransferParts['mustSee'] => {
  if (settings.index === 'off')
    return () => {
      throw new TonlithError('conflict', 'payments are recognised in the index, which is switched off here')
    }
  return ({ merchant }) => {
    const reader = index()?.reader()
    if (!reader)
      throw new TonlithError('unavailable', 'the index, in which payments are recognised, is not there yet', {
        code: 503,
      })
    if (merchant === null && reader.isOfChosen())
      throw new TonlithError('conflict', 'only chosen accounts are indexed here: the API key of a merchant is required')
  }
}
