import { rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { systemClock } from '../common/clock.ts'
import { isTonlithError, TonlithError } from '../common/errors.ts'
import { createLogger, type Logger } from '../common/logger.ts'
import { yieldToOtherThreads } from '../common/thread-priority.ts'
import { createAccountSource } from '../indexer/account-source.ts'
import { createActionFaults } from '../indexer/action-faults.ts'
import { wantDetected } from '../indexer/metadata/token-scan.ts'
import type { IndexStatus } from '../indexer/status.ts'
import { INDEX_VERSION } from '../store/index-store.ts'
import { sameBlock } from '../ton/block-id.ts'
import type { BlockReaders } from './block-reader.ts'
import { openChosenAccounts } from './chosen-accounts.ts'
import { createDetection } from './index-detection.ts'
import { type IndexKeepingOptions, type OpenIndexKeeping, openIndexKeeping } from './index-keeping.ts'
import {
  type FromIndexWorker,
  INDEX_WORKER_STEPS,
  type IndexOrder,
  revivedServers,
  type ToIndexWorker,
} from './index-messages.ts'
import { type IndexMetadata, openIndexMetadata } from './index-metadata.ts'
import { openIndexPayments } from './index-payments.ts'
import { createIndexPool, type IndexPool } from './index-pool.ts'
import { runIndex } from './index-run.ts'
import { createTrustStore } from './trust-store.ts'

/** The entry of the Worker that keeps the index. It is told to start, tells its state, and ends when it is told to. */

declare const self: Worker

const say = (message: FromIndexWorker, transfer: MessagePort[] = []): void => self.postMessage(message, transfer)

const ending = new AbortController()

let readerEnded: (() => void) | undefined

/** Another Worker helps where there is a processor for it. */
const readers: BlockReaders | undefined =
  availableParallelism() < 2
    ? undefined
    : {
        start: (port) => say({ reader: port }, port ? [port] : []),
        onEnd: (listener) => {
          readerEnded = listener
        },
      }

/** Once it is open. */
let metadata: IndexMetadata | undefined

/** A damaged index is not mended by trying again. */
const openOrRefuse = async (options: IndexKeepingOptions) => {
  try {
    return await openIndexKeeping(options)
  } catch (cause) {
    if (isTonlithError(cause, 'malformed')) throw new TonlithError('invalid', cause.message, { cause })
    throw cause
  }
}

/** True for an index whose newest block is one of the chain's. */
const isOfChain = async ({ newest }: OpenIndexKeeping, pool: IndexPool): Promise<boolean> => {
  const block = newest()
  const head = await pool.head.reached(1, ending.signal)
  if (!block) return true
  return block.seqno <= head && sameBlock(await pool.source().masterchainId(block.seqno, ending.signal), block)
}

/** Opens the index; one that can be replaced is, when it does not fit or is not of this chain. */
const openKeeping = async (order: IndexOrder, pool: IndexPool, logger: Logger, options: IndexKeepingOptions) => {
  if (!order.replaceable) return openOrRefuse(options)
  await pool.head.reached(1, ending.signal)
  let reason = 'it is not of this chain'
  try {
    const keeping = await openOrRefuse(options)
    let fits = false
    try {
      fits = await isOfChain(keeping, pool)
      if (fits) return keeping
    } finally {
      if (!fits) await keeping.close()
    }
  } catch (error) {
    if (!isTonlithError(error, 'invalid')) throw error
    reason = error.message
  }
  logger.warn({ reason }, 'the index is made anew')
  rmSync(order.folder, { recursive: true, force: true })
  return openIndexKeeping(options)
}

const run = async (order: IndexOrder, logger: Logger): Promise<void> => {
  const { signal } = ending
  const clock = systemClock
  const servers = revivedServers(order.servers)
  metadata = await openIndexMetadata(order.metadata, clock, logger, signal)
  const payments = await openIndexPayments(order.data, order.named, logger)
  const chosen = await openChosenAccounts(order.chosenIn, order.accounts, logger)
  const pool = createIndexPool({ ...order, servers }, createTrustStore(order.data, logger), clock, logger)
  try {
    const keeping = await openKeeping(order, pool, logger, {
      folder: order.folder,
      network: order.network,
      cacheBytes: order.cache.index,
      chosen,
      payments,
      actionFaults: createActionFaults(logger),
      retain: order.retain,
      stored: ({ detected = [] }) => metadata && wantDetected(metadata.fetcher, detected),
      fetchAccount: createAccountSource({ pool: pool.pool, clock, signal }),
      detection: createDetection(pool, clock, signal),
    })
    const { upgradedFrom } = keeping
    if (upgradedFrom !== undefined)
      logger.info({ from: upgradedFrom, to: INDEX_VERSION }, 'the index was upgraded to the format of this version')
    try {
      metadata?.start(keeping.tokens)
      const report = (status: IndexStatus): void => say({ status, metadata: metadata?.fetcher.status() })
      await runIndex({ order, pool, keeping, readers, clock, logger, signal, report })
    } finally {
      await metadata?.close()
      await keeping.close()
    }
  } finally {
    pool.stop()
    await chosen.close()
    await payments?.close()
  }
}

const start = async (order: IndexOrder): Promise<void> => {
  const logger = createLogger(order.logLevel, order.log).child({ part: 'index' })
  try {
    await run(order, logger)
    say({ stopped: true })
  } catch (err) {
    if (ending.signal.aborted) return say({ stopped: true })
    if (isTonlithError(err)) {
      const isFinal = err.kind === 'invalid' || err.kind === 'unsupported'
      return say(isFinal ? { refused: err.message } : { failed: err.message })
    }
    logger.error({ err }, 'a mistake in the index')
    say({ failed: 'a mistake of ours; the log tells more' })
  }
}

yieldToOtherThreads(INDEX_WORKER_STEPS)
self.onmessage = ({ data }: MessageEvent<ToIndexWorker>) => {
  if ('start' in data) void start(data.start)
  else if ('readerEnded' in data) readerEnded?.()
  else if ('wanted' in data) for (const uri of data.wanted) metadata?.fetcher.want(uri, 'asked')
  else ending.abort()
}
