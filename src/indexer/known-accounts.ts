import type { Steps } from '../common/steps.ts'
import type { ClassifiedTrace } from '../model/action.ts'
import type { Entity, EntityKind } from '../model/entities.ts'
import type { Facts, KnownAccount } from '../model/known-account.ts'
import type { Trace } from '../model/trace.ts'
import type { IndexReader } from '../store/queries/index-reader.ts'
import { type Address, rawAddress } from '../ton/address.ts'
import { parseBocRoot } from '../ton/boc.ts'
import { classifySteps, type OnFailure } from './classify.ts'

/** What an account can be that a classifier asks for: kinds of the index, under the same names. */
const KINDS: ReadonlySet<EntityKind> = new Set([
  'jetton_wallet',
  'jetton_master',
  'nft_item',
  'getgems_sale',
  'getgems_auction',
  'dns_entry',
  'telemint',
  'multisig_order',
] as const satisfies readonly (EntityKind & keyof KnownAccount)[])

/** What an account is that was found to be all this. */
export const knownAs = (entities: readonly Entity[]): KnownAccount =>
  Object.fromEntries(entities.filter(({ _ }) => KINDS.has(_)).map((entity) => [entity._, entity]))

/** Where it is looked up what accounts are. */
export type KnownSource = Pick<IndexReader, 'entityKinds' | 'entities' | 'accountStates' | 'dataOf'>

const nameOf = ({ workchain, hash }: Address): string => workchain + hash.toString('latin1')

/** What an account is by its latest state; its code and its data are looked at once somebody asks for them. */
const knownAccount = (index: KnownSource, address: Address, told: <T>(read: () => T) => T): KnownAccount => {
  const known: KnownAccount = {
    get code_hash() {
      return told(() => index.accountStates([address])[0]?.code_hash ?? undefined)
    },
    get data() {
      const boc = told(() => index.dataOf(address))
      return boc && parseBocRoot(boc)
    },
  }
  for (const kind of told(() => index.entityKinds(address))) {
    const entity = KINDS.has(kind) ? told(() => index.entities(kind, [address])[0]?.entity) : undefined
    if (entity) Object.assign(known, { [kind]: entity })
  }
  return known
}

/** By what a trace is classified, beside an index. */
export interface ClassifyOptions {
  /** What is known of accounts by raw address: it counts more than what the index knows. */
  known?: ReadonlyMap<string, KnownAccount>
  onFailure?: OnFailure | undefined
}

/**
 * As `classify`, by what an index (where there is one) knows of the accounts: they are looked up as matchers ask for them.
 * Throws what the index throws; a matcher that meets that goes on as if nothing were known.
 */
export function* classifyKnown(
  index: KnownSource | undefined,
  trace: Trace,
  { known, onFailure }: ClassifyOptions = {},
): Steps<ClassifiedTrace> {
  const accounts = new Map<string, KnownAccount>()
  const failures: unknown[] = []
  const told = <T>(read: () => T): T => {
    try {
      return read()
    } catch (error) {
      failures.push(error)
      throw error
    }
  }
  const facts: Facts = (address) =>
    accounts.getOrInsertComputed(
      nameOf(address),
      () => known?.get(rawAddress(address)) ?? (index ? knownAccount(index, address, told) : {}),
    )
  const classified = yield* classifySteps(trace, facts, onFailure)
  if (failures.length > 0) throw failures[0]
  return classified
}
