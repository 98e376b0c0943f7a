import type { Facts } from '../../model/known-account.ts'
import { calls, isCall, type Part } from './part.ts'

/** What is left of what was sent along, given back (TEP-74 and others). */
export const EXCESS = 0xd53276db
const BOUNCE = 0xffffffff

type Test = (part: Part, facts: Facts) => boolean

/** What else belongs to a part that fits, and how much of it must be there. */
export interface Surroundings {
  /** The name under which the part is found in the match. */
  as?: string
  /** Whoever asks for this pattern is content without it. */
  optional?: boolean
  /** Every part right behind that fits belongs to it; one at least must, unless the pattern is optional. */
  child?: Pattern
  /** Each must fit a part of its own right behind, in this order; the optional ones need not. */
  children?: readonly Pattern[]
  /** The part right before. */
  parent?: Pattern
  /** Without the excesses and bounces right behind it. */
  bare?: boolean
}

/** What a part must be, and what must be around it. */
export interface PartPattern extends Surroundings {
  /** Opcodes, of a message that was not merged yet. */
  opcodes?: readonly number[]
  /** What it was told to be. */
  btypes?: readonly string[]
  test?: Test
}

/** The first of the patterns that fits. */
export interface OneOf {
  oneOf: readonly Pattern[]
  optional?: boolean
}

export type Pattern = PartPattern | OneOf

/** A message with one of these opcodes (not one without: that is a transfer of TON). */
export const call = (opcodes: number | readonly number[], around: Surroundings = {}): PartPattern => ({
  ...around,
  opcodes: typeof opcodes === 'number' ? [opcodes] : opcodes,
})

/** A part that is told to be one of these. */
export const kind = (btypes: string | readonly string[], around: Surroundings = {}): PartPattern => ({
  ...around,
  btypes: typeof btypes === 'string' ? [btypes] : btypes,
})

/** A part for which the test holds. */
export const where = (test: Test, around: Surroundings = {}): PartPattern => ({ ...around, test })

/** The same pattern, for a part for which the test holds as well. */
export const only = (pattern: PartPattern, test: Test): PartPattern => ({ ...pattern, test })

/** The first of the patterns that fits. */
export const oneOf = (...patterns: Pattern[]): OneOf => ({ oneOf: patterns })

/** The same pattern, without which whoever asks for it is content. */
export const maybe = <P extends Pattern>(pattern: P): P => ({ ...pattern, optional: true })

/** Every part that fitted, the first one too, and the names that patterns gave them. */
export interface Match {
  parts: Part[]
  /** All parts of a name, in the order of their messages as far as they were found so. */
  all(name: string): Part[]
  /** The first part of a name. */
  one(name: string): Part | undefined
}

type Found = { part: Part; as: string | undefined }[]

const fits = (pattern: PartPattern, part: Part, facts: Facts): boolean =>
  (pattern.opcodes === undefined || calls(part, ...pattern.opcodes)) &&
  (pattern.btypes === undefined || pattern.btypes.includes(part.btype)) &&
  (pattern.test === undefined || pattern.test(part, facts))

const isAppended = (part: Part): boolean => isCall(part) && (part.opcode === EXCESS || part.opcode === BOUNCE)

/** The excesses and bounces right behind a part. */
export const appendedTo = (part: Part): Part[] => part.next.filter(isAppended)

const findChildren = (patterns: readonly Pattern[], part: Part, facts: Facts): Found | undefined => {
  const left = [...part.next]
  const found: Found = []
  for (const pattern of patterns) {
    const at = left.findIndex((child) => {
      const match = find(pattern, child, facts)
      if (match) found.push(...match)
      return match !== undefined
    })
    if (at >= 0) left.splice(at, 1)
    else if (!pattern.optional) return undefined
  }
  return found
}

const findAround = (pattern: PartPattern, part: Part, facts: Facts): Found | undefined => {
  const found: Found = []
  if (pattern.child) {
    for (const next of part.next) found.push(...(find(pattern.child, next, facts) ?? []))
    if (found.length === 0 && !pattern.child.optional) return undefined
  }
  if (pattern.children) {
    const children = findChildren(pattern.children, part, facts)
    if (!children) return undefined
    found.push(...children)
  }
  if (pattern.parent) {
    const parent = part.previous ? find(pattern.parent, part.previous, facts) : undefined
    if (!parent && !pattern.parent.optional) return undefined
    found.push(...(parent ?? []))
  }
  return found
}

/** Depth is that of the pattern, not of the trace. */
const find = (pattern: Pattern, part: Part, facts: Facts): Found | undefined => {
  if ('oneOf' in pattern) {
    for (const one of pattern.oneOf) {
      const found = find(one, part, facts)
      if (found) return found
    }
    return undefined
  }
  if (!fits(pattern, part, facts)) return undefined
  const around = findAround(pattern, part, facts)
  if (!around) return undefined
  const appended = pattern.bare ? [] : appendedTo(part).map((next) => ({ part: next, as: undefined }))
  return [{ part, as: pattern.as }, ...around, ...appended]
}

/** What a pattern finds at a part; undefined where it does not fit. */
export const matchAt = (pattern: Pattern, part: Part, facts: Facts): Match | undefined => {
  const found = find(pattern, part, facts)
  if (!found) return undefined
  const all = (name: string): Part[] => found.filter(({ as }) => as === name).map((one) => one.part)
  return { parts: [...new Set(found.map((one) => one.part))], all, one: (name) => all(name)[0] }
}
