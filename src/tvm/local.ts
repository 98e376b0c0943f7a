import { TonlithError } from '../common/errors.ts'
import { createEmulator, type Emulator, MAX_EMULATOR_BYTES } from './emulator.ts'
import type { EmulatorAnswer } from './emulator-answer.ts'
import type { TvmPool } from './pool.ts'

/** Runs get-methods. */
export type TvmRunner = Pick<TvmPool, 'run'>

/**
 * Runs get-methods in this thread, one after the other; each holds the thread until it ends, which its gas decides. The
 * emulator is started when it is first needed, and replaced when it broke or grew too large. A run throws `unsupported`
 * (code 500) when the contract breaks the emulator.
 */
export const createLocalTvm = (): TvmRunner => {
  let starting: Promise<Emulator> | undefined

  return {
    run: async ({ method, texts, config }): Promise<EmulatorAnswer> => {
      starting ??= createEmulator()
      const mine = starting
      const emulator = await mine
      const replace = (): void => {
        if (starting === mine) starting = undefined
      }
      try {
        const answer = emulator.runGetMethod(method, texts, config)
        if (emulator.memoryBytes() > MAX_EMULATOR_BYTES) replace()
        return answer
      } catch (cause) {
        replace()
        throw new TonlithError('unsupported', `TVM: the contract broke the emulator`, { code: 500, cause })
      }
    },
  }
}
