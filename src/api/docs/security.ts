/** How callers give their key, and that they need not (spec.md, Authentication), for OpenAPI documents. */
export const SECURITY = [{}, { apiKeyHeader: [] }, { apiKeyQuery: [] }]

export const SECURITY_SCHEMES = {
  apiKeyHeader: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
  apiKeyQuery: { type: 'apiKey', in: 'query', name: 'api_key' },
}
