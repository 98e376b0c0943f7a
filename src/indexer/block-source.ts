import type { Clock } from '../common/clock.ts'
import { insist } from '../common/insist.ts'
import { getBlock } from '../liteserver/client.ts'
import type { Pool } from '../liteserver/pool.ts'
import { type BlockIdExt, blockIdText } from '../ton/block-id.ts'
import { type OpenedBlock, openBlock } from './opened-block.ts'

/** A block as it came over the wire, checked against its id. */
export interface FetchedBlock extends OpenedBlock {
  /** Length of the block's BoC. */
  bytes: number
}

/** Where blocks come from. Nothing is given up: a block that cannot be had now is asked for until `signal` ends it. */
export interface BlockSource {
  /** The id of the masterchain block with this seqno, proven by the trusted head. */
  masterchainId(seqno: number, signal: AbortSignal): Promise<BlockIdExt>
  /** The block with this id. */
  block(id: BlockIdExt, signal: AbortSignal): Promise<FetchedBlock>
  /** What cannot be had at the moment, and why; the one that is missing longest first. */
  troubles(): readonly string[]
}

export interface BlockSourceOptions {
  /** The pool to ask; looked up anew for every try, as a pool that is stuck is replaced. */
  pool(): Pick<Pool, 'run'>
  /** Asks for the proven id of a masterchain block, once. */
  masterchainId(seqno: number, signal: AbortSignal): Promise<BlockIdExt>
  clock: Clock
}

const PAUSES = { firstPauseMs: 100, longestPauseMs: 1_000 }

/** Blocks from liteservers: whichever of them has the right bytes. */
export const createBlockSource = ({ pool, masterchainId, clock }: BlockSourceOptions): BlockSource => {
  const missing = new Map<string, string>()

  const insisted = async <T>(what: string, signal: AbortSignal, ask: () => Promise<T>): Promise<T> => {
    const failed = ({ message }: Error): boolean => {
      missing.set(what, message)
      return true
    }
    try {
      return await insist(ask, { clock, signal, ...PAUSES, failed })
    } finally {
      missing.delete(what)
    }
  }

  return {
    masterchainId: (seqno, signal) =>
      insisted(`masterchain block ${seqno}`, signal, () => masterchainId(seqno, signal)),
    block: (id, signal) =>
      insisted(`block ${blockIdText(id)}`, signal, () =>
        pool().run(
          async (query) => {
            const { data } = await getBlock(query, id)
            return { ...openBlock(id, data), bytes: data.length }
          },
          { signal, everyServer: true },
        ),
      ),
    troubles: () => Array.from(missing, ([what, why]) => `${what}: ${why}`),
  }
}
