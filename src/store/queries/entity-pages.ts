import { TonlithError } from '../../common/errors.ts'
import { finish, type Steps } from '../../common/steps.ts'
import type { EntityKind } from '../../model/entities.ts'
import type { EntityRecord } from '../../model/entity-records.ts'
import type { Listed, Page, SortOrder } from '../../model/index-records.ts'
import type { Address } from '../../ton/address.ts'
import { addressIdOf } from '../addresses.ts'
import { type EntityList, entityEntries, listKey } from '../entity-entries.ts'
import { entityAt, entityKey } from '../entity-rows.ts'
import { addressKey, u32Key } from '../keys.ts'
import type { Budget } from './budget.ts'
import { isGiven, type Pages, pagesOf } from './paging.ts'
import { inOrderOf, merged, type RankedSource, rankedAt, rankedKeys, rankedList, since } from './ranked.ts'
import type { Source } from './transaction-rows.ts'

/**
 * Lists of entities. Their ranked keys end in the interned address of the account and stand in the order of the list, so
 * that a key is a cursor.
 */

/** More than the longest ranked key has. */
const LONGEST_KEY = 600

/** The keys of a list, all of them behind one another in its order. */
export interface EntityKeys {
  /** From `start` on, a key or its beginning. */
  from(start: Buffer | undefined): Iterable<Buffer>
  accepts?: ((key: Buffer) => boolean) | undefined
  skip?: ((offset: number) => Iterable<Buffer> | undefined) | undefined
}

/** The interned address at the end of a ranked key. */
export const idOfKey = (key: Buffer): number => key.readUInt32BE(key.length - 4)

/** Interned addresses of those that are stored, each once. */
export const idsOf = ({ addresses }: Source, wanted: readonly Address[] | undefined): number[] => [
  ...new Set((wanted ?? []).map((address) => addresses.find(address)).filter((id) => id !== undefined)),
]

/** Addresses by workchain and account, each once. */
export const inOrder = (addresses: readonly Address[] | undefined): Address[] =>
  [...new Map((addresses ?? []).map((address) => [addressKey(address).toString('latin1'), address]))]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, address]) => address)

/** The part of a list that begins with `parts`. */
export const listPart = ({ tables }: Source, list: EntityList, ...parts: readonly Buffer[]): RankedSource => ({
  table: tables.entity_lists,
  prefix: listKey(list, ...parts),
})

/** All accounts of a kind, as seen. */
export const allOfKind = ({ tables }: Source, kind: EntityKind): RankedSource => ({
  table: tables.entities,
  prefix: entityKey(kind),
})

/** The keys of several parts of one form, merged. */
export const mergedParts = (parts: readonly RankedSource[], sort: SortOrder, budget: Budget): EntityKeys => ({
  from: (start) =>
    merged(
      parts.map((part) => rankedKeys(part, sort, budget, start)),
      sort,
    ),
  skip: (offset) => {
    const [first, ...others] = parts.filter((part) => rankedAt(part, sort, 0) !== undefined)
    if (!first) return []
    return others.length === 0 ? rankedList(first, sort, budget).skip(offset) : undefined
  },
})

/** Keys that are few enough to be put in order. */
export const fewKeys = (keys: Iterable<Buffer>, sort: SortOrder): EntityKeys => {
  const ordered = [...keys].sort(inOrderOf(sort))
  return { from: (start) => since(ordered, start, sort) }
}

/** An entity by its interned address. Throws `malformed` when it is not there. */
export const entityRecord = <K extends EntityKind>(source: Source, kind: K, id: number): EntityRecord<K> => {
  const row = entityAt(source, kind, id)
  if (!row) throw new TonlithError('malformed', `index: a row of entities (${kind}) is missing`)
  return { address: source.addresses.of(id), ...row }
}

/** Pages of a list, of which `read` gives what stands at interned addresses. */
export const pagesOfIds = <T>(
  open: (budget: Budget) => EntityKeys | Steps<EntityKeys>,
  read: (ids: number[]) => T[],
): Pages<T> =>
  pagesOf(
    function* (budget) {
      const opened = open(budget)
      const { from, accepts, skip } = 'from' in opened ? opened : yield* opened
      const whole = { rankSize: LONGEST_KEY, keySize: LONGEST_KEY, varies: true }
      return { ...whole, from, accepts: accepts ?? (() => true), skip: accepts ? undefined : skip }
    },
    (keys) => read(keys.map(idOfKey)),
  )

/** Pages of a list of entities of one kind. */
export const pagesOfEntities = <K extends EntityKind>(
  source: Source,
  kind: K,
  open: (budget: Budget) => EntityKeys | Steps<EntityKeys>,
): Pages<EntityRecord<K>> => pagesOfIds(open, (ids) => ids.map((id) => entityRecord(source, kind, id)))

/** One page of a list of entities. Throws `invalid` for a cursor that is none. */
export const pageOfEntities = <K extends EntityKind>(
  source: Source,
  kind: K,
  keys: EntityKeys,
  page: Page,
): Listed<EntityRecord<K>> => finish(pagesOfEntities(source, kind, () => keys)(page))

/** Whether the account of a key, read before, is of the kind still. */
export const isStill =
  ({ tables }: Source, kind: EntityKind) =>
  (key: Buffer): boolean =>
    tables.entities.doesExist(entityKey(kind, idOfKey(key)))

/** Those of some accounts (interned addresses) that are of a kind. */
export const ofKind = ({ tables }: Source, kind: EntityKind, ids: readonly number[]): number[] =>
  ids.filter((id) => tables.entities.doesExist(entityKey(kind, id)))

/** True when a row stands in any of `parts`, which end where its interned address begins. */
const standsIn = (source: Source, kind: EntityKind, id: number, parts: ReadonlySet<string>): boolean => {
  const entries = entityEntries({ ...entityRecord(source, kind, id), id }, addressIdOf(source.addresses))
  return entries.some(([, key]) => parts.has(key.toString('latin1', 0, key.length - 4)))
}

/**
 * Accounts of a kind as seen, by `sort`: those of `addresses`, where they are given, that stand in one of `lists` under
 * one of `links`, where these are given.
 */
export const seenKeys = (
  source: Source,
  kind: EntityKind,
  filter: {
    addresses?: readonly Address[] | undefined
    lists: readonly EntityList[]
    links?: readonly Address[] | undefined
  },
  sort: SortOrder,
  budget: Budget,
): EntityKeys => {
  const { addresses, lists, links } = filter
  const linked = isGiven(links)
    ? idsOf(source, links).flatMap((id) => lists.map((list) => listPart(source, list, u32Key(id))))
    : undefined
  if (!isGiven(addresses)) return mergedParts(linked ?? [allOfKind(source, kind)], sort, budget)
  const wanted = linked && new Set(linked.map(({ prefix }) => prefix.toString('latin1')))
  const ids = ofKind(source, kind, idsOf(source, addresses))
  const found = wanted ? ids.filter((id) => standsIn(source, kind, id, wanted)) : ids
  return fewKeys(
    found.map((id) => u32Key(id)),
    sort,
  )
}

/** Lists one after the other: their keys have the place of the list (uint32) in front. */
export const oneAfterAnother = (lists: readonly EntityKeys[]): EntityKeys => {
  const keysOf = function* (place: number, keys: Iterable<Buffer>): Generator<Buffer> {
    for (const key of keys) yield u32Key(place, key)
  }
  return {
    from: function* (start) {
      if (start && start.length < 4) throw new TonlithError('invalid', 'the cursor is not of this list')
      const first = start ? start.readUInt32BE(0) : 0
      for (const [place, list] of lists.entries()) {
        if (place < first) continue
        yield* keysOf(place, list.from(place === first ? start?.subarray(4) : undefined))
      }
    },
    skip: (offset) => {
      const keys = lists.length === 1 ? lists[0]?.skip?.(offset) : undefined
      return keys && keysOf(0, keys)
    },
  }
}

/** True for an address of `wanted`; for all where none is asked for. */
export const isAnyOf = (wanted: readonly Address[] | undefined): ((address: Address | null) => boolean) => {
  if (!isGiven(wanted)) return () => true
  const names = new Set(wanted.map((address) => addressKey(address).toString('latin1')))
  return (address) => address !== null && names.has(addressKey(address).toString('latin1'))
}
