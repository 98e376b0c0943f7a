import { TonlithError } from '../common/errors.ts'
import type { ConfigForm } from './config.ts'
import { readTransactionAnswer, type TransactionAnswer } from './emulator-answer.ts'
import { createEmulatorMemory } from './emulator-memory.ts'
import { createMethods, type RunMethod } from './emulator-methods.ts'
import { loadEmulator } from './emulator-module.ts'
import { KEPT_CONFIGS, type TransactionRun } from './messages.ts'

/** One instance of the TON emulator (WASM). Synchronous: a run holds its thread until it ends. */
export interface Emulator {
  /** Runs a get-method. Throws when the emulator breaks: it is of no use then. */
  runGetMethod: RunMethod
  /** Runs a transaction. Throws as `runGetMethod`. */
  emulate(run: TransactionRun, config: ConfigForm): TransactionAnswer
  /** Bytes of its memory, which never shrinks. */
  memoryBytes(): number
}

/** An emulator whose memory grew beyond this is to be replaced: it would never give it back. */
export const MAX_EMULATOR_BYTES = 128 << 20

/** Configurations that are kept as the emulator of transactions has read them. */
const KEPT_READ_CONFIGS = 3

/** Starts an emulator, which takes 20 ms; 100 ms more where its code is not compiled yet. */
export const createEmulator = async (): Promise<Emulator> => {
  const { module, tvm, memory: wasmMemory, checkStack } = await loadEmulator()
  const memory = createEmulatorMemory(module, wasmMemory)
  const texts = new Map<string, number>()
  const transactionEmulators = new Map<string, number>()
  const givenLibraries = new Map<number, string>()

  /** Makes the pointer of a key or takes the one that is kept; lets go of the one that was not used for longest. */
  const kept = (
    pointers: Map<string, number>,
    key: string,
    most: number,
    make: () => number,
    free: (pointer: number) => void,
  ): number => {
    const at = pointers.get(key) ?? make()
    pointers.delete(key)
    pointers.set(key, at)
    if (pointers.size > most) {
      const [oldest, pointer] = pointers.entries().next().value!
      pointers.delete(oldest)
      free(pointer)
    }
    return at
  }
  /** The text of a configuration stays in the emulator's memory, so that it is not copied for every run. */
  const configAt = ({ key, boc }: ConfigForm): number =>
    kept(texts, key, KEPT_CONFIGS, () => memory.put(boc), memory.free)

  const createTransactionEmulator = (config: ConfigForm, verbosity: number): number => {
    const at = module._create_emulator(configAt(config), verbosity)
    if (at === 0) throw new TonlithError('internal', 'the emulator refuses the configuration')
    return at
  }
  const transactionEmulator = (config: ConfigForm, verbosity: number): number =>
    kept(
      transactionEmulators,
      `${config.key} ${verbosity}`,
      KEPT_READ_CONFIGS,
      () => createTransactionEmulator(config, verbosity),
      (emulator) => {
        givenLibraries.delete(emulator)
        module._destroy_emulator(emulator)
      },
    )
  /** Where a run gets no libraries, the emulator of transactions keeps those of the run before. */
  const newLibraries = (emulator: number, libraries: string): string | undefined => {
    if (givenLibraries.get(emulator) === libraries) return undefined
    givenLibraries.set(emulator, libraries)
    return libraries
  }

  return {
    runGetMethod: createMethods({ tvm, memory, checkStack, configAt }),
    emulate: ({ params, account, message, libraries, verbosity = 0 }, config) => {
      const emulator = transactionEmulator(config, verbosity)
      const given = [newLibraries(emulator, libraries), account, message, params].map((text) =>
        text === undefined ? 0 : memory.put(text),
      ) as [number, number, number, number]
      const answerAt = module._emulate_with_emulator(emulator, ...given)
      checkStack()
      const answer = memory.take(answerAt, readTransactionAnswer)
      for (const pointer of given) memory.free(pointer)
      return answer
    },
    memoryBytes: memory.size,
  }
}
