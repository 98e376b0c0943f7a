import { sentLt } from './node.ts'
import { type Part, spanOf, type Told } from './part.ts'

const bySending = (a: Part['nodes'][number], b: Part['nodes'][number]): number => {
  const [x, y] = [sentLt(a), sentLt(b)]
  return x < y ? -1 : x > y ? 1 : 0
}

/** The parts that no other one of them leads to. */
const headsOf = (parts: ReadonlySet<Part>): Part[] =>
  [...parts].filter(({ previous }) => previous === null || !parts.has(previous))

/** What comes behind the parts, nearest first. */
const behind = (heads: readonly Part[], parts: ReadonlySet<Part>): Part[] => {
  const next: Part[] = []
  const queue = heads.flatMap((head) => head.next)
  for (let i = 0; i < queue.length; i++) {
    const part = queue[i]!
    if (parts.has(part)) queue.push(...part.next)
    else next.push(part)
  }
  return next
}

/**
 * Makes one part of several that hang together: each but the first follows another one of them; or all that do not, follow
 * the same part. It takes the place of the first. Undefined where they do not hang together or belong to another part.
 */
export const merge = (pieces: Iterable<Part>, told: Told): Part | undefined => {
  const parts = new Set(pieces)
  const heads = headsOf(parts)
  const head = heads[0]
  if (!head || [...parts].some(({ whole }) => whole !== null)) return undefined
  if (heads.some(({ previous }) => previous !== head.previous || previous === null)) return undefined
  const nodes = [...parts].flatMap((part) => part.nodes).sort(bySending)
  const whole: Part = {
    ...told,
    nodes,
    pieces: [...parts],
    whole: null,
    previous: head.previous,
    next: behind(heads, parts),
    opcode: null,
    initiator: head.initiator,
    ...spanOf(nodes),
  }
  for (const part of parts) part.whole = whole
  for (const part of whole.next) part.previous = whole
  const above = head.previous!
  above.next[above.next.indexOf(head)] = whole
  if (heads.length > 1) above.next = above.next.filter((part) => !parts.has(part))
  return whole
}
