import { TonlithError } from '../common/errors.ts'

/**
 * The functions of TON's own C interface to the TVM (node: emulator-extern.h), through which the emulator's
 * `run_get_method` goes. Texts are pointers to them; a result of 0 says that an argument was refused.
 */
export interface TvmFunctions {
  /** Reads code and data (BoC in base64); gives the contract. */
  create(code: number, data: number, verbosity: number): number
  /** Libraries as a dictionary by hash (BoC in base64). */
  setLibraries(contract: number, libraries: number): number
  /** `seed` in hex; a configuration of 0 leaves the one of before. */
  setC7(contract: number, address: number, now: number, balance: bigint, seed: number, config: number): number
  /** `id=amount` for each, with blanks between. */
  setExtraCurrencies(contract: number, currencies: number): number
  /** TL-B VmStackValue (BoC in base64). */
  setPrevBlocks(contract: number, blocks: number): number
  /** Sets what a run may take, which no instruction raises: neither ACCEPT nor SETGASLIMIT. */
  setGasLimit(contract: number, gas: bigint): void
  destroy(contract: number): void
  /** `stack` is a TL-B VmStack (BoC in base64). Gives the answer (JSON) in memory of its own. */
  runGetMethod(contract: number, method_id: number, stack: number): number
  /** Ends the logging of what is done, which `run_get_method` and transactions begin. Needed before any other call. */
  silence(): void
}

/** Where they stand in the table of @ton/sandbox 0.41, and how many arguments each of them has. */
const PLACES = {
  create: [84, 3],
  setLibraries: [85, 2],
  setC7: [86, 6],
  setExtraCurrencies: [87, 2],
  setPrevBlocks: [88, 2],
  setGasLimit: [89, 2],
  destroy: [91, 1],
  runGetMethod: [92, 3],
} as const satisfies Partial<Record<keyof TvmFunctions, readonly [number, number]>>

/**
 * Where a contract keeps its gas (node: vm::GasLimits, 64 bits each). The C interface leaves the most that ACCEPT and
 * SETGASLIMIT can raise it to without an end; for a liteserver that is the limit (LiteQuery::finish_runSmcMethod).
 */
const GAS_MAX_AT = 32
const GAS_LIMIT_AT = 40

/** The global variables of its log (words): how much of it is written, and where to. */
const LOG_LEVEL = 1_612_296 >> 2
const LOG = 1_612_304 >> 2
/** What is logged before the process is aborted, and nothing else. */
const FATAL = 0

/**
 * The functions of an instance that has not run yet.
 * @throws TonlithError `internal` when it is of another build, whose functions stand elsewhere
 */
export const tvmFunctions = (table: WebAssembly.Table, memory: WebAssembly.Memory): TvmFunctions => {
  const functions = Object.fromEntries(
    Object.entries(PLACES).map(([name, [place, parameters]]) => {
      const found: unknown = table.get(place)
      if (typeof found !== 'function' || found.length !== parameters)
        throw new TonlithError('internal', 'the emulator is of another build')
      return [name, found]
    }),
  ) as unknown as Omit<TvmFunctions, 'silence'>
  let words = new Uint32Array(memory.buffer)
  let view = new DataView(memory.buffer)
  const defaultLog = words[LOG]!
  return {
    ...functions,
    setGasLimit: (contract, gas) => {
      functions.setGasLimit(contract, gas)
      if (view.buffer !== memory.buffer) view = new DataView(memory.buffer)
      if (view.getBigInt64(contract + GAS_LIMIT_AT, true) !== gas)
        throw new TonlithError('internal', 'the emulator keeps gas elsewhere')
      view.setBigInt64(contract + GAS_MAX_AT, gas, true)
    },
    silence: () => {
      if (words.length === 0) words = new Uint32Array(memory.buffer)
      words[LOG_LEVEL] = FATAL
      words[LOG] = defaultLog
    },
  }
}
