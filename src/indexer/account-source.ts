import type { Clock } from '../common/clock.ts'
import { isTonlithError, TonlithError } from '../common/errors.ts'
import { getAccountState } from '../liteserver/client.ts'
import { isMomentary, isNotApplied } from '../liteserver/failures.ts'
import type { Pool } from '../liteserver/pool.ts'
import type { Query } from '../liteserver/query.ts'
import type { Trust } from '../liteserver/trust.ts'
import type { Address } from '../ton/address.ts'
import { rawAddress } from '../ton/address.ts'
import type { BlockIdExt } from '../ton/block-id.ts'
import { parseBocRoot } from '../ton/boc.ts'
import type { Cell } from '../ton/cell.ts'
import type { ProvenAccount } from '../ton/proof/account.ts'

/** An account (TL-B Account) whole, as a masterchain block has it; null where no server has that state any more. */
export type FetchAccount = (address: Address, masterchain: BlockIdExt, state_hash: Buffer) => Promise<Cell | null>

export interface AccountSourceOptions {
  /** The pool to ask, looked up anew for every try. */
  pool(): Pick<Pool, 'run' | 'status'>
  clock: Clock
  signal: AbortSignal
}

/** An account (its proof checked) as a masterchain block has it; null where no server has that state any more. */
export type FetchEntry = (address: Address, masterchain: BlockIdExt) => Promise<ProvenAccount | null>

/** One server may say so by mistake, and those that know better may be away for a moment. */
const ROUNDS = 3
const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 2_000

/** True for what a liteserver says about a state that it has thrown away. */
const isGone = (error: unknown): boolean =>
  isTonlithError(error, 'liteserver') && /gc'd|state|not in db|not found/i.test(error.message)

/** What a server answers; null when every server that is online denies it. Throws when some could not tell. */
const askServers = async <T>(
  { pool, signal }: Pick<AccountSourceOptions, 'pool' | 'signal'>,
  masterchain: BlockIdExt,
  ask: (query: Query) => Promise<T>,
  isDenial: (error: unknown) => boolean = isGone,
): Promise<T | null> => {
  const deniers = new Set<string>()
  const { run, status } = pool()
  try {
    return await run(
      async (query, { name }) => {
        try {
          return await ask(query)
        } catch (error) {
          if (isDenial(error)) deniers.add(name)
          throw error
        }
      },
      { signal, minSeqno: masterchain.seqno, everyServer: true },
    )
  } catch (error) {
    const online = status().filter(({ state }) => state === 'online')
    if (online.length > 0 && online.every(({ name }) => deniers.has(name))) return null
    throw error
  }
}

/** Asks until there is an answer, or it was null so many times in a row. Rejects when `signal` ends it. */
const untilTold = async <T>(
  { clock, signal }: Pick<AccountSourceOptions, 'clock' | 'signal'>,
  rounds: number,
  ask: () => Promise<T | null>,
): Promise<T | null> => {
  let denied = 0
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    try {
      const answer = await ask()
      if (answer || ++denied === rounds) return answer
    } catch (error) {
      if (signal.aborted || !isTonlithError(error)) throw error
      denied = 0
    }
    await clock.sleep(pause, signal)
  }
}

/** True for what a liteserver says about an account or a state, and not about its own moment. */
const isRefusal = (error: unknown): boolean =>
  isTonlithError(error, 'liteserver') && !isMomentary(error) && !isNotApplied(error)

const idOf = ({ workchain, hash }: Address) => ({ workchain, id: hash })

/**
 * Accounts of which no block tells the hash, proven by the masterchain block. Anybody can name an account that servers refuse
 * to tell of, so whatever all of them refuse counts as gone; one that is busy refuses nothing. Rejects when `signal` ends it.
 */
export const createEntrySource = (
  options: AccountSourceOptions & { trust: Pick<Trust, 'checkAccountState'> },
): FetchEntry => {
  const { trust } = options
  const ask = (address: Address, masterchain: BlockIdExt) => async (query: Query) => {
    const request = { id: masterchain, account: idOf(address) }
    return trust.checkAccountState(await getAccountState(query, masterchain, request.account), request)
  }
  return (address, masterchain) =>
    untilTold(options, 1, () => askServers(options, masterchain, ask(address, masterchain), isRefusal))
}

/**
 * Accounts from liteservers, checked by the hash that the block has of them. A state counts as gone when each server that
 * is online says so, three times in a row; until then it is asked for again. Rejects when `signal` ends it.
 */
export const createAccountSource =
  (options: AccountSourceOptions): FetchAccount =>
  (address, masterchain, state_hash) =>
    untilTold(options, ROUNDS, () =>
      askServers(options, masterchain, async (query) => {
        const cell = parseBocRoot((await getAccountState(query, masterchain, idOf(address))).state)
        if (cell.hash().equals(state_hash)) return cell
        throw new TonlithError('proof', `account ${rawAddress(address)} has another state`)
      }),
    )
