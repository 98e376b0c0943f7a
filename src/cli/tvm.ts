import { availableParallelism } from 'node:os'
import { createTvmPool, type OwnTvmPool, type SpawnTvmWorker } from '../tvm/pool.ts'
import { createShortRuns } from '../tvm/short-runs.ts'

/** Each Worker takes about 90 MB, once it is needed. */
const MAX_WORKERS = 8
/** Well over what a method can do with its gas on a busy machine, and less than a request may take. */
const RUN_MS = 8_000
const MAX_WAITING = 2_048
/** A Worker that is needed again is there in a sixth of a second. */
const IDLE_MS = 120_000

/**
 * What runs get-methods: Workers, as many as there are processors for each of so many processes that answer HTTP, and this
 * thread where a run is short. No Worker is started before it has something to do, and each is ended when it had nothing to
 * do for minutes.
 */
export const startTvm = (spawn: SpawnTvmWorker, processes: number): OwnTvmPool =>
  createShortRuns(
    createTvmPool({
      spawn,
      size: Math.min(Math.ceil(availableParallelism() / processes), MAX_WORKERS),
      runMs: RUN_MS,
      maxWaiting: MAX_WAITING,
      idleMs: IDLE_MS,
    }),
  )
