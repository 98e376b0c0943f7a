import type { Matcher } from './family.ts'
import { isCall, type Part } from './part.ts'

/** Matchers (by their places) by what the part must be where they begin. */
interface Beginnings {
  opcodes: ReadonlyMap<number, readonly number[]>
  btypes: ReadonlyMap<string, readonly number[]>
  /** Those that ask for neither. */
  others: readonly number[]
}

const append = <K>(lists: Map<K, number[]>, key: K, place: number): void => {
  const list = lists.get(key)
  if (!list) lists.set(key, [place])
  else if (list.at(-1) !== place) list.push(place)
}

const beginningsOf = (matchers: readonly Matcher[]): Beginnings => {
  const opcodes = new Map<number, number[]>()
  const btypes = new Map<string, number[]>()
  const others: number[] = []
  matchers.forEach(({ pattern }, place) => {
    if (pattern.opcodes) for (const opcode of pattern.opcodes) append(opcodes, opcode, place)
    else if (pattern.btypes) for (const btype of pattern.btypes) append(btypes, btype, place)
    else others.push(place)
  })
  return { opcodes, btypes, others }
}

const known = new WeakMap<readonly Matcher[], Beginnings>()

const NONE: readonly number[] = []

/** A matcher with the parts at which it is worth a try. */
export type Try = readonly [place: number, parts: readonly Part[]]

/**
 * The matchers from a place on that can begin at any of the parts, in their order, each with these parts in theirs. What
 * else a pattern asks for is not looked at.
 */
export const triesFrom = (matchers: readonly Matcher[], first: number, parts: readonly Part[]): Try[] => {
  let beginnings = known.get(matchers)
  if (!beginnings) {
    beginnings = beginningsOf(matchers)
    known.set(matchers, beginnings)
  }
  const { opcodes, btypes, others } = beginnings
  const tries = new Map<number, Part[]>()
  const add = (places: readonly number[] | undefined, part: Part): void => {
    for (const place of places ?? NONE) {
      if (place < first) continue
      const some = tries.get(place)
      if (some) some.push(part)
      else tries.set(place, [part])
    }
  }
  for (const part of parts) {
    if (part.opcode !== null && isCall(part)) add(opcodes.get(part.opcode), part)
    add(btypes.get(part.btype), part)
    add(others, part)
  }
  return [...tries].sort(([a], [b]) => a - b)
}
