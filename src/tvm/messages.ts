import type { EmulatorAnswer } from './emulator-answer.ts'

/** What a Worker is asked to do: one run of a get-method. It gets the next job when it has answered. */
export interface TvmJob {
  /** The emulator's parameters as JSON. */
  params: string
  /** TL-B VmStack as BoC in base64. */
  stack: string
  config: {
    key: string
    /** Undefined where the Worker still has this configuration: it keeps those that were used last. */
    boc: string | undefined
  }
}

/** What a Worker says: that it can take the first job, or how a job ended. `broken` names what broke the emulator. */
export type TvmReply = { ready: true } | { answer: EmulatorAnswer } | { broken: string }

/** Configurations that a Worker keeps. Both sides count uses in the same order, so each knows what the other one has. */
export const KEPT_CONFIGS = 6
