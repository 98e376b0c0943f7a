import type { Action, ActionColumns } from '../../src/model/action.ts'
import { rawAddressUpper } from '../../src/ton/address.ts'
import { cellToBoc } from '../../src/ton/boc-writer.ts'
import { Cell } from '../../src/ton/cell.ts'
import { BASIC_ROWS } from './action-rows/basic.ts'
import { COCOON_ROWS } from './action-rows/cocoon.ts'
import { DEX_ROWS } from './action-rows/dex.ts'
import { DNS_ROWS } from './action-rows/dns.ts'
import { EVAA_ROWS } from './action-rows/evaa.ts'
import { JETTON_ROWS } from './action-rows/jetton.ts'
import { JVAULT_ROWS } from './action-rows/jvault.ts'
import { LAYERZERO_ROWS } from './action-rows/layerzero.ts'
import { MULTISIG_ROWS } from './action-rows/multisig.ts'
import { NFT_ROWS } from './action-rows/nft.ts'
import { NFT_MARKET_ROWS } from './action-rows/nft-market.ts'
import type { RowData } from './action-rows/row-data.ts'
import { STAKING_ROWS } from './action-rows/staking.ts'
import { TGBTC_ROWS } from './action-rows/tgbtc.ts'
import { VESTING_ROWS } from './action-rows/vesting.ts'

/** Composite columns of all families; a family is a file and a line here. */
const DATA: RowData = {
  ...BASIC_ROWS,
  ...JETTON_ROWS,
  ...NFT_ROWS,
  ...DEX_ROWS,
  ...COCOON_ROWS,
  ...LAYERZERO_ROWS,
  ...NFT_MARKET_ROWS,
  ...DNS_ROWS,
  ...MULTISIG_ROWS,
  ...STAKING_ROWS,
  ...VESTING_ROWS,
  ...TGBTC_ROWS,
  ...EVAA_ROWS,
  ...JVAULT_ROWS,
}

/** A column's value as JSON has it: integers as bigint, addresses raw in upper case, cells and hashes in base64. */
export type RowValue = null | boolean | bigint | string | readonly RowValue[] | { readonly [key: string]: RowValue }

const isAddress = (value: object): value is { workchain: number; hash: Buffer } =>
  'workchain' in value && 'hash' in value

/** A value of an action's details or columns as JSON has it. */
export const plain = (value: unknown): RowValue => {
  if (value === undefined || value === null) return null
  if (typeof value === 'number') return BigInt(value)
  if (typeof value === 'boolean' || typeof value === 'bigint' || typeof value === 'string') return value
  if (Buffer.isBuffer(value)) return value.toString('base64')
  if (value instanceof Cell) return cellToBoc(value).toString('base64')
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object') throw new TypeError(`no column holds a ${typeof value}`)
  if (isAddress(value)) return rawAddressUpper(value)
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]))
}

const dataOf = ({ content, columns }: Action): Readonly<Record<string, unknown>> => {
  const write = DATA[content.type] as
    | ((details: object, columns: ActionColumns) => Readonly<Record<string, unknown>>)
    | undefined
  return write?.(content.details, columns) ?? {}
}

/** An action as a row of the reference's table of actions (contracts/v3.md 6.3 and 9). */
export const actionRow = (action: Action): { readonly [column: string]: RowValue } => {
  const { content, columns, transactions, ...stored } = action
  return plain({ ...stored, type: content.type, tx_hashes: transactions, ...columns, ...dataOf(action) }) as {
    readonly [column: string]: RowValue
  }
}
