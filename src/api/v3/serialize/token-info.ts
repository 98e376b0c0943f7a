import { contentOf, tokenInfoOf } from '../../../contracts/token-info.ts'
import type { EntityRecord } from '../../../model/entity-records.ts'
import type { DocumentOf, TokenInfo, TokenKind } from '../../../model/token-info.ts'
import { rawAddressUpper } from '../../../ton/address.ts'
import { goJson, goText } from '../go-json.ts'

type Described = { [K in TokenKind]: EntityRecord<K> }[TokenKind]

/** A token as it is stored. */
export type TokenRecord = Described | EntityRecord<'jetton_wallet'>

/** One role of an address. */
export interface TokenRole {
  /** TokenInfo of contracts/v3.md 7.2 as JSON. */
  text: string
  /** False while its URI waits to be fetched. */
  is_indexed: boolean
}

const TYPES = {
  nft_item: 'nft_items',
  nft_collection: 'nft_collections',
  jetton_master: 'jetton_masters',
  jetton_wallet: 'jetton_wallets',
} as const

/** The members are JSON already, so that their numbers keep each digit. */
const withExtra = (text: string, extra: TokenInfo['extra']): string => {
  if (extra.length === 0) return text
  const members = extra.map(([name, value]) => `${goJson(name)}:${goText(value)}`)
  return `${text.slice(0, -1)},"extra":{${members.join(',')}}}`
}

/**
 * What the chain tells of a token is never left out, be it valid by the reference's rule or not; `valid` is, while its URI
 * may still name it.
 */
const describe = ({ entity }: Described, documentOf: DocumentOf): TokenRole => {
  const { is_indexed, valid, extra, ...info } = tokenInfoOf(entity._, contentOf(entity), documentOf)
  const text = goJson({
    valid,
    type: TYPES[entity._],
    name: info.name,
    symbol: info.symbol,
    description: info.description,
    image: info.image,
    nft_index: entity._ === 'nft_item' ? String(entity.index) : undefined,
    ...(valid && { is_nsfw: false, is_scam: false }),
  })
  return { text: withExtra(text, extra), is_indexed }
}

const describeWallet = ({ entity }: EntityRecord<'jetton_wallet'>): TokenRole => {
  const extra = {
    balance: String(entity.balance),
    jetton: rawAddressUpper(entity.jetton),
    owner: rawAddressUpper(entity.owner),
  }
  return { text: goJson({ valid: true, type: TYPES.jetton_wallet, extra }), is_indexed: true }
}

/** True for a jetton wallet, which says nothing of itself. */
export const isWallet = (record: TokenRecord): record is EntityRecord<'jetton_wallet'> =>
  record.entity._ === 'jetton_wallet'

/** TokenInfo of one role of an address. */
export const tokenRole = (record: TokenRecord, documentOf: DocumentOf): TokenRole =>
  isWallet(record) ? describeWallet(record) : describe(record, documentOf)
