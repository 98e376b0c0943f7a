import type { DocumentOf } from '../../model/token-info.ts'
import type { EntityReader } from '../../store/queries/entity-reader.ts'
import { type Address, rawAddressUpper, tryParseAddress } from '../../ton/address.ts'
import { goJsonObject } from './go-json.ts'
import { isWallet, type TokenRecord, type TokenRole, tokenRole } from './serialize/token-info.ts'
import type { TextWriter } from './text-writer.ts'

/** What the tokens among some addresses are called and look like (contracts/v3.md 7.2). */
export interface Metadata {
  /** False when the caller does not want any: what is collected for it is then dropped. */
  readonly wanted: boolean
  /** The metadata of addresses in the raw form, ascending, as JSON object; addresses that are no token are left out. */
  of(addresses: Iterable<string>): Promise<string>
  /** The same, wanted or not. */
  always(addresses: Iterable<string>): Promise<string>
}

const PIECE = 100

type Entities = Pick<EntityReader, 'entities'>

/** All token roles of some accounts. */
const tokensOf = (index: Entities, addresses: readonly Address[]): TokenRecord[] => [
  ...index.entities('nft_item', addresses),
  ...index.entities('nft_collection', addresses),
  ...index.entities('jetton_master', addresses),
  ...index.entities('jetton_wallet', addresses),
]

interface MetadataParts {
  /** Undefined where there is no index: then nothing is known. */
  index: Entities | undefined
  documentOf: DocumentOf
  writer: TextWriter
  wanted: boolean
}

const rowOf = (roles: readonly TokenRole[]): string =>
  `{"is_indexed":${roles.every(({ is_indexed }) => is_indexed)},"token_info":[${roles.map(({ text }) => text).join(',')}]}`

/** Makes the metadata of one answer. All roles of an address are told. */
export const createMetadata = ({ index, documentOf, writer, wanted }: MetadataParts): Metadata => {
  const always = async (addresses: Iterable<string>): Promise<string> => {
    if (!index) return '{}'
    const roles = new Map<string, TokenRole[]>()
    const asked = new Set(addresses)
    const masters = new Map<string, Address>()
    const take = (token: TokenRecord): void => {
      const role = tokenRole(token, documentOf)
      writer.count(role.text)
      roles.getOrInsertComputed(rawAddressUpper(token.address), () => []).push(role)
      if (isWallet(token)) masters.set(rawAddressUpper(token.entity.jetton), token.entity.jetton)
    }
    const takeAll = async (
      list: readonly Address[],
      read: (piece: readonly Address[]) => TokenRecord[],
    ): Promise<void> => {
      for (let at = 0; at < list.length; at += PIECE) {
        for (const token of read(list.slice(at, at + PIECE))) take(token)
        await writer.rest()
      }
    }
    const parsed = Array.from(asked, (raw) => tryParseAddress(raw)).filter((address) => address !== undefined)
    await takeAll(parsed, (piece) => tokensOf(index, piece))
    const others = Array.from(masters).filter(([raw]) => !asked.has(raw))
    await takeAll(
      others.map(([, master]) => master),
      (piece) => index.entities('jetton_master', piece),
    )
    return goJsonObject(Array.from(roles, ([raw, each]) => [raw, rowOf(each)] as const))
  }
  return { wanted, always, of: async (addresses) => (wanted ? always(addresses) : '{}') }
}
