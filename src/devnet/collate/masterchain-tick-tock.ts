import { TonlithError } from '../../common/errors.ts'
import type { Steps } from '../../common/steps.ts'
import { dictEntries } from '../../ton/dictionary.ts'
import { beginParse } from '../../ton/slice.ts'
import { parseAccount } from '../../ton/tlb/account.ts'
import { configParam } from '../../ton/tlb/config-params.ts'
import type { WorkingAccount } from './accounts.ts'
import type { Draft } from './draft.ts'
import type { MasterConfig } from './master-config.ts'
import { commitTransaction, contextOf, firstMetadata, leastLt } from './run-message.ts'

const FUNDAMENTAL = 31

/** Ids of the accounts that configuration parameter 31 names, then that of the configuration contract. */
const specialAccounts = ({ params, extra }: MasterConfig): Buffer[] => {
  const listed = configParam(params, FUNDAMENTAL)
  const root = listed && beginParse(listed).maybeRef()
  const ids = Array.from(dictEntries(root, 256), ([id]) => id)
  const { config_addr } = extra.config
  return ids.some((id) => id.equals(config_addr)) ? ids : [...ids, config_addr]
}

const asksFor = ({ shardAccount }: WorkingAccount, which: 'tick' | 'tock'): boolean => {
  const account = parseAccount(shardAccount.account)
  if (account._ !== 'account' || account.storage.state._ !== 'account_active') return false
  return account.storage.state.special?.[which] ?? false
}

/**
 * Runs the special accounts of the masterchain that ask for it: tick before the messages of a block, tock behind them (node:
 * Collator::create_ticktock_transactions). Throws as the executor.
 */
export function* runTickTock(draft: Draft, which: 'tick' | 'tock'): Steps<void> {
  const from = which === 'tick' ? draft.start_lt : draft.max_lt - 1n
  for (const id of specialAccounts(draft.master)) {
    const account = draft.accounts.get(id)
    if (!asksFor(account, which)) continue
    const context = contextOf(draft, leastLt(draft, account, from))
    const executed = draft.input.executor.tickTock(account.cell, which, context)
    if (!executed.done) throw new TonlithError('internal', `a ${which} transaction was not accepted`)
    commitTransaction(draft, account, executed, (lt) => firstMetadata(draft, id, lt), false)
    yield
  }
}
