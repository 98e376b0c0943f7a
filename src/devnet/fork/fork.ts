import { LRUCache } from 'lru-cache'
import { isTonlithError } from '../../common/errors.ts'
import type { Logger } from '../../common/logger.ts'
import { type Address, rawAddress } from '../../ton/address.ts'
import { MASTERCHAIN } from '../../ton/block-id.ts'
import type { AccountImport } from '../collate/collation.ts'
import { type ForeignAccount, readForeignAccount } from './foreign-account.ts'
import type { RemoteNetwork } from './remote-network.ts'

/** What a fork sees of the chain as it stands behind its newest blocks. */
export interface ForkedChain {
  hasAccount(address: Address): boolean
  /** True for a public library of the masterchain. */
  hasLibrary(hash: Buffer): boolean
  /** True for an account that the chain had and deleted. */
  isGone(address: Address): boolean
}

export interface ForkOptions {
  remote: RemoteNetwork
  chain: ForkedChain
  /** Unix seconds of the chain. */
  now(): number
  signal: AbortSignal
  logger: Logger
  /** Milliseconds that the remote network has for an account. */
  patienceMs?: number
}

/** Takes accounts that the chain does not have in from another network, when they are first asked for. */
export interface Fork {
  /**
   * True for an account that the chain lacks, as long as it may still come: the other network is asked then. False for
   * one that does not exist there, that this chain has deleted, or that could not be had in time.
   */
  awaits(address: Address): boolean
  /** Resolves when the chain has the account, or when nobody waits for it any more. Never rejects. */
  arrival(address: Address): Promise<void>
  /** What the next step is to put in: an account comes a step behind the libraries that it needs. */
  imports(): AccountImport[]
  /** Resolves when no question to the other network is open. */
  answered(): Promise<void>
  /** To be told after each step. */
  made(): void
}

interface Wanted {
  address: Address
  /** Undefined while the other network is asked. */
  found?: ForeignAccount
  /** Steps that were to put it in. */
  tries: number
  /** Ends with the question to the other network; `done` when nobody has to wait any more. */
  asked: Promise<void>
  done: Promise<void>
  finish(): void
}

const PATIENCE_MS = 5_000
/** Accounts that are under way at the same time. */
const MAX_WANTED = 256
/** Of one step. */
const MAX_IMPORTS = 64
/** A shard that is being split takes no account: more steps than that are needed for no account. */
const MAX_TRIES = 8
/** Accounts that the other network does not have are not asked for again; those that it did not tell of, a while later. */
const REMEMBERED = 100_000
const FAILED_MS = 15_000

/** True for an account of a workchain that both networks have. */
export const isForeign = ({ workchain }: Address): boolean => workchain === 0 || workchain === MASTERCHAIN

export const createFork = (options: ForkOptions): Fork => {
  const { remote, chain, now, signal, logger, patienceMs = PATIENCE_MS } = options
  const wanted = new Map<string, Wanted>()
  const absent = new LRUCache<string, true>({ max: REMEMBERED })
  const failed = new LRUCache<string, true>({ max: REMEMBERED, ttl: FAILED_MS })

  const finish = (key: string): void => {
    wanted.get(key)?.finish()
    wanted.delete(key)
  }

  const giveUp = (key: string, err: unknown): void => {
    const refused = isTonlithError(err, 'invalid')
    if (refused) absent.set(key, true)
    else failed.set(key, true)
    finish(key)
    if (!signal.aborted)
      logger.error(
        { account: key, err },
        'an account could not be taken in from the other network: it counts as none here',
      )
  }

  const ask = async (key: string, entry: Wanted): Promise<void> => {
    try {
      const time = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)])
      const found = await orAborted(readForeignAccount(remote, entry.address, now(), time), time)
      if (!found) {
        absent.set(key, true)
        return finish(key)
      }
      entry.found = found
    } catch (error) {
      giveUp(key, error)
    }
  }

  const want = (key: string, address: Address): Wanted => {
    const { promise: done, resolve } = Promise.withResolvers<void>()
    const entry: Wanted = { address, tries: 0, asked: Promise.resolve(), done, finish: resolve }
    wanted.set(key, entry)
    entry.asked = ask(key, entry)
    return entry
  }

  /** What is under way for an account that the chain lacks; undefined where nothing is to be waited for. */
  const underWay = (address: Address): Wanted | 'later' | undefined => {
    if (!isForeign(address) || signal.aborted) return undefined
    const key = rawAddress(address)
    const known = wanted.get(key)
    if (known) return known
    if (absent.has(key) || failed.has(key) || chain.isGone(address)) return undefined
    return wanted.size < MAX_WANTED ? want(key, address) : 'later'
  }

  /** The accounts of libraries that the chain has yet to get, so that this one finds them. */
  const missingLibraries = ({ libraries }: ForeignAccount): AccountImport[] =>
    libraries
      .filter(({ hash, publisher }) => !chain.hasLibrary(hash) && !chain.hasAccount(publisher.address))
      .map(({ publisher }) => publisher)

  return {
    awaits: (address) => underWay(address) !== undefined,
    arrival: async (address) => {
      while (!chain.hasAccount(address)) {
        const entry = underWay(address)
        if (!entry) return
        await (entry === 'later' ? Promise.race([...wanted.values()].map(({ done }) => done)) : entry.done)
      }
    },
    imports: () => {
      const chosen = new Map<string, AccountImport>()
      for (const [key, entry] of wanted) {
        if (!entry.found || chain.hasAccount(entry.address)) continue
        if (entry.tries >= MAX_TRIES) {
          giveUp(key, new Error('no block takes it'))
          continue
        }
        if (chosen.size >= MAX_IMPORTS) break
        entry.tries++
        const libraries = missingLibraries(entry.found)
        for (const each of libraries.length > 0 ? libraries : [entry.found.account])
          chosen.set(rawAddress(each.address), each)
      }
      return [...chosen.values()]
    },
    answered: async () => {
      while (!signal.aborted) {
        const open = [...wanted.values()].filter(({ found }) => !found)
        if (open.length === 0) return
        await Promise.all(open.map(({ asked }) => asked))
      }
    },
    made: () => {
      for (const [key, { address, found }] of wanted) if (found && chain.hasAccount(address)) finish(key)
    },
  }
}

/** Resolves as the work does, or rejects when the signal ends the wait. */
const orAborted = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason)
    signal.addEventListener('abort', abort)
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
