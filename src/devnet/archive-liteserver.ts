import { TonlithError } from '../common/errors.ts'
import type { Chain } from './chain.ts'
import { createHead } from './head.ts'
import { createLiteserver, type Liteserver, type LiteserverOptions } from './liteserver-server.ts'

export interface ArchiveOptions extends Omit<LiteserverOptions, 'chain' | 'head'> {
  archive: Chain
  /** Masterchain block to stand at first; the last one of the archive by default. */
  head?: number
  /** Moves the head on by one masterchain block every so many milliseconds. */
  replayMs?: number
}

export interface ArchiveLiteserver extends Liteserver {
  /** Seqno of the masterchain block that it stands at. */
  head(): number
  /** Moves to another block of the archive. Throws `invalid` when the archive does not have it. */
  setHead(seqno: number): void
}

/**
 * Starts the liteserver of an archive: it stands at one of its blocks, and may go on over those behind it, also over those
 * that are added meanwhile.
 * Rejects with `invalid` when the head is not in the archive or the address cannot be listened on.
 */
export const createArchiveLiteserver = async (options: ArchiveOptions): Promise<ArchiveLiteserver> => {
  const { archive, head: start, replayMs, ...rest } = options
  const check = (seqno: number): number => {
    if (!archive.masterchain(seqno)) throw new TonlithError('invalid', `the archive has blocks 1 to ${archive.last}`)
    return seqno
  }
  const head = createHead(check(start ?? archive.last))
  const server = await createLiteserver({ ...rest, chain: archive, head })
  const replay =
    replayMs === undefined
      ? undefined
      : setInterval(() => {
          if (head.seqno < archive.last) head.set(head.seqno + 1)
        }, replayMs)
  return {
    ...server,
    head: () => head.seqno,
    setHead: (seqno) => head.set(check(seqno)),
    stop: () => {
      clearInterval(replay)
      head.close()
      return server.stop()
    },
  }
}
