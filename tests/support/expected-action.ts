import type { Json } from '../../src/common/lossless-json.ts'
import { parseBocRoot } from '../../src/ton/boc.ts'
import type { RowValue } from './action-row.ts'
import { holds, isCondition } from './selector.ts'

/** An action that a recorded case expects: its type, which of that type, and values of columns. */
export type ExpectedAction = { readonly type: string; readonly selector?: string } & { readonly [key: string]: Json }

type Row = { readonly [column: string]: RowValue }

const STEP = /[^.[\]]+/g

const at = (row: RowValue, path: string): RowValue =>
  (path.match(STEP) ?? []).reduce<RowValue>(
    (value, key) => (value as { readonly [key: string]: RowValue } | null)?.[key] ?? null,
    row,
  )

const shown = (value: unknown): string =>
  JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? String(inner) : inner)) ?? 'nothing'

const isSame = (expected: Json, found: RowValue): boolean => {
  if (isCondition(expected)) return holds(String(expected), found)
  if (Array.isArray(expected)) return Array.isArray(found) && isSameList(expected, found as readonly RowValue[])
  if (expected !== null && typeof expected === 'object')
    return (
      found !== null &&
      typeof found === 'object' &&
      Object.entries(expected).every(([key, value]) => isSame(value, at(found, key)))
    )
  if (typeof expected === 'string' && typeof found === 'string' && expected !== found && expected.startsWith('te6c'))
    return parseBocRoot(Buffer.from(expected, 'base64'))
      .hash()
      .equals(parseBocRoot(Buffer.from(found, 'base64')).hash())
  return expected === found || (expected !== null && found !== null && String(expected) === String(found))
}

/** Lists hold the same in any order. */
const isSameList = (expected: readonly Json[], found: readonly RowValue[]): boolean => {
  const left = [...found]
  return (
    expected.length === found.length &&
    expected.every((value) => {
      const place = left.findIndex((one) => isSame(value, one))
      if (place >= 0) left.splice(place, 1)
      return place >= 0
    })
  )
}

/** Each value that differs: its path, what is expected and what was found. */
export const differences = (expected: { readonly [key: string]: Json }, row: RowValue, prefix = ''): string[] =>
  Object.entries(expected).flatMap(([path, value]) => {
    const found = at(row, path)
    if (isSame(value, found)) return []
    const isRecord = value !== null && typeof value === 'object' && !Array.isArray(value)
    if (isRecord && found !== null)
      return differences(value as { readonly [key: string]: Json }, found, `${prefix}${path}.`)
    return [`${prefix}${path}: expected ${shown(value)}, found ${shown(found)}`]
  })

/** What of an expectation the rows do not fulfil; empty when one row, and only one, is what it asks for. */
export const unfulfilled = ({ type, selector, values, ...others }: ExpectedAction, rows: readonly Row[]): string[] => {
  const of = rows.filter((row) => row.type === type && (!isCondition(selector) || holds(String(selector), row)))
  if (of.length !== 1) return [`${type}: ${of.length} found among ${shown(rows.map((row) => row.type))}`]
  return differences({ ...others, ...(values as { readonly [key: string]: Json }) }, of[0]!).map(
    (line) => `${type} ${line}`,
  )
}
