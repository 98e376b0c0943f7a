import type { Chain } from '../../chain/chain.ts'
import type { Method } from './method.ts'
import { accountsMethods } from './methods/accounts.ts'
import { blocksMethods } from './methods/blocks.ts'
import { configMethods } from './methods/config.ts'
import { estimateFeeMethods } from './methods/estimate-fee.ts'
import { runMethodMethods } from './methods/run-method.ts'
import { sendMethods } from './methods/send.ts'
import { textFormsMethods } from './methods/text-forms.ts'
import { tokensMethods } from './methods/tokens.ts'
import { transactionsMethods } from './methods/transactions.ts'

/** Every method of API v2. */
export const V2_METHODS: readonly Method<Chain>[] = [
  ...accountsMethods,
  ...tokensMethods,
  ...blocksMethods,
  ...transactionsMethods,
  ...runMethodMethods,
  ...sendMethods,
  ...estimateFeeMethods,
  ...configMethods,
  ...textFormsMethods,
]
