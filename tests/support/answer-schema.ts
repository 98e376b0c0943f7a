import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020'

interface Operation {
  responses: Record<string, { content?: { 'application/json'?: { schema: object } } }>
}

/** An OpenAPI document as the gateway gives it. */
export interface OpenApi {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, object> }
}

/** Says what in an answer breaks its published schema; undefined when the document has none for it. */
export type SchemaCheck = (
  path: string,
  verb: 'get' | 'post' | 'put',
  status: number,
  answer: unknown,
) => string[] | undefined

/** Makes the check of a document. */
export const schemaCheck = (document: OpenApi): SchemaCheck => {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false })
  ajv.addSchema({ $id: 'document', components: document.components })
  const compiled = new Map<string, ValidateFunction>()
  const compile = (schema: object): ValidateFunction => {
    const text = JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/')
    return compiled.getOrInsertComputed(text, () => ajv.compile(JSON.parse(text) as object))
  }
  return (path, verb, status, answer) => {
    const schema = document.paths[path]?.[verb]?.responses[status]?.content?.['application/json']?.schema
    if (!schema) return undefined
    const validate = compile(schema)
    return validate(answer) ? [] : validate.errors!.map(({ instancePath, message }) => `${instancePath} ${message}`)
  }
}
