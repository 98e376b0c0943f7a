import { createTvmPool, type OwnTvmPool, type TvmPoolOptions } from '../../src/tvm/pool.ts'

/** Runs get-methods in real Workers, from source. Stop it, or the process stays. */
export const startTvm = (options: Partial<TvmPoolOptions> = {}): OwnTvmPool =>
  createTvmPool({
    spawn: () => new Worker(new URL('../../src/tvm/worker.ts', import.meta.url)),
    size: 2,
    runMs: 20_000,
    maxWaiting: 1_000,
    idleMs: 60_000,
    ...options,
  })
