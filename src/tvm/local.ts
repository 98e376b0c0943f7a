import { TonlithError } from '../common/errors.ts'
import { createEmulator, type Emulator, MAX_EMULATOR_BYTES } from './emulator.ts'
import type { TvmPool } from './pool.ts'

/** Runs get-methods. */
export type TvmRunner = Pick<TvmPool, 'run'>

/** Does something with this thread's emulator, which holds the thread until it ends. Throws what that throws. */
export type LocalEmulator = <A>(use: (emulator: Emulator) => A) => Promise<A>

/** An emulator in this thread: started when it is first needed, and replaced when it broke or grew too large. */
export const createLocalEmulator = (): LocalEmulator => {
  let starting: Promise<Emulator> | undefined
  const withEmulator: LocalEmulator = async (use) => {
    starting ??= createEmulator()
    const mine = starting
    const replace = (): void => {
      if (starting === mine) starting = undefined
    }
    try {
      const emulator = await mine
      // Another one that waited for it as well may have broken it by now.
      if (starting !== mine) return withEmulator(use)
      const result = use(emulator)
      if (emulator.memoryBytes() > MAX_EMULATOR_BYTES) replace()
      return result
    } catch (error) {
      replace()
      throw error
    }
  }
  return withEmulator
}

/**
 * Runs get-methods in this thread, one after the other; each holds the thread until it ends, which its gas decides. A run
 * throws `unsupported` (code 500) when the contract breaks the emulator.
 */
export const createLocalTvm = (): TvmRunner => {
  const withEmulator = createLocalEmulator()
  return {
    run: async ({ method, texts, config }) => {
      try {
        return await withEmulator((emulator) => emulator.runGetMethod(method, texts, config))
      } catch (cause) {
        throw new TonlithError('unsupported', `TVM: the contract broke the emulator`, { code: 500, cause })
      }
    },
  }
}
