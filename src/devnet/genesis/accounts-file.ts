import { isTonlithError, TonlithError } from '../../common/errors.ts'
import { isJsonObject, type Json, parseJson } from '../../common/lossless-json.ts'
import { decodeUtf8 } from '../../common/utf8.ts'
import { rawAddress } from '../../ton/address.ts'
import { parseBoc } from '../../ton/boc.ts'
import type { Cell } from '../../ton/cell.ts'
import { decode } from '../../ton/tl/codec.ts'
import type { AccountImport } from '../collate/collation.ts'
import { bocOf, readEntry } from './account-entry.ts'
import { importAccount } from './import-account.ts'

/** What a file of accounts may have. */
export const MAX_BYTES = 64 << 20
const MAX_ACCOUNTS = 10_000
/** TL liteServer.accountState. */
const ACCOUNT_STATE_ID = 0x7079c751

const refuse = (what: string): TonlithError => new TonlithError('invalid', `accounts to load: ${what}`)

/** Says which account is meant in what went wrong with it. */
const within = <T>(name: string, read: () => T): T => {
  try {
    return read()
  } catch (error) {
    if (isTonlithError(error)) throw refuse(`${name}: ${error.message}`)
    throw error
  }
}

const checkCount = (count: number): void => {
  if (count === 0) throw refuse('there are none')
  if (count > MAX_ACCOUNTS) throw refuse(`more than ${MAX_ACCOUNTS}`)
}

/** The cell in an answer of API v2 to getShardAccountCell. */
const answeredCell = (value: Json): Json | undefined => {
  const result = isJsonObject(value) && value['ok'] === true ? value['result'] : undefined
  return isJsonObject(result) ? result['bytes'] : undefined
}

const listIn = (value: Json): readonly Json[] => {
  const cell = answeredCell(value)
  if (cell !== undefined) return [{ account: cell }]
  const list = isJsonObject(value) && Object.keys(value).length === 1 ? value['accounts'] : value
  if (!Array.isArray(list)) throw refuse('JSON that is neither a list of accounts nor {"accounts": [...]}')
  return list
}

const fromJson = (value: Json, now: number): AccountImport[] => {
  const list = listIn(value)
  checkCount(list.length)
  return list.map((entry, i) => within(`number ${i + 1}`, () => readEntry(entry, now)))
}

const fromCells = (cells: readonly Cell[], now: number): AccountImport[] => {
  checkCount(cells.length)
  return cells.map((cell, i) => within(`root ${i + 1}`, () => importAccount(cell, now)))
}

const readBoc = (bytes: Buffer): Cell[] => within('BoC', () => parseBoc(bytes, { maxBytes: MAX_BYTES }))

const isBoc = (bytes: Buffer): boolean =>
  bytes.length >= 4 && [0xb5ee9c72, 0x68ff65f3, 0xacc3a728].includes(bytes.readUInt32BE(0))

const readText = (text: string, now: number): AccountImport[] => {
  if (/^[[{]/.test(text))
    return fromJson(
      within('JSON', () => parseJson(text)),
      now,
    )
  const boc = bocOf(text)
  if (!boc || !isBoc(boc)) throw refuse('neither JSON nor a BoC')
  return fromCells(readBoc(boc), now)
}

/**
 * Reads accounts that a network is to have although no transaction has made them: JSON, a BoC of TL-B Account or
 * ShardAccount cells (as bytes, or as text in hex or base64), or a liteserver's answer about an account
 * (liteServer.accountState as bytes), or API v2's to getShardAccountCell. In a list in JSON each has `account` with such a
 * BoC, or `address` and what it consists of.
 * @param now unix seconds: up to then their storage is paid
 * @throws TonlithError `invalid` with one line about the first thing that is wrong
 */
export const readAccountsFile = (bytes: Buffer, now: number): AccountImport[] => {
  if (bytes.length > MAX_BYTES) throw refuse(`larger than ${MAX_BYTES} bytes`)
  const accounts = readAny(bytes, now)
  const seen = new Set<string>()
  for (const { address } of accounts) {
    const name = rawAddress(address)
    if (seen.has(name)) throw refuse(`${name} stands there twice`)
    seen.add(name)
  }
  return accounts
}

const readAny = (bytes: Buffer, now: number): AccountImport[] => {
  if (isBoc(bytes)) return fromCells(readBoc(bytes), now)
  if (bytes.length >= 4 && bytes.readUInt32LE(0) === ACCOUNT_STATE_ID) {
    const { state } = within('liteServer.accountState', () => decode('liteServer.AccountState', bytes))
    return fromCells(state.length === 0 ? [] : readBoc(state), now)
  }
  const text = decodeUtf8(bytes)
  if (text === undefined) throw refuse('neither JSON nor a BoC')
  return readText(text.trim(), now)
}
