import type { DnsEntry, DnsResolution } from '../model/dns.ts'
import type { Address } from '../ton/address.ts'
import { beginCell } from '../ton/builder.ts'
import type { Cell } from '../ton/cell.ts'
import { stackInt, stackSlice } from '../ton/stack.ts'
import { parseDnsRecord, parseDnsRecords } from './dns.ts'
import { NEXT_RESOLVER } from './dns-name.ts'
import { cellAt, type GetMethods, intAt, readOrNone } from './get-methods.ts'

export interface DnsQuestion {
  resolver: Address
  /** In DNS form. */
  name: Buffer
  /** The category that is asked for; undefined for all. */
  category: Buffer | undefined
  /** Resolvers beyond the first one that may be asked. */
  hops: number
}

/** A delegation takes at least one byte of the name away, so that this is seldom the limit. */
const MAX_HOPS = 64
const NOTHING: DnsResolution = { _: 'resolved', entries: [] }

/** What a resolver knows: how many bytes of the name, and the record or the records there. */
interface Answer {
  known: number
  data: Cell
}

const askResolver = async (methods: GetMethods, resolver: Address, name: Buffer, category: Buffer | undefined) => {
  const stack = await methods.run(resolver, 'dnsresolve', [
    stackSlice(beginCell().bytes(name).endCell()),
    stackInt(category ? BigInt(`0x${category.toString('hex')}`) : 0n),
  ])
  return (
    stack &&
    readOrNone((): Answer | undefined => {
      const bits = Number(intAt(stack, 0))
      return bits > 0 && bits % 8 === 0 && bits <= name.length * 8
        ? { known: bits / 8, data: cellAt(stack, 1) }
        : undefined
    })
  )
}

const entriesOf = (data: Cell, category: Buffer | undefined): readonly DnsEntry[] =>
  category ? [{ category, record: parseDnsRecord(data) }] : (readOrNone(() => parseDnsRecords(data)) ?? [])

/** True when the known part ends where a label does. */
const endsLabel = (name: Buffer, known: number): boolean => name[known - 1] === 0 || name[known] === 0

/**
 * Resolves a name from a resolver on (TEP-81), over the delegations that `hops` allows, 64 at most. A resolver that does
 * not answer, or not with what the standard asks for, knows nothing. Throws what `methods` throws.
 */
export const resolveDomain = async (methods: GetMethods, question: DnsQuestion): Promise<DnsResolution> => {
  const { category } = question
  let { resolver, name } = question
  for (let hops = Math.min(question.hops, MAX_HOPS); ; hops--) {
    const answer = await askResolver(methods, resolver, name, category)
    if (!answer) return NOTHING
    const { known, data } = answer
    if (known === name.length) return { _: 'resolved', entries: entriesOf(data, category) }
    const next = parseDnsRecord(data)
    if (next._ !== 'dns_next_resolver' || !endsLabel(name, known)) return NOTHING
    if (hops === 0) return { _: 'delegated', prefix: name.subarray(0, known), resolver: next.resolver }
    resolver = next.resolver
    name = name.subarray(known)
  }
}

/**
 * Who answers for a name, as its parents tell; undefined where none of them does. The name's own resolver is not asked.
 * Throws what `methods` throws.
 */
export const resolverOf = async (methods: GetMethods, root: Address, encoded: Buffer): Promise<Address | undefined> => {
  let [resolver, name] = [root, encoded]
  while (name.length > 0) {
    const answer = await askResolver(methods, resolver, name, NEXT_RESOLVER)
    const next = answer && parseDnsRecord(answer.data)
    if (next?._ !== 'dns_next_resolver') return undefined
    resolver = next.resolver
    name = name.subarray(answer!.known)
    if (name.length === 1) return resolver
  }
  return resolver
}
