import type { Account } from '../../model/account.ts'
import type { Entity, EntityKind } from '../../model/entities.ts'
import type { EntityRecord } from '../../model/entity-records.ts'
import type { AccountRecord } from '../../model/index-records.ts'
import { type Value, valueText } from './value-text.ts'

/** A field of an account that the index tells otherwise than the chain. */
export interface Difference {
  kind: EntityKind | 'account'
  field: string
  /** Texts of the values. */
  ours: string
  live: string
}

function* fieldDifferences(
  kind: Difference['kind'],
  ours: Readonly<Record<string, Value>>,
  live: Readonly<Record<string, Value>>,
): Generator<Difference> {
  for (const field of Object.keys(ours)) {
    const texts = { ours: valueText(ours[field]), live: valueText(live[field]) }
    if (texts.ours !== texts.live) yield { kind, field, ...texts }
  }
}

const oursOf = ({
  status,
  balance,
  extra_currencies,
  frozen_hash,
  code_hash,
  data_hash,
  last_transaction,
}: AccountRecord) =>
  ({
    status,
    balance,
    extra_currencies: extra_currencies.map(([id, amount]) => [id | 0, amount]),
    frozen_hash,
    code_hash,
    data_hash,
    last_transaction_lt: last_transaction.lt,
    last_transaction_hash: last_transaction.hash,
  }) as const

const liveOf = ({ status, balance, extra_currencies, frozen_hash, code, data, last_transaction }: Account) =>
  ({
    status,
    balance,
    extra_currencies: extra_currencies.map(({ id, amount }) => [id, amount]),
    frozen_hash,
    code_hash: code?.hash() ?? null,
    data_hash: data?.hash() ?? null,
    last_transaction_lt: last_transaction.lt,
    last_transaction_hash: last_transaction.hash,
  }) as const

/** What is stored of an account's state against the account. One that does not exist any more has no last transaction. */
export const accountDifferences = (ours: AccountRecord, live: Account): Difference[] => {
  const [stored, found] = [oursOf(ours), liveOf(live)]
  if (live.status !== 'nonexist' || ours.status !== 'nonexist') return [...fieldDifferences('account', stored, found)]
  return [...fieldDifferences('account', { balance: stored.balance }, { balance: found.balance })]
}

/** What contracts say of an account. */
export interface LiveEntities {
  entities: readonly Entity[]
  /** True when a contract that it names, its master or its collection, does not know it. */
  isOrphan: boolean
}

/** The stored rows of an account against what it is, and against its state. */
export const entityDifferences = (
  rows: readonly EntityRecord<EntityKind>[],
  { entities, isOrphan }: LiveEntities,
  { last_transaction, code, data }: Pick<Account, 'last_transaction' | 'code' | 'data'>,
): Difference[] => {
  const live = new Map(entities.map((entity) => [entity._, entity]))
  const state = { last_transaction_lt: last_transaction.lt, code_hash: code?.hash(), data_hash: data?.hash() }
  const differences = rows.flatMap(({ entity, last_transaction_lt, code_hash, data_hash }): Difference[] => {
    const found = live.get(entity._)
    if (!found) return [{ kind: entity._, field: isOrphan ? 'parent' : 'interface', ours: 'yes', live: 'no' }]
    return [
      ...fieldDifferences(entity._, { last_transaction_lt, code_hash, data_hash }, state),
      ...fieldDifferences(entity._, { ...entity }, { ...found }),
    ]
  })
  const held = new Set(rows.map(({ entity }) => entity._))
  const lacking = entities.filter((entity) => !held.has(entity._))
  return [...differences, ...lacking.map(({ _ }) => ({ kind: _, field: 'interface', ours: 'no', live: 'yes' }))]
}
