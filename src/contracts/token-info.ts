import type { Entity, EntityOf, NftItemEntity } from '../model/entities.ts'
import type { DocumentOf, JsonMembers, TokenInfo, TokenKind } from '../model/token-info.ts'

/** What an entity's account holds of itself. */
export type OwnContent = NftItemEntity['content']

/** What an entity says of itself by TEP-64; undefined for one that is no token. */
export function contentOf(entity: EntityOf<TokenKind>): OwnContent
export function contentOf(entity: Entity): OwnContent | undefined
export function contentOf(entity: Entity): OwnContent | undefined {
  switch (entity._) {
    case 'jetton_master':
      return entity.jetton_content
    case 'nft_collection':
      return entity.collection_content
    case 'nft_item':
      return entity.content
  }
  return undefined
}

const IS_TEXT = /^"/

/** The members that a token has fields for, where they are texts. */
const FIELDS = ['name', 'symbol', 'description', 'image'] as const

/** The URI of off-chain and of semi-chain content; undefined where nothing is to be fetched. */
export const uriOf = (content: OwnContent): string | undefined => {
  if (content._ === 'domain') return undefined
  const uri = (content._ === 'offchain' ? content.uri : content.attributes['uri'])?.trim()
  return uri === '' ? undefined : uri
}

const onchainMembers = (content: OwnContent): JsonMembers => {
  if (content._ === 'domain') return content.domain === '' ? [] : [['domain', JSON.stringify(content.domain)]]
  const attributes = content._ === 'offchain' ? { uri: content.uri } : content.attributes
  return Object.entries(attributes).map(([name, text]) => [name, JSON.stringify(text)])
}

const textOf = (members: ReadonlyMap<string, string>, name: string): string | undefined => {
  const text = members.get(name)
  return text !== undefined && IS_TEXT.test(text) ? (JSON.parse(text) as string) : undefined
}

/** The reference's rule: a jetton needs a symbol, an NFT a name or a domain. */
const isValid = (kind: TokenKind, members: ReadonlyMap<string, string>): boolean =>
  (kind === 'jetton_master' ? ['symbol'] : ['name', 'domain']).some((name) => !!textOf(members, name))

const fieldsOf = (members: ReadonlyMap<string, string>): Omit<TokenInfo, 'is_indexed' | 'valid'> => {
  const texts = FIELDS.map((name) => [name, textOf(members, name)] as const).filter(([, text]) => text !== undefined)
  const taken = new Set<string>(texts.map(([name]) => name))
  const extra = [...members].filter(([name]) => !taken.has(name)).sort(([a], [b]) => (a < b ? -1 : 1))
  return { ...Object.fromEntries(texts), extra }
}

/**
 * What a token says of itself: what stands on the chain goes before what its URI led to, and suffices where the URI led
 * nowhere, or nowhere yet (contracts/v3.md 7.2).
 */
export const tokenInfoOf = (kind: TokenKind, content: OwnContent, documentOf: DocumentOf): TokenInfo => {
  const uri = uriOf(content)
  const fetched = uri === undefined ? undefined : documentOf(uri)
  const members = new Map([...(fetched?._ === 'ready' ? fetched.members : []), ...onchainMembers(content)])
  const is_indexed = uri === undefined || fetched !== undefined
  const valid = isValid(kind, members) || (is_indexed ? false : undefined)
  return { is_indexed, valid, ...fieldsOf(members) }
}
