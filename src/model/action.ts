import type { Address } from '../ton/address.ts'
import type { BasicAction } from './actions/basic.ts'
import type { CocoonAction } from './actions/cocoon.ts'
import type { CoffeeAction } from './actions/coffee.ts'
import type { DexAction, DexTransfer } from './actions/dex.ts'
import type { DnsAction } from './actions/dns.ts'
import type { ElectionAction } from './actions/elections.ts'
import type { EvaaAction } from './actions/evaa.ts'
import type { JettonAction } from './actions/jetton.ts'
import type { JvaultAction } from './actions/jvault.ts'
import type { LayerZeroAction } from './actions/layerzero.ts'
import type { MultisigAction } from './actions/multisig.ts'
import type { NftAction } from './actions/nft.ts'
import type { NftMarketAction } from './actions/nft-market.ts'
import type { StakingAction } from './actions/staking.ts'
import type { SubscriptionAction } from './actions/subscriptions.ts'
import type { TgbtcAction } from './actions/tgbtc.ts'
import type { ToncoAction } from './actions/tonco.ts'
import type { VestingAction } from './actions/vesting.ts'

/** Type and details of an action; a family is a file in model/actions and a line here. */
export type ActionContent =
  | BasicAction
  | JettonAction
  | NftAction
  | NftMarketAction
  | DnsAction
  | ElectionAction
  | MultisigAction
  | StakingAction
  | SubscriptionAction
  | VestingAction
  | DexAction
  | CoffeeAction
  | CocoonAction
  | LayerZeroAction
  | ToncoAction
  | TgbtcAction
  | EvaaAction
  | JvaultAction

export type ActionType = ActionContent['type']
type DetailsByType = { [Content in ActionContent as Content['type']]: Content['details'] }
export type DetailsOf<Type extends ActionType> = DetailsByType[Type]

/**
 * The columns under which an action is found and shown beside its details (contracts/v3.md 6.3): whose feed it stands in,
 * and what an address book tells of. What is missing is null. Amounts in nano-units or the asset's base units.
 */
export interface ActionColumns {
  source?: Address | null
  source_secondary?: Address | null
  destination?: Address | null
  destination_secondary?: Address | null
  asset?: Address | null
  asset_secondary?: Address | null
  asset2?: Address | null
  asset2_secondary?: Address | null
  amount?: bigint | null
  value?: bigint | null
  /** uint32, or the exit code that some families keep here. */
  opcode?: number | null
  /** What a pool paid out; its own wallets are not in the details. */
  payouts?: readonly (DexTransfer | undefined)[]
}

/** An action of a trace (contracts/v3.md 5.6). What the trace itself tells is not repeated. */
export interface Action {
  action_id: Buffer
  content: ActionContent
  columns: ActionColumns
  success: boolean
  start_lt: bigint
  end_lt: bigint
  /** Seconds. */
  start_utime: number
  end_utime: number
  /** Hashes of its transactions, and of the one that sent its first message; ascending. */
  transactions: Buffer[]
  /** All accounts in whose feed it stands, ascending by workchain and account. */
  accounts: Address[]
  /** Types of the actions that it is a part of; a client that knows one of them does not see it. */
  ancestor_type: ActionType[]
  /** The action that it is a part of, the innermost one. */
  parent_action_id: Buffer | null
}

/** `broken`: something in the trace is not as it should be; `unclassified`: it is too large to be looked at. */
export type ClassificationState = 'ok' | 'broken' | 'unclassified'

/** What a trace did. */
export interface ClassifiedTrace {
  /** Ascending by start_lt, end_lt and id. */
  actions: Action[]
  state: ClassificationState
}
