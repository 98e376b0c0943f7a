import type { Facts } from '../../model/known-account.ts'
import type { Part, Told } from './part.ts'
import type { Match, PartPattern } from './pattern.ts'

/** What a matcher made: one part of several, or what one part turned out to be. */
export interface Made extends Told {
  /** What it is made of; all that the pattern found, when not given. */
  of?: readonly Part[]
  /** Parts that belong to it beside those. */
  with?: readonly Part[]
}

/** Finds one kind of action in a trace. */
export interface Matcher {
  /** Unique; for messages. */
  name: string
  /** Where it begins. Its opcodes or btypes keep the matcher from being tried in vain. */
  pattern: PartPattern
  /** It begins at messages to the outside, and only at those. */
  isEvent?: boolean
  /**
   * What was found: one part, several that share no piece, or nothing after all. May throw on anything unexpected, which
   * counts as nothing. Must not change the parts.
   */
  build(start: Part, match: Match, facts: Facts): Made | readonly Made[] | undefined
}
