import { type JsonSchema, object } from '../json-schema.ts'

/** The values in answers of API v3 as JSON schemas (contracts/v3.md 3). */

const NULL: JsonSchema = { type: 'null' }
/** A value that can be null. */
export const orNull = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, NULL] })

export const UINT32: JsonSchema = { type: 'integer', minimum: 0, maximum: 0xffff_ffff }
export const COUNT: JsonSchema = { type: 'integer', minimum: 0 }
export const HASH: JsonSchema = { type: 'string', pattern: '^[A-Za-z0-9+/]{43}=$' }
export const ADDRESS: JsonSchema = { type: 'string', pattern: '^-?[0-9]+:[0-9A-F]{64}$' }
export const DIGITS: JsonSchema = { type: 'string', pattern: '^[0-9]+$' }
export const SHARD: JsonSchema = { type: 'string', pattern: '^[1-9A-F][0-9A-F]{0,15}$' }
export const OPCODE: JsonSchema = { type: 'string', pattern: '^0x[0-9a-f]{8}$' }
export const BOC: JsonSchema = { type: 'string', description: 'Bag of cells in base64' }
export const CURRENCIES: JsonSchema = {
  type: 'object',
  additionalProperties: DIGITS,
  description: 'Amounts by currency id',
}
export const STATUS: JsonSchema = { type: 'string', enum: ['uninit', 'frozen', 'active', 'nonexist'] }

/** An object whose fields can all be left out. */
export const optionals = (properties: Record<string, JsonSchema>): JsonSchema =>
  object(properties, Object.keys(properties))
