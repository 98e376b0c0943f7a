import type { Chain } from '../../chain/chain.ts'
import type { Method } from './method.ts'
import { accountMethods } from './methods/accounts.ts'
import { actionMethods } from './methods/actions.ts'
import { blockMethods } from './methods/blocks.ts'
import { decodeMethods } from './methods/decode.ts'
import { dnsMethods } from './methods/dns.ts'
import { jettonMethods } from './methods/jettons.ts'
import { legacyAccountMethods } from './methods/legacy-accounts.ts'
import { legacyCallMethods } from './methods/legacy-calls.ts'
import { messageStatusMethods } from './methods/message-status.ts'
import { messageMethods } from './methods/messages.ts'
import { multisigMethods } from './methods/multisig.ts'
import { nftMethods } from './methods/nfts.ts'
import { pendingMethods } from './methods/pending.ts'
import { traceMethods } from './methods/traces.ts'
import { transactionMethods } from './methods/transactions.ts'
import { vestingMethods } from './methods/vesting.ts'

/** All methods of API v3: its routes, its validation and its OpenAPI document come from this table. */
export const V3_METHODS: readonly Method<Chain>[] = [
  ...blockMethods,
  ...transactionMethods,
  ...messageMethods,
  ...traceMethods,
  ...actionMethods,
  ...pendingMethods,
  ...messageStatusMethods,
  ...accountMethods,
  ...jettonMethods,
  ...nftMethods,
  ...dnsMethods,
  ...multisigMethods,
  ...vestingMethods,
  ...decodeMethods,
  ...legacyAccountMethods,
  ...legacyCallMethods,
]
