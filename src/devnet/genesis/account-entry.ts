import { TonlithError } from '../../common/errors.ts'
import { isJsonObject, type Json } from '../../common/lossless-json.ts'
import { type Address, rawAddress, sameAddress, tryParseAddress } from '../../ton/address.ts'
import { parseBocRoot } from '../../ton/boc.ts'
import type { Cell } from '../../ton/cell.ts'
import type { AccountState } from '../../ton/tlb/account.ts'
import { type CurrencyCollection, type ExtraCurrency, extraCurrencyDict } from '../../ton/tlb/currency.ts'
import type { AccountImport } from '../collate/collation.ts'
import { checkedImport, importAccount } from './import-account.ts'

/** Fields of an account in JSON. `account` stands for all others but `address`, which it must agree with. */
const FIELDS = ['address', 'account', 'code', 'data', 'library', 'balance', 'extra_currencies', 'frozen_hash'] as const
type Field = (typeof FIELDS)[number]
type Entry = Readonly<Partial<Record<Field, Json>>>

const MAX_BOC_BYTES = 16 << 20
const MAX_DIGITS = 40
const MAX_CURRENCIES = 64
const HEX = /^(?:[0-9a-fA-F]{2})+$/
const BASE64 = /^[0-9A-Za-z+/_-]+={0,2}$/

const refuse = (what: string): TonlithError => new TonlithError('invalid', what)

/** The bytes of a text in hex or base64 (either alphabet, lines broken or not); undefined for another text. */
export const bocOf = (text: string): Buffer | undefined => {
  const joined = text.replace(/\s+/g, '')
  if (HEX.test(joined)) return Buffer.from(joined, 'hex')
  return BASE64.test(joined) ? Buffer.from(joined, 'base64') : undefined
}

const cellAt = (entry: Entry, field: Field): Cell | null => {
  const value = entry[field]
  if (value === undefined || value === null) return null
  const bytes = typeof value === 'string' ? bocOf(value) : undefined
  if (!bytes) throw refuse(`${field} is no BoC in hex or base64`)
  try {
    return parseBocRoot(bytes, { maxBytes: MAX_BOC_BYTES })
  } catch {
    throw refuse(`${field} is no BoC with one root`)
  }
}

const addressAt = ({ address }: Entry): Address | undefined => {
  if (address === undefined) return undefined
  const parsed = typeof address === 'string' ? tryParseAddress(address) : undefined
  if (!parsed) throw refuse('address is none')
  return { workchain: parsed.workchain, hash: parsed.hash }
}

const integer = (value: Json | undefined, what: string): bigint => {
  if (typeof value === 'bigint') return value
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value)
  if (typeof value === 'string' && value.length <= MAX_DIGITS && /^[0-9]+$/.test(value)) return BigInt(value)
  throw refuse(`${what} is no whole number`)
}

const currenciesOf = (value: Json | undefined): ExtraCurrency[] => {
  if (value === undefined) return []
  if (!isJsonObject(value)) throw refuse('extra_currencies is no object of amounts by id')
  const entries = Object.entries(value)
  if (entries.length > MAX_CURRENCIES) throw refuse(`more than ${MAX_CURRENCIES} extra currencies`)
  return entries.map(([id, amount]) => {
    const number = /^[0-9]{1,10}$/.test(id) ? Number(id) : Number.NaN
    if (!(number <= 0xffffffff)) throw refuse('the id of an extra currency is no uint32')
    const exact = integer(amount, 'the amount of an extra currency')
    if (exact <= 0n || exact >= 1n << 248n) throw refuse('the amount of an extra currency is none')
    return [number, exact]
  })
}

const balanceOf = ({ balance, extra_currencies }: Entry): CurrencyCollection => ({
  grams: balance === undefined ? 0n : integer(balance, 'balance'),
  other: extraCurrencyDict(currenciesOf(extra_currencies)),
})

const stateOf = (entry: Entry): AccountState => {
  const { frozen_hash } = entry
  const [code, data, library] = [cellAt(entry, 'code'), cellAt(entry, 'data'), cellAt(entry, 'library')]
  if (frozen_hash !== undefined) {
    if (code || data || library) throw refuse('a frozen account has no code, data and library')
    if (typeof frozen_hash !== 'string' || !/^[0-9a-fA-F]{64}$/.test(frozen_hash))
      throw refuse('frozen_hash is no hash in hex')
    return { _: 'account_frozen', state_hash: Buffer.from(frozen_hash, 'hex') }
  }
  if (!code && !data && !library) return { _: 'account_uninit' }
  return { _: 'account_active', fixed_prefix_length: null, special: null, code, data, library }
}

const fieldsOf = (entry: Json): Entry => {
  if (!isJsonObject(entry)) throw refuse('not an object')
  const unknown = Object.keys(entry).find((key) => !FIELDS.some((field) => field === key))
  if (unknown !== undefined) throw refuse(`unknown field ${JSON.stringify(unknown.slice(0, 40))}`)
  return entry
}

/**
 * One account in JSON: `{address, code, data, balance, …}`, code, data and library as BoC in hex or base64, balance in
 * nanotons; or `{account}`, the BoC of its Account or ShardAccount cell.
 * @param now unix seconds: up to then its storage is paid
 * @throws TonlithError `invalid`
 */
export const readEntry = (json: Json, now: number): AccountImport => {
  const entry = fieldsOf(json)
  const address = addressAt(entry)
  const cell = cellAt(entry, 'account')
  if (cell) {
    const other = FIELDS.find((field) => field !== 'account' && field !== 'address' && entry[field] !== undefined)
    if (other) throw refuse(`${other} stands beside account, which has one of its own`)
    const imported = importAccount(cell, now)
    if (address && !sameAddress(address, imported.address))
      throw refuse(`the account is ${rawAddress(imported.address)}, not the address that is given`)
    return imported
  }
  if (!address) throw refuse('neither address nor account')
  return checkedImport({ address, balance: balanceOf(entry), state: stateOf(entry), last_paid: now })
}
