import { TonlithError } from '../common/errors.ts'
import { createEmulator, type Emulator, MAX_EMULATOR_BYTES } from './emulator.ts'

/** Emulators of this thread, one in use and others that are ready to take its place at once. */
export interface SpareEmulators {
  /**
   * Works with the emulator in use; with the next one when that breaks it, and then throws what it threw. Throws
   * `unavailable` when none is left.
   */
  use<A>(work: (emulator: Emulator) => A): A
  /** Resolves when all are there again. */
  ready(): Promise<void>
}

/** Starts the emulator in use, then `spares` more while it works. */
export const createSpareEmulators = async (spares: number): Promise<SpareEmulators> => {
  const emulators = [await createEmulator()]
  let starting: Promise<void> | undefined

  const fill = async (): Promise<void> => {
    while (emulators.length <= spares) emulators.push(await createEmulator())
    starting = undefined
  }
  const replace = (): void => {
    emulators.shift()
    starting ??= fill()
  }
  starting = fill()
  return {
    use: (work) => {
      const [emulator] = emulators
      if (!emulator) throw new TonlithError('unavailable', 'TVM: no emulator is ready')
      try {
        const done = work(emulator)
        if (emulator.memoryBytes() > MAX_EMULATOR_BYTES && emulators.length > 1) replace()
        return done
      } catch (error) {
        replace()
        throw error
      }
    },
    ready: async () => {
      await starting
    },
  }
}
