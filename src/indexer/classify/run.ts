import type { Steps } from '../../common/steps.ts'
import type { Facts } from '../../model/known-account.ts'
import { triesFrom } from './beginnings.ts'
import type { Made, Matcher } from './family.ts'
import { merge } from './merge.ts'
import { isEvent, type Part, partsFrom } from './part.ts'
import { type Match, matchAt } from './pattern.ts'
import { isStep } from './step.ts'

const makeOne = ({ of, with: beside = [], ...told }: Made, match: Match): boolean =>
  merge([...(of ?? match.parts), ...beside], told) !== undefined

const isAt = (part: Part, { at }: Matcher, facts: Facts): boolean => {
  if (!at) return true
  const account = part.nodes[0]?.message?.destination
  const is = account && facts(account)
  return is ? at.some((kind) => is[kind] !== undefined) : false
}

/** Tries one matcher at one part. True when something was made. */
const tryAt = (matcher: Matcher, part: Part, facts: Facts, onFailure: (error: unknown) => void): boolean => {
  try {
    if (!isAt(part, matcher, facts)) return false
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
  let tries = triesFrom(matchers, 0, partsFrom(root).slice(1))
  for (let i = 0; i < tries.length; i++) {
    const [place, parts] = tries[i]!
    const matcher = matchers[place]!
    let changed = false
    for (const part of parts) {
      if (isStep(count++)) yield
      if (!mayBegin(part, matcher)) continue
      if (tryAt(matcher, part, facts, (error) => onFailure(matcher, error))) changed = true
    }
    if (!changed) continue
    tries = triesFrom(matchers, place + 1, partsFrom(root).slice(1))
    i = -1
  }
}
