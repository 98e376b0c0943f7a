import { join } from 'node:path'
import type { Clock } from '../common/clock.ts'
import type { Logger } from '../common/logger.ts'
import { type Address, rawAddress } from '../ton/address.ts'
import { parseShardStateTotals, parseShardStateUnsplit, sharedLib } from '../ton/tlb/shard-state.ts'
import { hasAccount } from './account-loading.ts'
import type { BlockLoop } from './block-loop.ts'
import type { AccountImport } from './collate/collation.ts'
import { createFork, type Fork, isForeign } from './fork/fork.ts'
import { openGoneAccounts } from './fork/gone-accounts.ts'
import type { RemoteNetwork } from './fork/remote-network.ts'
import { masterchainState } from './opening.ts'
import type { MadeStep } from './producer.ts'
import type { StoredChain } from './stored-chain.ts'

/** How a network that runs takes in the accounts of another one. */
export interface NetworkFork {
  /** CollationChoices.awaits */
  awaits: Fork['awaits']
  /** What the next step is to put in. Where blocks are made on demand, all that is asked for has been answered then. */
  imports(): Promise<readonly AccountImport[]>
  /** Has the other network asked for an account that the chain lacks. */
  seek(address: Address): void
  /** Takes note of a step. */
  made(step: MadeStep): void
  /**
   * Resolves when the chain has the account, or will not get it, within some seconds. Where blocks are made on demand it
   * has those made which take the account in. Never rejects.
   */
  arrive(address: Address, loop: Pick<BlockLoop, 'load'>): Promise<void>
}

export interface NetworkForkOptions {
  remote: RemoteNetwork
  chain: StoredChain
  /** The folder of the chain; the list of deleted accounts stands beside it. */
  folder: string
  onDemand: boolean
  now(): number
  clock: Clock
  signal: AbortSignal
  logger: Logger
}

const GONE_FILE = 'deleted-accounts'
const ARRIVAL_MS = 8_000
/** Steps that take an account in on demand: libraries first, and a split or merge may be under way. */
const MAX_STEPS = 8

/** Throws `unavailable` where the list of deleted accounts cannot be read or written. */
export const openNetworkFork = (options: NetworkForkOptions): NetworkFork => {
  const { remote, chain, folder, onDemand, now, clock, signal, logger } = options
  const gone = openGoneAccounts(join(folder, '..', GONE_FILE), chain.last)
  const has = (address: Address): boolean => hasAccount(chain, address)
  const fork = createFork({
    remote,
    chain: {
      hasAccount: has,
      hasLibrary: (hash) => {
        const { totals } = parseShardStateUnsplit(masterchainState(chain))
        return sharedLib(parseShardStateTotals(totals).libraries, hash) !== null
      },
      isGone: (address) => gone.has(rawAddress(address)),
    },
    now,
    signal,
    logger,
  })

  const drive = async (address: Address, loop: Pick<BlockLoop, 'load'>): Promise<void> => {
    for (let made = 0; made < MAX_STEPS && !has(address) && fork.awaits(address); made++) {
      await fork.answered()
      if (fork.awaits(address)) await loop.load(() => [])
    }
  }

  return {
    awaits: fork.awaits,
    imports: async () => {
      if (onDemand) await fork.answered()
      return fork.imports()
    },
    seek: (address) => {
      if (isForeign(address) && !has(address)) fork.awaits(address)
    },
    made: ({ shardBlocks, masterchainBlock }) => {
      for (const block of [...shardBlocks, masterchainBlock]) gone.note(block, masterchainBlock.id.seqno)
      fork.made()
    },
    arrive: async (address, loop) => {
      if (!isForeign(address)) return
      const over = new AbortController()
      const arrived = onDemand ? drive(address, loop) : fork.arrival(address)
      const told = arrived.catch((err) => logger.error({ err }, 'an account could not be put in'))
      await Promise.race([told, clock.sleep(ARRIVAL_MS, over.signal)])
      over.abort()
    },
  }
}
