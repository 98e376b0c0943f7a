import { openApiDocument } from '../api/docs/openapi.ts'
import { V2_METHODS } from '../api/v2/method-table.ts'
import { VERSION } from '../common/version.ts'

/** The OpenAPI document of API v2 as text, the same that /openapi.json gives in the dialect of the specification. */
export const openApiText = (): string => {
  const document = openApiDocument({ methods: V2_METHODS, dialect: 'spec', basePath: '/api/v2', version: VERSION })
  return JSON.stringify(document, undefined, 2)
}
