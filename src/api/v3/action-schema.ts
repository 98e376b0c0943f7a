import { arrayOf, BOOLEAN, type JsonSchema, object, ref, STRING } from '../json-schema.ts'
import { ACTION_TYPES } from './serialize/action-details.ts'
import { ADDRESS, COUNT, DIGITS, HASH, orNull } from './value-schemas.ts'

const FREE: JsonSchema = { type: 'object', additionalProperties: true }

/** Action of contracts/v3.md 5.6 as JSON schema. */
export const ACTION: JsonSchema = object(
  {
    trace_id: orNull(HASH),
    action_id: HASH,
    start_lt: DIGITS,
    end_lt: DIGITS,
    start_utime: COUNT,
    end_utime: COUNT,
    trace_end_lt: DIGITS,
    trace_end_utime: COUNT,
    trace_mc_seqno_end: COUNT,
    transactions: arrayOf(HASH),
    success: orNull(BOOLEAN),
    type: { ...STRING, enum: [...ACTION_TYPES, 'extra_currency_transfer'] },
    details: {
      ...FREE,
      description: 'What the type tells; amounts and ids as decimal text, addresses in the raw form',
    },
    raw_action: { ...FREE, description: 'The action as a row, where the type tells nothing' },
    trace_external_hash: HASH,
    trace_external_hash_norm: HASH,
    accounts: arrayOf(ADDRESS),
    finality: { type: 'string', enum: ['pending', 'confirmed', 'finalized'] },
    transactions_full: arrayOf(ref('PendingTransaction')),
  },
  ['raw_action', 'trace_external_hash', 'trace_external_hash_norm', 'accounts', 'transactions_full'],
)
