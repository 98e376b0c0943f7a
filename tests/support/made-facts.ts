import { classify } from '../../src/indexer/classify.ts'
import type { Action } from '../../src/model/action.ts'
import type { Facts, KnownAccount } from '../../src/model/known-account.ts'
import type { Trace } from '../../src/model/trace.ts'
import { type Builder, beginCell } from '../../src/ton/builder.ts'
import { storeStdAddress } from '../../src/ton/tlb/msg-address.ts'
import { accountNo } from './made-trace.ts'

/** Facts of made accounts, by their numbers. */
export const factsOf =
  (known: Readonly<Record<number, KnownAccount>>): Facts =>
  ({ hash }) =>
    known[hash[0]!] ?? {}

/** The one action of a type in a made trace. Throws where there is none or more. */
export const onlyAction = (trace: Trace, facts: Facts, type: Action['content']['type']): Action => {
  const { actions } = classify(trace, facts)
  const of = actions.filter(({ content }) => content.type === type)
  if (of.length !== 1)
    throw new Error(`${of.length} of ${type} among ${actions.map(({ content }) => content.type).join(', ')}`)
  return of[0]!
}

/** Types of the actions of a made trace in their order, `failed` behind those that did. */
export const toldTypes = (trace: Trace, facts: Facts): string[] =>
  classify(trace, facts).actions.map(({ content, success }) => `${content.type}${success ? '' : ' failed'}`)

/** A body that begins with an opcode and a query id. */
export const query = (opcode: number, query_id = 7n): Builder => beginCell().uint(opcode, 32).uint(query_id, 64)

/** Appends a made account's address. */
export const storeAccount = (builder: Builder, n: number): Builder => storeStdAddress(builder, accountNo(n))

/** A comment as a body. */
export const saying = (text: string) => beginCell().uint(0, 32).bytes(Buffer.from(text)).endCell()
