import type { Clock } from '../common/clock.ts'
import { isTonlithError, TonlithError } from '../common/errors.ts'
import { getAccountState } from '../liteserver/client.ts'
import type { Pool } from '../liteserver/pool.ts'
import type { Address } from '../ton/address.ts'
import { rawAddress } from '../ton/address.ts'
import type { BlockIdExt } from '../ton/block-id.ts'
import { parseBocRoot } from '../ton/boc.ts'
import type { Cell } from '../ton/cell.ts'

/** An account (TL-B Account) whole, as a masterchain block has it; null where no server has that state any more. */
export type FetchAccount = (address: Address, masterchain: BlockIdExt, state_hash: Buffer) => Promise<Cell | null>

export interface AccountSourceOptions {
  /** The pool to ask, looked up anew for every try. */
  pool(): Pick<Pool, 'run' | 'status'>
  clock: Clock
  signal: AbortSignal
}

/** One server may say so by mistake, and those that know better may be away for a moment. */
const ROUNDS = 3
const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 5_000

/** True for what a liteserver says about a state that it has thrown away. */
const isGone = (error: unknown): boolean =>
  isTonlithError(error, 'liteserver') && /gc'd|state|not in db|not found/i.test(error.message)

/**
 * Accounts from liteservers, checked by the hash that the block has of them. A state counts as gone when each server that
 * is online says so, three times in a row; until then it is asked for again. Rejects when `signal` ends it.
 */
export const createAccountSource = ({ pool, clock, signal }: AccountSourceOptions): FetchAccount => {
  /** The state; null when every server that is online says that it is gone. Throws when some could not tell. */
  const ask = async (address: Address, masterchain: BlockIdExt, state_hash: Buffer): Promise<Cell | null> => {
    const deniers = new Set<string>()
    const { run, status } = pool()
    try {
      return await run(
        async (query, { name }) => {
          try {
            const account = { workchain: address.workchain, id: address.hash }
            const cell = parseBocRoot((await getAccountState(query, masterchain, account)).state)
            if (cell.hash().equals(state_hash)) return cell
          } catch (error) {
            if (isGone(error)) deniers.add(name)
            throw error
          }
          throw new TonlithError('proof', `account ${rawAddress(address)} has another state`)
        },
        { signal, minSeqno: masterchain.seqno, everyServer: true },
      )
    } catch (error) {
      const online = status().filter(({ state }) => state === 'online')
      if (online.length > 0 && online.every(({ name }) => deniers.has(name))) return null
      throw error
    }
  }

  return async (address, masterchain, state_hash) => {
    let denied = 0
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      try {
        const cell = await ask(address, masterchain, state_hash)
        if (cell || ++denied === ROUNDS) return cell
      } catch (error) {
        if (signal.aborted || !isTonlithError(error)) throw error
        denied = 0
      }
      await clock.sleep(pause, signal)
    }
  }
}
