import type { Action, ActionColumns } from '../../../model/action.ts'
import { type Address, rawAddressUpper } from '../../../ton/address.ts'
import type { Wire } from '../go-json.ts'
import type { Row } from '../row-page.ts'
import { actionDetails, actionType } from './action-details.ts'
import { addressOrNull, base64, base64OrNull, given } from './scalars.ts'

/** What an action's answer tells of its trace. */
export interface ActionTrace {
  /** Null where the root transaction is not known. */
  trace_id: Buffer | null
  end_lt: bigint
  /** Seconds. */
  end_utime: number
  mc_seqno_end: number
  external_hash: Buffer | null
  /** Where it differs from `external_hash`. */
  external_hash_norm: Buffer | null
  finality: 'pending' | 'confirmed' | 'finalized'
}

const SIDES = [
  'source',
  'source_secondary',
  'destination',
  'destination_secondary',
  'asset',
  'asset_secondary',
  'asset2',
  'asset2_secondary',
] as const satisfies readonly (keyof ActionColumns)[]

const side = (address: Address | null | undefined): Wire => addressOrNull(address ?? null)
const amount = (value: bigint | null | undefined): Wire => given(value ?? null, String) ?? null

/** The action as a row, for what has no details: the reference's names. */
const rawAction = (action: Action, trace: ActionTrace): Wire => {
  const { columns } = action
  return {
    TraceId: base64OrNull(trace.trace_id),
    ActionId: base64(action.action_id),
    StartLt: String(action.start_lt),
    EndLt: String(action.end_lt),
    StartUtime: action.start_utime,
    EndUtime: action.end_utime,
    TraceEndLt: String(trace.end_lt),
    TraceEndUtime: trace.end_utime,
    TraceMcSeqnoEnd: trace.mc_seqno_end,
    Source: side(columns.source),
    SourceSecondary: side(columns.source_secondary),
    Destination: side(columns.destination),
    DestinationSecondary: side(columns.destination_secondary),
    Asset: side(columns.asset),
    AssetSecondary: side(columns.asset_secondary),
    Asset2: side(columns.asset2),
    Asset2Secondary: side(columns.asset2_secondary),
    Opcode: columns.opcode ?? null,
    TxHashes: action.transactions.map(base64),
    Type: action.content.type,
    Value: amount(columns.value),
    Amount: amount(columns.amount),
    Success: action.success,
    AncestorType: action.ancestor_type,
  }
}

/**
 * Action of contracts/v3.md 5.6; its addresses are those of its columns and details.
 * @param withAccounts whether the accounts in whose feed it stands are told
 */
export const writeAction = (
  action: Action,
  trace: ActionTrace,
  withAccounts = false,
): Omit<Row, 'addresses'> & { addresses: string[] } => {
  const { content, columns } = action
  const details = actionDetails(content)
  return {
    addresses: [
      ...SIDES.flatMap((name) => (columns[name] ? [rawAddressUpper(columns[name])] : [])),
      ...details.addresses,
    ],
    wire: {
      trace_id: base64OrNull(trace.trace_id),
      action_id: base64(action.action_id),
      start_lt: String(action.start_lt),
      end_lt: String(action.end_lt),
      start_utime: action.start_utime,
      end_utime: action.end_utime,
      trace_end_lt: String(trace.end_lt),
      trace_end_utime: trace.end_utime,
      trace_mc_seqno_end: trace.mc_seqno_end,
      transactions: action.transactions.map(base64),
      success: action.success,
      type: actionType(content),
      details: details.wire,
      raw_action: content.type === 'unknown' ? rawAction(action, trace) : undefined,
      trace_external_hash: given(trace.external_hash, base64),
      trace_external_hash_norm: given(trace.external_hash_norm, base64),
      accounts: withAccounts ? action.accounts.map(rawAddressUpper) : undefined,
      finality: trace.finality,
    },
  }
}

/** The JSON of an action with its transactions behind all else. */
export const withTransactions = (text: string, transactions: readonly string[]): string =>
  `${text.slice(0, -1)},"transactions_full":[${transactions.join(',')}]}`
