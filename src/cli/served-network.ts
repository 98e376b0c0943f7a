import type { KeyLookup } from '../api/middleware/api-key.ts'
import { systemClock } from '../common/clock.ts'
import type { DevControl } from '../devnet/control.ts'
import type { KeyNetwork } from '../model/api-key.ts'
import { watchIndexLag } from './index-lag.ts'
import type { IndexPlace, LiveIndex } from './live-index.ts'
import { type NetworkReadsOptions, startNetworkReads } from './network-reads.ts'
import { startPayments } from './payments.ts'
import { type ServedApps, servedApps } from './served-app.ts'
import type { CommonParts } from './start-parts.ts'
import { leaveUpkeep, takeUpkeep } from './upkeep.ts'

export type ServedNetworkOptions = Omit<CommonParts, 'onReload'> &
  NetworkReadsOptions & {
    /** The name of the network, as API keys are bound to it. */
    network: KeyNetwork
    keys: KeyLookup
    index: IndexPlace
    /** What can be done to a live network of our own. */
    dev?: DevControl
    /** Why that network makes no blocks; undefined while it does. */
    halted?(): string | undefined
  }

/** One network as HTTP shows it. */
export interface ServedNetwork extends ServedApps {
  /** Begins to keep the index; to be called once the app can be asked. */
  startIndex(): void
}

/**
 * Starts what reads a network through its liteservers, and makes the app over it. Index, payments and webhooks are kept by
 * the first of several processes; the others read what it keeps.
 * @throws TonlithError `invalid` for a global config, a liteserver's key or an index that cannot be used
 */
export const serveNetwork = async (options: ServedNetworkOptions): Promise<ServedNetwork> => {
  const { settings, network, logger, parts, peers } = options
  const upkeep = peers?.kind === 'further' ? leaveUpkeep(peers) : await takeUpkeep(options, peers)
  let begun: LiveIndex | undefined
  const index = (): LiveIndex | undefined => begun
  const reads = await startNetworkReads(options, () => begun?.reader(), upkeep.sources)
  const payments = await startPayments({
    settings,
    network,
    prunes: upkeep.keeps,
    counts: peers?.counts,
    chain: reads.chain,
    index,
    logger,
    parts,
  })
  upkeep.paymentsOpen(payments.store)
  const lag = watchIndexLag(() => begun?.host.report(), systemClock.now)
  parts.add(lag.stop)
  if (peers?.kind === 'first')
    peers.keep({
      webhooksDue: async () => upkeep.webhooksDue(),
      damage: async (reason) => begun?.host.noteDamage(reason),
      wanted: async (uris) => begun?.host.want(uris),
      pending: reads.pending,
    })
  const apps = servedApps({ ...options, reads, payments, upkeep, index, indexLag: lag.samples })
  parts.add(async () => await begun?.stop())
  return {
    ...apps,
    startIndex: () => {
      begun = upkeep.startIndex?.()
      if (begun) upkeep.indexBegun(begun)
    },
  }
}
