import type { AccountKind, Facts } from '../../model/known-account.ts'
import type { Part, Told } from './part.ts'
import type { Match, PartPattern } from './pattern.ts'

/** What a matcher made: one part of several, or what one part turned out to be. */
export interface Made extends Told {
  /** What it is made of; all that the pattern found, when not given. */
  of?: readonly Part[]
  /** Parts that belong to it beside those. */
  with?: readonly Part[]
}

/** At which parts of a trace a matcher can begin: those of which one of these is true. */
export interface Beginning {
  /** A message that was not merged yet, with one of these opcodes. */
  opcodes?: readonly number[]
  /** A part that was told to be one of these. */
  btypes?: readonly string[]
  /** A transfer of TON with one of these comments. */
  comments?: readonly string[]
  /** A part with a message that made its account. */
  deployments?: boolean
}

/** Finds one kind of action in a trace. */
export interface Matcher {
  /** Unique; for messages. */
  name: string
  /** Where it begins. */
  pattern: PartPattern
  /** What keeps it from being tried in vain; the opcodes or btypes of the pattern, where this is not given. */
  begins?: Beginning
  /** It begins only at messages to accounts that are one of these. */
  at?: readonly AccountKind[]
  /** It begins at messages to the outside, and only at those. */
  isEvent?: boolean
  /**
   * What was found: one part, several that share no piece, or nothing after all. May throw on anything unexpected, which
   * counts as nothing. Must not change the parts.
   */
  build(start: Part, match: Match, facts: Facts): Made | readonly Made[] | undefined
}
