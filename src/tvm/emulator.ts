import { TonlithError } from '../common/errors.ts'
import type { ConfigForm } from './config.ts'
import { type EmulatorAnswer, readAnswer, readTransactionAnswer, type TransactionAnswer } from './emulator-answer.ts'
import { loadEmulator } from './emulator-module.ts'
import { KEPT_CONFIGS, type TransactionRun } from './messages.ts'

/** One instance of the TON emulator (WASM). Synchronous: a run holds its thread until it ends. */
export interface Emulator {
  /**
   * Runs a get-method; `params` is JSON, `stack` a BoC in base64. Throws when the emulator breaks: it is of no use then.
   */
  runGetMethod(params: string, stack: string, config: ConfigForm): EmulatorAnswer
  /** Runs a transaction. Throws as `runGetMethod`. */
  emulate(run: TransactionRun, config: ConfigForm): TransactionAnswer
  /** Bytes of its memory, which never shrinks. */
  memoryBytes(): number
}

/** An emulator whose memory grew beyond this is to be replaced: it would never give it back. */
export const MAX_EMULATOR_BYTES = 128 << 20

/** Configurations that are kept as the emulator of transactions has read them. */
const KEPT_READ_CONFIGS = 3

/** Starts an emulator; the first one of a thread takes about 100 ms, further ones 20 ms. */
export const createEmulator = async (): Promise<Emulator> => {
  const { module, memory, checkStack } = await loadEmulator()
  const texts = new Map<string, number>()
  const transactionEmulators = new Map<string, number>()
  const givenLibraries = new Map<number, string>()

  const put = (text: string): number => {
    const at = module._malloc(text.length + 1)
    if (at === 0) throw new TonlithError('internal', 'the emulator has no memory left')
    const target = Buffer.from(memory.buffer, at, text.length + 1)
    target.write(text, 'latin1')
    target[text.length] = 0
    return at
  }
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
  const configAt = ({ key, boc }: ConfigForm): number => kept(texts, key, KEPT_CONFIGS, () => put(boc), module._free)

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

  /** Calls with texts in the emulator's memory (null for undefined), and reads the text that it answers with. */
  const call = <A>(
    texts: readonly (string | undefined)[],
    run: (at: number[]) => number,
    read: (answer: Buffer) => A,
  ): A => {
    const at = texts.map((text) => (text === undefined ? 0 : put(text)))
    const answerAt = run(at)
    checkStack()
    const bytes = Buffer.from(memory.buffer, answerAt)
    const answer = read(bytes.subarray(0, bytes.indexOf(0)))
    for (const pointer of [...at, answerAt]) module._free(pointer)
    return answer
  }
  return {
    runGetMethod: (params, stack, config) => {
      const at = configAt(config)
      return call([params, stack], ([params, stack]) => module._run_get_method(params!, stack!, at), readAnswer)
    },
    emulate: ({ params, account, message, libraries, verbosity = 0 }, config) => {
      const emulator = transactionEmulator(config, verbosity)
      return call(
        [newLibraries(emulator, libraries), account, message, params],
        ([libraries, account, message, params]) =>
          module._emulate_with_emulator(emulator, libraries!, account!, message!, params!),
        readTransactionAnswer,
      )
    },
    memoryBytes: () => memory.buffer.byteLength,
  }
}
