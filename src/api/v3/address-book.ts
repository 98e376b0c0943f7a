import { walletCodeByHash } from '../../contracts/wallet-info-codes.ts'
import type { AccountRecord } from '../../model/index-records.ts'
import type { IndexReader } from '../../store/queries/index-reader.ts'
import { type Address, friendlyAddress, rawAddressUpper, tryParseAddress } from '../../ton/address.ts'
import { goJson, goJsonObject, type Wire } from './go-json.ts'
import type { KnownCodes } from './known-codes.ts'
import type { TextWriter } from './text-writer.ts'
import { readAddress } from './value-formats.ts'

/** Names of addresses for people (contracts/v3.md 7.1). */
export interface AddressBook {
  /** False when the caller does not want one: what is collected for it is then dropped. */
  readonly wanted: boolean
  /** The book of addresses in the raw form, or the words for those that name no account; ascending, as JSON object. */
  of(addresses: Iterable<string>): Promise<string>
  /** The book of addresses under the texts that they were given as; a text that is no address has an empty row. */
  under(texts: readonly string[]): Promise<string>
}

const PIECE = 100
const UNKNOWN = { user_friendly: null, domain: null, interfaces: [] }
/** How addresses that name no account stand in transfers (contracts/v3.md 3). */
const NO_ACCOUNTS = ['addr_none', 'addr_extern', 'addr_var'] as const
const MIN_WORKCHAIN = -128
const MAX_WORKCHAIN = 127

interface BookParts {
  /** Undefined where there is no index: then only the addresses themselves tell. */
  index: Pick<IndexReader, 'accountStates' | 'codeOf' | 'domainOf'> | undefined
  codes: KnownCodes
  writer: TextWriter
  /** Whether friendly forms say that they are of a test network. */
  testOnly: boolean
  wanted: boolean
}

/** Makes the book of one answer. */
export const createAddressBook = ({ index, codes, writer, testOnly, wanted }: BookParts): AddressBook => {
  const friendly = (address: Address, account: AccountRecord | undefined): string => {
    if (address.workchain < MIN_WORKCHAIN || address.workchain > MAX_WORKCHAIN) return rawAddressUpper(address)
    const code = account?.code_hash
    return friendlyAddress(address, { bounceable: !!code && !walletCodeByHash(code), testOnly })
  }

  const row = (address: Address, account: AccountRecord | undefined): Wire => ({
    user_friendly: friendly(address, account),
    domain: index?.domainOf(address) ?? null,
    interfaces: account?.code_hash && index ? codes(account.code_hash, (hash) => index.codeOf(hash)).interfaces : [],
  })

  /** Rows by raw address. */
  const rows = async (addresses: readonly Address[]): Promise<Map<string, Wire>> => {
    const found = new Map<string, Wire>()
    for (let at = 0; at < addresses.length; at += PIECE) {
      const piece = addresses.slice(at, at + PIECE)
      const accounts = new Map(
        index?.accountStates(piece).map((account) => [rawAddressUpper(account.address), account] as const),
      )
      for (const address of piece) {
        const raw = rawAddressUpper(address)
        found.set(raw, row(address, accounts.get(raw)))
        await writer.rest()
      }
    }
    return found
  }

  const write = (entries: Iterable<readonly [string, Wire]>): string =>
    goJsonObject(Array.from(entries, ([key, row]) => [key, goJson(row)] as const))

  return {
    wanted,
    of: async (addresses) => {
      if (!wanted) return '{}'
      const named = new Set(addresses)
      const parsed = Array.from(named, (raw) => tryParseAddress(raw)).filter((address) => address !== undefined)
      const noAccounts = NO_ACCOUNTS.filter((word) => named.has(word)).map((word): [string, Wire] => [
        word,
        { ...UNKNOWN, user_friendly: word },
      ])
      return write([...(await rows(parsed)), ...noAccounts])
    },
    under: async (texts) => {
      const parsed = new Map(texts.map((text) => [text, readAddress(text)] as const))
      const found = await rows([...parsed.values()].filter((address) => address !== undefined))
      return write(
        Array.from(parsed, ([text, address]) => [text, (address && found.get(rawAddressUpper(address))) ?? UNKNOWN]),
      )
    },
  }
}
