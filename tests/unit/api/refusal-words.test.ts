import { expect, test } from 'bun:test'
import { V2_METHODS } from '../../../src/api/v2/method-table.ts'
import { V3_METHODS } from '../../../src/api/v3/method-table.ts'
import { EMULATE_METHODS } from '../../../src/api/v3/methods/emulate.ts'
import { isTonlithError } from '../../../src/common/errors.ts'
import type { Json } from '../../../src/common/lossless-json.ts'

type Source = (name: string) => Json | undefined
interface Posted {
  name: string
  prepare(source: Source): unknown
}

/** Values that let a method read on to its next parameter. */
const GOOD: Record<string, Json> = {
  address: `0:${'1'.repeat(64)}`,
  source: `0:${'1'.repeat(64)}`,
  method: 'seqno',
  workchain: 0,
  shard: '-9223372036854775808',
  seqno: 1,
  lt: '1',
  hash: '1'.repeat(64),
}

/** An entry, and every part of it taken out or replaced by what does not belong there. */
const spoiled = (entry: Json): Json[] => {
  if (typeof entry !== 'object' || entry === null) return [null, true, 1.5, {}, [], [null], '']
  const keys = Object.keys(entry)
  const without = keys.map((key) => Object.fromEntries(Object.entries(entry).filter(([other]) => other !== key)))
  const replaced = keys.flatMap((key) =>
    spoiled((entry as Record<string, Json>)[key]!).map((value) => ({ ...entry, [key]: value })),
  )
  return [...spoiled(''), ...without, ...replaced] as Json[]
}

const typed = (kind: string, key: string, part: Json): Json => ({ '@type': `tvm.stackEntry${kind}`, [key]: part })
const pair = (type: string, value: Json): Json[] => spoiled(value).map((each) => [type, each])
const ENTRIES: Json[] = [
  ...['Number', 'Cell', 'Slice', 'Tuple', 'List'].flatMap((kind) => {
    const key = kind.toLowerCase()
    const part: Json = kind === 'Number' ? { number: '1' } : { bytes: 'AAAA', elements: [{}] }
    return [...spoiled(typed(kind, key, part)), ...pair(key, part), ...pair(`tvm.${kind}`, part)]
  }),
  ...spoiled({ type: 'num', value: '1' }),
  ...spoiled({ address: 'x', amount: '1', payload: 'x', stateInit: 'x', extra_currency: { 1: '1' }, mode: 1 }),
  ...spoiled({ data: { b64: 'AA', len: 8 }, refs: [{}], special: false }),
]
const ODD: Json[] = [...ENTRIES, ...ENTRIES.map((entry) => [entry])]

/** Words of JavaScript for what was not given, which mean nothing to a caller. */
const FOREIGN = /undefined|null|NaN|Infinity|\[object|is not a function|Cannot read/

/** What the method says to an odd value in each of its parameters. */
const refusals = (method: Posted): string[] => {
  const names = new Set<string>()
  const said: string[] = []
  const ask = (odd?: { name: string; value: Json }): void => {
    try {
      method.prepare((name) => {
        names.add(name)
        return name === odd?.name ? odd.value : GOOD[name]
      })
    } catch (error) {
      if (!isTonlithError(error)) throw error
      said.push(`${method.name} ${odd?.name ?? ''}: ${error.message}`)
    }
  }
  ask()
  for (const name of names) for (const value of ODD) ask({ name, value })
  return said
}

const V3_POSTED = [...V3_METHODS, ...EMULATE_METHODS].filter((method) => method.verb === 'post')

test.each<[string, readonly Posted[]]>([
  ['API v2', V2_METHODS],
  ['API v3', V3_POSTED],
])('%s refuses odd values in words that callers know', (_, methods) => {
  const said = methods.flatMap(refusals)
  expect(said.length).toBeGreaterThan(1_000)
  expect(said.filter((line) => FOREIGN.test(line))).toEqual([])
})
