import type { Clock } from '../common/clock.ts'
import { isTonlithError } from '../common/errors.ts'
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

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 5_000

/** Blocks from liteservers: whichever of them has the right bytes. */
export const createBlockSource = ({ pool, masterchainId, clock }: BlockSourceOptions): BlockSource => {
  const missing = new Map<string, string>()

  const insist = async <T>(what: string, signal: AbortSignal, ask: () => Promise<T>): Promise<T> => {
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      try {
        const found = await ask()
        missing.delete(what)
        return found
      } catch (error) {
        if (signal.aborted || !isTonlithError(error)) {
          missing.delete(what)
          throw error
        }
        missing.set(what, error.message)
        await clock.sleep(pause, signal)
      }
    }
  }

  return {
    masterchainId: (seqno, signal) => insist(`masterchain block ${seqno}`, signal, () => masterchainId(seqno, signal)),
    block: (id, signal) =>
      insist(`block ${blockIdText(id)}`, signal, () =>
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
