import type { EmulatorAnswer, TransactionAnswer } from './emulator-answer.ts'

/** One run of a get-method. */
export interface GetMethodRun {
  /** The emulator's parameters as JSON. */
  params: string
  /** TL-B VmStack as BoC in base64. */
  stack: string
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

/** What a Worker is asked to do. It gets the next job when it has answered. */
export interface TvmJob {
  run: GetMethodRun | TransactionRun
  config: {
    key: string
    /** Undefined where the Worker still has this configuration: it keeps those that were used last. */
    boc: string | undefined
  }
}

/** What a Worker says: that it can take the first job, or how a job ended. `broken` names what broke the emulator. */
export type TvmReply = { ready: true } | { answer: TvmAnswer } | { broken: string }

/** Configurations that a Worker keeps. Both sides count uses in the same order, so each knows what the other one has. */
export const KEPT_CONFIGS = 6
