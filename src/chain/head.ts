import { TonlithError } from '../common/errors.ts'
import type { Head } from '../liteserver/head.ts'
import type { Chain } from './chain.ts'

/** The head is given for so long after the last liteserver went: a restart is over by then. */
const FRESH_MS = 15_000

/**
 * The newest masterchain block, as the liteservers' long polls told it: asks nobody. Throws `unavailable` when there is
 * none, and when it is old and no liteserver is there that could tell a newer one.
 */
export const headOf = ({ pool }: Chain): Head => {
  const head = pool.head()
  const isFresh = (pool.headAgeMs() ?? 0) < FRESH_MS
  if (!head || (!isFresh && !pool.status().some(({ state }) => state === 'online')))
    throw new TonlithError('unavailable', 'no liteserver is available')
  return head
}

/**
 * The same, as a block that can be read at. Throws also `unsupported` when there is only the zero state: a network that has
 * just been made has its first block a moment later.
 */
export const headBlock = (chain: Chain): Head => {
  const head = headOf(chain)
  if (head.id.seqno === 0) throw new TonlithError('unsupported', 'the network has no block yet', { code: 503 })
  return head
}

/**
 * The highest masterchain seqno that more than half of the living liteservers have; the head's while all of them are
 * gone for a moment. Throws `unavailable`.
 */
export const consensusSeqno = (chain: Chain): number => {
  const seqnos = chain.pool
    .status()
    .flatMap(({ state, seqno }) => (state === 'online' && seqno !== undefined ? [seqno] : []))
    .sort((a, b) => b - a)
  return seqnos[Math.floor(seqnos.length / 2)] ?? headOf(chain).id.seqno
}
