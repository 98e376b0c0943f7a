/** The part of JSON Schema (2020-12, as OpenAPI 3.1 uses it) that the API's descriptions are written in. */
export interface JsonSchema {
  $ref?: string
  type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean' | 'null'
  description?: string
  format?: string
  pattern?: string
  const?: string | number | boolean
  enum?: readonly (string | number)[]
  default?: string | number | boolean
  examples?: readonly unknown[]
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  items?: JsonSchema
  properties?: Readonly<Record<string, JsonSchema>>
  required?: readonly string[]
  additionalProperties?: boolean | JsonSchema
  oneOf?: readonly JsonSchema[]
  anyOf?: readonly JsonSchema[]
  allOf?: readonly JsonSchema[]
}

/**
 * An object schema that allows no further keys. Every key is required but those named in `optional`.
 */
export const object = (properties: Record<string, JsonSchema>, optional: readonly string[] = []): JsonSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  additionalProperties: false,
})

/** An object schema whose `@type` is the given word (or one of them), followed by the other keys. */
export const typed = (
  name: string | readonly string[],
  properties: Record<string, JsonSchema>,
  optional: readonly string[] = [],
): JsonSchema =>
  object(
    {
      '@type': typeof name === 'string' ? { type: 'string', const: name } : { type: 'string', enum: name },
      ...properties,
    },
    optional,
  )

/** A reference to a named schema of the document. */
export const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` })

export const arrayOf = (items: JsonSchema): JsonSchema => ({ type: 'array', items })
export const STRING: JsonSchema = { type: 'string' }
export const BOOLEAN: JsonSchema = { type: 'boolean' }
export const INT32: JsonSchema = { type: 'integer', format: 'int32' }
export const INT64: JsonSchema = { type: 'integer', format: 'int64' }
