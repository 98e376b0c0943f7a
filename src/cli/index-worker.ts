import { proveAccount } from '../chain/accounts.ts'
import { systemClock } from '../common/clock.ts'
import { isTonlithError } from '../common/errors.ts'
import { createLogger } from '../common/logger.ts'
import type { IndexStatus } from '../indexer/status.ts'
import { openIndexKeeping } from './index-keeping.ts'
import { type FromIndexWorker, type IndexOrder, revivedServers, type ToIndexWorker } from './index-messages.ts'
import { createIndexPool } from './index-pool.ts'
import { runIndex } from './index-run.ts'
import { createTrustStore } from './trust-store.ts'

/** The entry of the Worker that keeps the index. It is told to start, tells its state, and ends when it is told to. */

declare const self: Worker

const say = (message: FromIndexWorker): void => self.postMessage(message)

const ending = new AbortController()

const run = async (order: IndexOrder): Promise<void> => {
  const { signal } = ending
  const logger = createLogger(order.logLevel, order.log).child({ part: 'index' })
  const clock = systemClock
  const pool = createIndexPool(
    { ...order, servers: revivedServers(order.servers) },
    createTrustStore(order.data, logger),
    clock,
    logger,
  )
  try {
    const keeping = await openIndexKeeping({
      folder: order.folder,
      network: order.network,
      select: (batch) => batch,
      retain: order.retain,
      prove: (address, id) => proveAccount(pool.chain(), address, { id, gen_utime: 0 }, signal),
      clock,
    })
    try {
      await runIndex({ order, pool, keeping, clock, logger, signal, report: (status: IndexStatus) => say({ status }) })
    } finally {
      await keeping.close()
    }
  } finally {
    pool.stop()
  }
}

const start = async (order: IndexOrder): Promise<void> => {
  try {
    await run(order)
    say({ stopped: true })
  } catch (error) {
    if (!isTonlithError(error)) throw error
    say(error.kind === 'invalid' ? { refused: error.message } : { failed: error.message })
  }
}

self.onmessage = ({ data }: MessageEvent<ToIndexWorker>) => {
  if ('start' in data) void start(data.start)
  else ending.abort()
}
