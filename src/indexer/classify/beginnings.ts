import { readComment } from '../../contracts/comment.ts'
import type { TraceMessage } from '../../model/trace.ts'
import type { Address } from '../../ton/address.ts'
import type { Cell } from '../../ton/cell.ts'
import { isTransfer } from './basic.ts'
import type { Beginning, Matcher } from './family.ts'
import { isDeployment } from './node.ts'
import { detailsOf, isCall, type Part } from './part.ts'

type Places<K> = ReadonlyMap<K, readonly number[]>

/** Matchers (by their places) by what the part must be where they begin. */
interface Beginnings {
  opcodes: Places<number>
  btypes: Places<string>
  comments: Places<string>
  deployments: readonly number[]
  /** Those that ask for nothing of this. */
  others: readonly number[]
  /** The comments in UTF-8. */
  words: readonly Buffer[]
  /** What an account is at which some begin at any transfer of TON; undefined where some do so at every account. */
  transfersTo: ReadonlySet<string> | undefined
}

const append = <K>(lists: Map<K, number[]>, keys: readonly K[] | undefined, place: number): void => {
  for (const key of keys ?? []) {
    const list = lists.get(key)
    if (!list) lists.set(key, [place])
    else if (list.at(-1) !== place) list.push(place)
  }
}

const beginningOf = ({ begins, pattern: { opcodes, btypes } }: Matcher): Beginning | undefined =>
  begins ?? (opcodes ? { opcodes } : btypes ? { btypes } : undefined)

/** What the accounts are at which the matchers begin; undefined where one of them does not care. */
const kindsAsked = (matchers: readonly Matcher[]): Set<string> | undefined =>
  matchers.every(({ at }) => at) ? new Set(matchers.flatMap(({ at = [] }) => at)) : undefined

const beginningsOf = (matchers: readonly Matcher[]): Beginnings => {
  const opcodes = new Map<number, number[]>()
  const btypes = new Map<string, number[]>()
  const comments = new Map<string, number[]>()
  const deployments: number[] = []
  const others: number[] = []
  matchers.forEach((matcher, place) => {
    const beginning = beginningOf(matcher)
    append(opcodes, beginning?.opcodes, place)
    append(btypes, beginning?.btypes, place)
    append(comments, beginning?.comments, place)
    if (beginning?.deployments) deployments.push(place)
    if (!beginning) others.push(place)
  })
  const words = Array.from(comments.keys(), (comment) => Buffer.from(comment))
  const transfersTo = kindsAsked((btypes.get('ton_transfer') ?? []).map((place) => matchers[place]!))
  return { opcodes, btypes, comments, deployments, others, words, transfersTo }
}

const known = new WeakMap<readonly Matcher[], Beginnings>()

const beginningsFor = (matchers: readonly Matcher[]): Beginnings => {
  const found = known.get(matchers)
  if (found) return found
  const made = beginningsOf(matchers)
  known.set(matchers, made)
  return made
}

const NONE: readonly number[] = []

/** A matcher with the parts at which it is worth a try. */
export type Try = readonly [place: number, parts: readonly Part[]]

/**
 * The matchers from a place on that can begin at any of the parts, in their order, each with these parts in theirs. What
 * else a pattern asks for is not looked at.
 */
export const triesFrom = (matchers: readonly Matcher[], first: number, parts: readonly Part[]): Try[] => {
  const { opcodes, btypes, comments, deployments, others } = beginningsFor(matchers)
  const mayDeploy = deployments.some((place) => place >= first)
  const tries = new Map<number, Part[]>()
  const add = (places: readonly number[] = NONE, part: Part): void => {
    for (const place of places) {
      if (place < first) continue
      const some = tries.get(place)
      if (!some) tries.set(place, [part])
      else if (some.at(-1) !== part) some.push(part)
    }
  }
  for (const part of parts) {
    if (part.opcode !== null && isCall(part)) add(opcodes.get(part.opcode), part)
    add(btypes.get(part.btype), part)
    const comment = detailsOf(part, 'ton_transfer')?.comment
    if (comment) add(comments.get(comment), part)
    if (mayDeploy && part.nodes.some(isDeployment)) add(deployments, part)
    add(others, part)
  }
  return [...tries].sort(([a], [b]) => a - b)
}

/** Tells what an account is. */
export type KindsOf = (address: Address) => readonly string[]

/** A message of which no matcher can tell anything as long as it is not merged with others. */
export type PlainMessage = Pick<
  TraceMessage,
  'kind' | 'hash' | 'source' | 'destination' | 'created_lt' | 'opcode' | 'body'
>

const OPCODE_BYTES = 4
const ASCII_END = 0x80

/**
 * False where a body with the opcode of a comment says something else, as its first cell tells of most. Of zeros, which are
 * no part of a comment, and of what is no ASCII it tells nothing.
 */
const maySay = (word: Buffer, { bytes, start, bits }: Cell): boolean => {
  const end = bits >> 3
  for (let i = OPCODE_BYTES; i < end; i++) {
    const byte = bytes[start + i]!
    if (byte === 0 || byte >= ASCII_END) return true
    if (byte !== word[i - OPCODE_BYTES]) return false
  }
  return true
}

/** Whether the comment of a message is one of those at which matchers begin. */
const saysOneOf = ({ comments, words }: Beginnings, { opcode, body }: PlainMessage): boolean => {
  if (opcode === null || (opcode === 0 && !words.some((word) => maySay(word, body)))) return false
  const comment = readComment(body)?.text
  return comment !== undefined && comments.has(comment)
}

/**
 * False where none of the matchers can begin at a message that made no account, as long as it was not merged with others;
 * true where some perhaps can.
 */
export const mayBeginAt = (matchers: readonly Matcher[], message: PlainMessage, kindsOf: KindsOf): boolean => {
  const beginnings = beginningsFor(matchers)
  const { opcodes, btypes, others, transfersTo } = beginnings
  if (others.length > 0) return true
  const { opcode, destination } = message
  if (!isTransfer(message)) return (opcode !== null && opcodes.has(opcode)) || btypes.has('call_contract')
  if (!transfersTo || saysOneOf(beginnings, message)) return true
  return transfersTo.size > 0 && destination !== null && kindsOf(destination).some((kind) => transfersTo.has(kind))
}
