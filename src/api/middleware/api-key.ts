import type { Exchange } from '../exchange.ts'

/** What a valid key allows. */
export interface ApiKey {
  /** How logs call it; not the secret. */
  readonly name: string
  /** Whose it is: all keys of one owner and plan share one rate. */
  readonly owner: string
  /** The network it was made for ("mainnet", "testnet", "dev"). */
  readonly network: string
  /** The name of its plan, which may have liteservers of its own. */
  readonly plan: string
  /** Requests per second; 0 = no limit. */
  readonly rps: number
}

/** Finds a key by its secret. */
export type KeyLookup = (secret: string) => ApiKey | undefined

/** The secret in the header X-API-Key or the query's api_key, which are equivalent; an empty one counts as none. */
export const sentKey = ({ request, query }: Exchange): string | undefined =>
  request.headers.get('x-api-key') || query('api_key') || undefined

/** Whether a sent secret may be used on this network, with the status and text of spec.md where it may not. */
export const checkKey = (
  secret: string,
  lookup: KeyLookup,
  network: string,
): { key: ApiKey } | { status: 401 | 403; error: string } => {
  const key = lookup(secret)
  if (!key) return { status: 401, error: 'API key does not exist' }
  return key.network === network ? { key } : { status: 403, error: 'Network not allowed' }
}
