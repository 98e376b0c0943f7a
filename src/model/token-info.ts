import type { EntityKind } from './entities.ts'

/** The kinds of entities that tell of themselves by TEP-64. */
export type TokenKind = Extract<EntityKind, 'jetton_master' | 'nft_collection' | 'nft_item'>

/**
 * A JSON object as it was written: names, each once, with the JSON text of their values. Numbers keep each of their
 * digits so.
 */
export type JsonMembers = readonly (readonly [name: string, text: string])[]

/** What became of a token's URI: the object that it led to, or nothing, which holds for now. */
export type FetchedDocument = { _: 'ready'; members: JsonMembers } | { _: 'failed' }

/** Tells what is known of a URI; undefined: nothing yet. */
export type DocumentOf = (uri: string) => FetchedDocument | undefined

/** What a token says of itself, on the chain and behind its URI (contracts/v3.md 7.2). */
export interface TokenInfo {
  /** False while its URI waits to be fetched. */
  is_indexed: boolean
  /** Whether enough is known to name it; undefined while that cannot be told yet. */
  valid: boolean | undefined
  name?: string
  symbol?: string
  description?: string
  /** As it was written: a URL of any scheme. */
  image?: string
  /** All else, ascending by name. */
  extra: JsonMembers
}
