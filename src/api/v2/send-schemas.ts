import { arrayOf, INT64, type JsonSchema, ref, typed } from '../json-schema.ts'

/** What sends and estimates answer. */
export const sendSchemas: Record<string, JsonSchema> = {
  Ok: typed('ok', {}),
  ExtMessageInfo: typed('raw.extMessageInfo', { hash: ref('Hash'), hash_norm: ref('Hash') }),
  Fees: typed('fees', { in_fwd_fee: INT64, storage_fee: INT64, gas_fee: INT64, fwd_fee: INT64 }),
  QueryFees: typed('query.fees', { source_fees: ref('Fees'), destination_fees: arrayOf(ref('Fees')) }),
}
