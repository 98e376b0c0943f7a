/** A network that API keys are made for. */
export const KEY_NETWORKS = ['mainnet', 'testnet', 'dev'] as const

export type KeyNetwork = (typeof KEY_NETWORKS)[number]

/** An API key as it is kept: everything but its secret. */
export interface StoredKey {
  /** Unique among the keys that are not revoked; stands in logs. */
  readonly name: string
  /** All keys of one owner and plan share one rate. */
  readonly owner: string
  readonly network: KeyNetwork
  /** The name of a plan of the settings. */
  readonly plan: string
  /** Unix seconds. */
  readonly created: number
  /** Unix seconds; null while it is valid. */
  readonly revoked: number | null
}
