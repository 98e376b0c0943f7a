import type { Json } from '../common/lossless-json.ts'
import type { MetricSources } from '../common/metrics.ts'
import type { PaymentStore } from '../store/payments/environment.ts'
import { followPayments } from './follow-payments.ts'
import { indexSample, indexStatus, metadataSample, metadataStatus } from './index-report.ts'
import { type IndexPlace, type LiveIndex, type LiveIndexOptions, prepareIndex, type StartIndex } from './live-index.ts'
import type { PeersOfFirst, PeersOfFurther } from './peers.ts'
import type { CommonParts } from './start-parts.ts'
import { storeSizes } from './store-sizes.ts'
import { startWebhooks, type Webhooks } from './webhooks-part.ts'

/** What the upkeep takes of the served network. */
export type UpkeepOptions = Omit<LiveIndexOptions, 'place' | 'spawn'> &
  Pick<CommonParts, 'parts' | 'spawnIndexWorkers'> & { index: IndexPlace }

/** What a process does for the index, payments and webhooks of its network: one keeps them, further ones read what it keeps. */
export interface Upkeep {
  /** True for the process that keeps them, and answers operators. */
  keeps: boolean
  /** Undefined where no index is kept. */
  startIndex: StartIndex | undefined
  /** What is known of them at a scrape. */
  sources: Partial<MetricSources>
  /** To be called once payments are open. */
  paymentsOpen(store: PaymentStore | undefined): void
  /** To be called once the index has begun. */
  indexBegun(index: LiveIndex): void
  webhooksDue(): void
  /** For operators. */
  status(): { readonly [key: string]: Json }
}

/** Leaves the upkeep to the first process. */
export const leaveUpkeep = ({ startIndex, webhooksDue }: PeersOfFurther): Upkeep => ({
  keeps: false,
  startIndex,
  sources: {},
  paymentsOpen: () => undefined,
  indexBegun: () => undefined,
  webhooksDue,
  status: () => ({}),
})

/**
 * Takes the upkeep over, for the further processes too where there are any.
 * @throws TonlithError as prepareIndex does
 */
export const takeUpkeep = async (options: UpkeepOptions, peers: PeersOfFirst | undefined): Promise<Upkeep> => {
  const { settings, network, logger, parts, index: place } = options
  const startIndex =
    settings.index === 'on' ? await prepareIndex({ ...options, place, spawn: options.spawnIndexWorkers }) : undefined
  let store: PaymentStore | undefined
  let index: LiveIndex | undefined
  let webhooks: Webhooks | undefined
  return {
    keeps: true,
    startIndex,
    sources: {
      stores: () => storeSizes(settings.data, place.home),
      webhooks: () => webhooks?.sample(),
      ...(startIndex && {
        index: () => index && indexSample(index.host.report()),
        metadata: () => index && metadataSample(index.host.report()),
      }),
      ...(peers && { httpWorkers: peers.sample }),
    },
    paymentsOpen: (opened) => {
      store = opened
      if (store) webhooks = startWebhooks({ store, network, settings, logger, parts })
    },
    indexBegun: (begun) => {
      index = begun
      const { host } = begun
      if (peers) parts.add(host.onChange(() => peers.indexChanged(host.report())))
      if (store) parts.add(followPayments({ store, network, index, logger, found: () => webhooks?.wake() }))
    },
    webhooksDue: () => webhooks?.wake(),
    status: () => ({
      ...(webhooks && { webhooks: webhooks.status() }),
      ...(index && { index: indexStatus(index.host.report()), metadata: metadataStatus(index.host.report()) }),
    }),
  }
}
