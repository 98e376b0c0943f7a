import { TonlithError } from '../common/errors.ts'
import type { Logger } from '../common/logger.ts'
import type { StopStack } from '../common/shutdown.ts'
import type { Settings } from '../config.ts'
import type { TransferParts } from '../payments/create-transfer.ts'
import { rawAddress } from '../ton/address.ts'
import { openChosenAccounts } from './chosen-accounts.ts'
import { readAccountList } from './index-accounts.ts'
import type { LiveIndex } from './live-index.ts'

/** Where payments are looked for. */
export interface PaymentSightOptions {
  settings: Settings
  /** The folder that the index is in. */
  home: string
  /** The index; undefined until it is there. */
  index(): Pick<LiveIndex, 'reader' | 'documents'> | undefined
  logger: Logger
  parts: StopStack
}

/** Gives what refuses a transfer that nobody would see paid, before anybody pays it. Throws as openChosenAccounts does. */
export const openPaymentSight = async (options: PaymentSightOptions): Promise<TransferParts['mustSee']> => {
  const { settings, home, index, logger, parts } = options
  if (settings.index === 'off')
    return () => {
      throw new TonlithError('conflict', 'payments are recognised in the index, which is switched off here')
    }
  const file = settings.index_accounts
  const listed = file === undefined ? undefined : (await readAccountList(file)).map(rawAddress)
  const chosen = await openChosenAccounts(home, listed, logger)
  parts.add(chosen.close)
  return ({ recipient, jetton_wallets }) => {
    if (!index()?.reader())
      throw new TonlithError('unavailable', 'the index, in which payments are recognised, is not there yet', {
        code: 503,
      })
    const accounts = chosen.read()
    const wanted = [recipient, ...(jetton_wallets ? [jetton_wallets.recipient] : [])].map(rawAddress)
    const missing = accounts && wanted.filter((account) => !accounts.includes(account))
    if (missing && missing.length > 0)
      throw new TonlithError('conflict', `only chosen accounts are indexed here, not ${missing.join(', ')}`)
  }
}
