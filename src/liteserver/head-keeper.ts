import type { Clock } from '../common/clock.ts'
import { sameBlock } from '../ton/block-id.ts'
import type { Head } from './head.ts'
import type { Query } from './query.ts'

/** Checks that a head is a block of the network's masterchain, with questions to the server that named it. */
export type VerifyHead = (query: Query, head: Head) => Promise<void>

/** The newest head that was accepted, whoever told it. */
export interface HeadKeeper {
  readonly head: Head | undefined
  /** Milliseconds, monotonic, since the head last moved; undefined before the first one. */
  readonly movedAt: number | undefined
  /**
   * Takes a server's head. One that is newer than all before is verified, once, whoever else names it meanwhile; so is
   * another block than the one that was accepted at this height, which changes nothing. Throws what the check throws.
   */
  accept(head: Head, query: Query): Promise<void>
}

/** How long a server's head waits for the check that another server's word of the same head is under. */
const SHARE_MS = 1_000

export const createHeadKeeper = (
  clock: Clock,
  verify: VerifyHead | undefined,
  moved: (head: Head) => void,
): HeadKeeper => {
  const checks = new Map<string, Promise<void>>()
  let best: Head | undefined
  let movedAt: number | undefined

  const isKnown = ({ id }: Head): boolean => best !== undefined && (id.seqno < best.id.seqno || sameBlock(id, best.id))

  const check = async (head: Head, query: Query): Promise<void> => {
    if (!verify) return
    const key = `${head.id.seqno}:${head.id.root_hash.toString('hex')}:${head.id.file_hash.toString('hex')}`
    const others = checks.get(key)
    if (others) {
      const enough = new AbortController()
      await Promise.race([others.catch(() => {}), clock.sleep(SHARE_MS, enough.signal)])
      enough.abort()
      if (isKnown(head)) return
    }
    const mine = verify(query, head)
    checks.set(key, mine)
    try {
      await mine
    } finally {
      if (checks.get(key) === mine) checks.delete(key)
    }
  }

  return {
    get head() {
      return best
    },
    get movedAt() {
      return movedAt
    },
    accept: async (head, query) => {
      if (isKnown(head)) return
      await check(head, query)
      if (best && head.id.seqno <= best.id.seqno) return
      best = head
      movedAt = clock.monotonic()
      moved(head)
    },
  }
}
