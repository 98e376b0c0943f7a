import type { Clock } from '../common/clock.ts'
import { isTonlithError, TonlithError } from '../common/errors.ts'
import { type BlockIdExt, MASTERCHAIN, SHARD_ALL } from '../ton/block-id.ts'
import { getMasterchainInfoExt } from './client.ts'
import type { Query } from './query.ts'

/** The last masterchain block that a server has. */
export interface Head {
  id: BlockIdExt
  /** The block's own time, unix seconds. */
  utime: number
  state_root_hash: Buffer
}

export interface FollowOptions {
  query: Query
  clock: Clock
  /** What the server must name as its zero state; undefined accepts every network. */
  zeroState: BlockIdExt | undefined
  /** Takes each new head. A failure that is not the server's word against the truth is asked about again. */
  accept(head: Head): Promise<void>
  signal: AbortSignal
}

const LONG_POLL_MS = 10_000
const ANSWER_SLACK_MS = 5_000
/** A server that does not keep us waiting is asked no more often than this. */
const MIN_POLL_MS = 500

type Info = Awaited<ReturnType<typeof getMasterchainInfoExt>>

/** The head in an answer. Throws `invalid` for a server of another network, `proof` for a block that can be no head. */
export const headOf = (info: Info, zeroState: BlockIdExt | undefined): Head => {
  const { last, init } = info
  if (zeroState && !(init.root_hash.equals(zeroState.root_hash) && init.file_hash.equals(zeroState.file_hash)))
    throw new TonlithError('invalid', 'serves another network: its zero state is not the one of the global config')
  if (last.workchain !== MASTERCHAIN || last.shard !== SHARD_ALL)
    throw new TonlithError('proof', 'the last block is not of the masterchain')
  return { id: last, utime: info.last_utime >>> 0, state_root_hash: info.state_root_hash }
}

/** The head after `seqno`, as soon as the server has it; undefined when it says that there is none (code 652) or cannot tell. */
const nextInfo = async (query: Query, seqno: number): Promise<Info | undefined> => {
  try {
    return await getMasterchainInfoExt(query, {
      wait: { seqno: seqno + 1, timeout_ms: LONG_POLL_MS },
      timeoutMs: LONG_POLL_MS + ANSWER_SLACK_MS,
    })
  } catch (error) {
    if (isTonlithError(error, 'liteserver')) return undefined
    throw error
  }
}

const isWorthAnotherTry = (error: unknown): boolean =>
  isTonlithError(error, 'liteserver') || isTonlithError(error, 'timeout') || isTonlithError(error, 'unavailable')

/**
 * Follows one server's head by long-poll: each question waits at the server until there is a newer block. Ends by
 * throwing: what broke the connection, `proof` or `malformed` for a lie, `invalid` for another network.
 */
export const followHead = async ({ query, clock, zeroState, accept, signal }: FollowOptions): Promise<never> => {
  let known = -1
  for (let info: Info | undefined = await getMasterchainInfoExt(query); ; ) {
    if (signal.aborted) throw new TonlithError('unavailable', 'stopped')
    const seqno = info?.last.seqno ?? known
    if (info && seqno !== known) {
      const head = headOf(info, zeroState)
      try {
        await accept(head)
        known = seqno
      } catch (error) {
        if (!isWorthAnotherTry(error)) throw error
      }
    }
    const askedAt = clock.monotonic()
    info = await nextInfo(query, Math.max(known, 0))
    const spent = clock.monotonic() - askedAt
    if ((!info || info.last.seqno <= known || known !== seqno) && spent < MIN_POLL_MS)
      await clock.sleep(MIN_POLL_MS - spent, signal)
  }
}
