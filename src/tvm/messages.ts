import { LRUCache } from 'lru-cache'
import type { EmulatorAnswer, TransactionAnswer } from './emulator-answer.ts'
import type { EmulatorCode } from './emulator-code.ts'

/** A contract as its get-methods see it, for the emulator; bags of cells are in base64. */
export interface ContractTexts {
  code: string
  data: string
  /** Workchain and hash: `0:ab…`. */
  address: string
  /** A dictionary of libraries by hash; empty for none. */
  libraries: string
  /** `id=amount` for each, with blanks between; empty for none. */
  extra_currencies: string
  /** The earlier masterchain blocks, TL-B VmStackValue; empty where the contract cannot see them. */
  prev_blocks: string
}

/** One run of a get-method. */
export interface GetMethodRun {
  /** Tells contracts apart: with the same key all texts are the same. */
  contract: string
  method_id: number
  /** TL-B VmStack as BoC in base64. */
  stack: string
  /** Unix time in seconds. */
  now: number
  /** Nano-units. */
  balance: string
  gas_limit: number
}

/** One transaction; bags of cells are in base64. */
export interface TransactionRun {
  /** The emulator's parameters as JSON. */
  params: string
  /** TL-B ShardAccount before it. */
  account: string
  /** TL-B Message Any that causes it; empty for tick and tock. */
  message: string
  /** A dictionary of libraries by hash, not empty. */
  libraries: string
  /** What the TVM logs: 0 for the end of a short log (the default), 1 for every instruction. */
  verbosity?: number
}

export type TvmAnswer = EmulatorAnswer | TransactionAnswer

/** A configuration; its text is left out where the Worker still has it. */
interface SentConfig {
  key: string
  boc: string | undefined
}

/** A get-method; the texts of its contract are left out where the Worker still has them. */
export interface MethodJob {
  method: GetMethodRun
  texts: ContractTexts | undefined
  config: SentConfig
}

/** The first message to a Worker: the emulator's code, where another one has compiled it. Otherwise it sends its own. */
export interface WorkerStart {
  code: EmulatorCode | undefined
}

/**
 * What a Worker is asked to do, as JSON: texts go to other threads for a third of what objects cost. It gets the next job
 * when it has answered.
 */
export type TvmJob = MethodJob | { transaction: TransactionRun; config: SentConfig }

/** What a Worker says, as JSON: that it can take the first job, or how a job ended. `broken` names what broke the emulator. */
export type TvmReply = { ready: true } | { answer: TvmAnswer } | { broken: string }

/** Configurations that a Worker keeps. Both sides count uses in the same order, so each knows what the other one has. */
export const KEPT_CONFIGS = 6

/** Characters of the contracts that a Worker keeps; likewise. */
const KEPT_CONTRACT_CHARACTERS = 4 << 20
/** What a contract counts beside its texts. */
const CONTRACT_CHARACTERS = 1_000

/** Characters that a contract counts among those that are kept. */
export const contractSize = ({ code, data, libraries, extra_currencies, prev_blocks }: ContractTexts): number =>
  code.length + data.length + libraries.length + extra_currencies.length + prev_blocks.length + CONTRACT_CHARACTERS

/** Contracts by key; those that were not used for longest go first, one that is larger than all of it is not kept. */
export const keptContracts = <V extends object | number>(
  sizeOf: (value: V) => number,
  dispose: (value: V) => void = () => {},
): LRUCache<string, V> => new LRUCache({ maxSize: KEPT_CONTRACT_CHARACTERS, sizeCalculation: sizeOf, dispose })
