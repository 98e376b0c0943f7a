import { createLogger, type Logger } from '../common/logger.ts'
import { createStopStack, type StopStack } from '../common/shutdown.ts'
import type { Settings } from '../config.ts'
import type { OwnTvmPool, SpawnTvmWorker } from '../tvm/pool.ts'
import type { SpawnDevWorker } from './dev-messages.ts'
import type { SpawnIndexWorkers } from './index-messages.ts'
import { startTvm } from './tvm.ts'

/** Starts Workers, each with an entry of its own. */
export type SpawnWorkers = SpawnIndexWorkers & { tvm: SpawnTvmWorker; dev: SpawnDevWorker }

/** What `serve` and `dev` both start with. */
export type CommonParts = {
  logger: Logger
  /** Runs get-methods. */
  tvm: OwnTvmPool
  spawnIndexWorkers: SpawnIndexWorkers
  /** Takes what runs, to end it. */
  parts: StopStack
  /** Calls back when settings have changed that may change while the program runs. */
  onReload(listener: () => void): void
}

/** What a verb has started. */
export interface Started {
  /** Ends all of it. */
  stop(): Promise<void>
  /** Settings have changed that may change while it runs. */
  reloaded(): void
  logger: Logger
}

/**
 * Starts the common parts and then the verb's own; when `start` throws, they have ended
 * and the error is passed on.
 */
export const startParts = async (
  settings: Settings,
  spawn: SpawnWorkers,
  start: (common: CommonParts) => Promise<void>,
): Promise<Started> => {
  const logger = createLogger(settings.log_level, settings.log)
  const parts = createStopStack((err) => logger.error({ err }, 'a part did not end well'))
  const listeners: (() => void)[] = []
  const tvm = startTvm(spawn.tvm, settings.http_workers)
  parts.add(tvm.stop)
  try {
    const onReload = (listener: () => void) => void listeners.push(listener)
    await start({ logger, tvm, spawnIndexWorkers: spawn, parts, onReload })
    const reloaded = () => {
      for (const listener of listeners) listener()
    }
    return { stop: parts.stop, reloaded, logger }
  } catch (error) {
    await parts.stop()
    throw error
  }
}
