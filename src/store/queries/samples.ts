import { ENTITY_KINDS } from '../entity-codec.ts'
import { entityKey } from '../entity-rows.ts'
import type { Table } from '../environment.ts'
import { u32Key } from '../keys.ts'
import { firstKey, type KeyRange, keysIn, someKeys, under } from '../scan.ts'
import type { Tables } from '../tables.ts'

/** Up to so many keys a sample is drawn from all of them. */
const MOST_KEYS = 8_192
/** Of more keys, those behind random ids are taken: so many tries for each that is wanted. */
const TRIES = 4

/** The interned address at the end of a key. */
const idOf = (key: Buffer): number => key.readUInt32BE(key.length - 4)

const drawFrom = (ids: number[], count: number, random: () => number): number[] => {
  for (let i = 0; i < Math.min(count, ids.length); i++) {
    const other = i + Math.floor(random() * (ids.length - i))
    ;[ids[i], ids[other]] = [ids[other]!, ids[i]!]
  }
  return ids.slice(0, count)
}

const drawBySeeking = (
  table: Table,
  range: KeyRange,
  keyOf: (id: number) => Buffer,
  count: number,
  random: () => number,
): number[] => {
  const [first, last] = [firstKey(table, range, 'asc')!, firstKey(table, range, 'desc')!].map(idOf) as [number, number]
  const found = new Set<number>()
  for (let tries = count * TRIES; tries > 0 && found.size < count; tries--) {
    const from = keyOf(first + Math.floor(random() * (last - first + 1)))
    const key = firstKey(table, { ...range, from }, 'asc')
    if (key) found.add(idOf(key))
  }
  return [...found]
}

const draw = (
  table: Table,
  range: KeyRange,
  keyOf: (id: number) => Buffer,
  count: number,
  random: () => number,
): number[] => {
  const keys = someKeys(table, range, 'asc', MOST_KEYS + 1)
  if (keys.length <= MOST_KEYS) return drawFrom(keys.map(idOf), count, random)
  return drawBySeeking(table, range, keyOf, count, random)
}

type Sampled = Pick<Tables, 'accounts' | 'entities' | 'entity_kinds'>

/**
 * Interned addresses of so many accounts, and of so many of each kind, each once; fewer where there are not so many.
 * The same numbers of `random` draw the same ones of the same index.
 */
export const sampleAccounts = (tables: Sampled, count: number, random: () => number): number[] => {
  const ofKinds = ENTITY_KINDS.flatMap((kind) =>
    draw(tables.entities, under(entityKey(kind)), (id) => entityKey(kind, id), count, random),
  )
  return [...new Set([...ofKinds, ...draw(tables.accounts, {}, u32Key, count, random)])]
}

/** Interned addresses of all accounts that are stored at the beginning: by their states, or as anything else. */
export function* allAccounts({ accounts, entity_kinds }: Sampled): Generator<number> {
  const ends = [accounts, entity_kinds].map((table) => firstKey(table, {}, 'desc'))
  const last = Math.max(...ends.map((key) => (key ? idOf(key) : 0)))
  for (const key of keysIn(accounts, {}, 'asc')) {
    if (idOf(key) > last) break
    yield idOf(key)
  }
  for (const key of keysIn(entity_kinds, {}, 'asc')) {
    if (idOf(key) > last) return
    if (!accounts.doesExist(key)) yield idOf(key)
  }
}
