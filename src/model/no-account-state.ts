import { beginCell } from '../ton/builder.ts'
import type { StateRecord } from './index-records.ts'

/** The state of an account that is not there: TL-B account_none$0, one for all. */
export const NO_ACCOUNT_STATE: StateRecord = {
  state_hash: beginCell().bit(false).endCell().hash(),
  status: 'nonexist',
  balance: 0n,
  extra_currencies: [],
  frozen_hash: null,
  code_hash: null,
  data_hash: null,
}
