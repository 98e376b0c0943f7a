import type { Steps } from '../../common/steps.ts'
import type { Facts } from '../../model/known-account.ts'
import type { Made, Matcher } from './family.ts'
import { merge } from './merge.ts'
import { isCall, isEvent, type Part, partsFrom } from './part.ts'
import { type Match, matchAt } from './pattern.ts'
import { isStep } from './step.ts'

/** Opcodes and names of the parts: what a matcher must begin with to be worth a try. */
const kindsOf = (parts: readonly Part[]): { opcodes: Set<number | null>; btypes: Set<string> } => ({
  opcodes: new Set(parts.filter(isCall).map(({ opcode }) => opcode)),
  btypes: new Set(parts.map(({ btype }) => btype)),
})

const canBegin = ({ pattern }: Matcher, { opcodes, btypes }: ReturnType<typeof kindsOf>): boolean =>
  (pattern.opcodes === undefined || pattern.opcodes.some((opcode) => opcodes.has(opcode))) &&
  (pattern.btypes === undefined || pattern.btypes.some((btype) => btypes.has(btype)))

const makeOne = ({ of, with: beside = [], ...told }: Made, match: Match): boolean =>
  merge([...(of ?? match.parts), ...beside], told) !== undefined

/** Tries one matcher at one part. True when something was made. */
const tryAt = (matcher: Matcher, part: Part, facts: Facts, onFailure: (error: unknown) => void): boolean => {
  try {
    const match = matchAt(matcher.pattern, part, facts)
    const made = match && matcher.build(part, match, facts)
    if (!match || !made) return false
    return (Array.isArray(made) ? (made as readonly Made[]) : [made as Made])
      .map((one) => makeOne(one, match))
      .includes(true)
  } catch (error) {
    onFailure(error)
    return false
  }
}

/** A message to the outside, which nobody answers, belongs to an action and begins none, but for matchers of such ones. */
const mayBegin = (part: Part, { isEvent: ofEvents = false }: Matcher): boolean =>
  part.whole === null && isEvent(part) === ofEvents

/**
 * Folds the parts behind `root`: the matchers in their order, each at every part that is part of no other, nearest first.
 * A matcher that throws leaves the part as it is. Every matcher is tried at most once at a part, so that the work grows
 * with the number of parts.
 */
export function* runMatchers(
  root: Part,
  matchers: readonly Matcher[],
  facts: Facts,
  onFailure: (matcher: Matcher, error: unknown) => void,
): Steps<void> {
  let count = 0
  let parts = partsFrom(root).slice(1)
  let kinds = kindsOf(parts)
  for (const matcher of matchers) {
    if (!canBegin(matcher, kinds)) continue
    let changed = false
    for (const part of parts) {
      if (isStep(count++)) yield
      if (!mayBegin(part, matcher)) continue
      if (tryAt(matcher, part, facts, (error) => onFailure(matcher, error))) changed = true
    }
    if (!changed) continue
    parts = partsFrom(root).slice(1)
    kinds = kindsOf(parts)
  }
}
