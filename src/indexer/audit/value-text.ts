import { type Address, rawAddress } from '../../ton/address.ts'

/** What rows hold. */
export type Value =
  | null
  | undefined
  | string
  | number
  | bigint
  | boolean
  | Buffer
  | Address
  | readonly Value[]
  | { readonly [name: string]: Value }

/** Characters that would do something to a terminal, beside those that JSON has codes for. */
const CONTROLS = /[\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
const SHOWN = 160

const isAddress = (value: object): value is Address => 'workchain' in value && 'hash' in value

const quoted = (text: string): string =>
  JSON.stringify(text).replace(CONTROLS, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** A value in words that are the same for equal values only; a text is quoted. */
export const valueText = (value: Value): string => {
  if (value === null || value === undefined) return 'none'
  if (typeof value === 'string') return quoted(value)
  if (typeof value !== 'object') return String(value)
  if (Buffer.isBuffer(value)) return `0x${value.toString('hex')}`
  if (Array.isArray(value)) return `[${value.map(valueText).join(', ')}]`
  if (isAddress(value)) return rawAddress(value)
  const members = Object.entries(value as Readonly<Record<string, Value>>).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, member]) => `${quoted(name)}: ${valueText(member)}`).join(', ')}}`
}

/** Two texts that differ, as far as they are shown: from a little before their first difference on. */
export const shownTexts = (a: string, b: string): [string, string] => {
  let same = 0
  while (same < a.length && a[same] === b[same]) same++
  const from = Math.max(a.length, b.length) <= SHOWN ? 0 : Math.max(0, same - SHOWN / 4)
  const shown = (text: string): string =>
    `${from > 0 ? '…' : ''}${text.slice(from, from + SHOWN)}${text.length > from + SHOWN ? '…' : ''}`
  return [shown(a), shown(b)]
}
