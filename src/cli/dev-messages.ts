import { ERROR_KINDS, type ErrorKind, isTonlithError, TonlithError } from '../common/errors.ts'
import type { LogFormat, LogLevel } from '../common/logger.ts'
import type { DevAccounts, DevControl } from '../devnet/control.ts'
import type { TrustLevel } from '../liteserver/trust.ts'
import type { BlockIdExt } from '../ton/block-id.ts'
import type { EmulatorAnswer } from '../tvm/emulator-answer.ts'
import type { ContractTexts } from '../tvm/messages.ts'
import type { TvmTask } from '../tvm/pool.ts'

/** The network that a live one takes accounts from. */
export interface ForkOrder {
  /** A network that is built in, or a global config: a file or a URL. */
  source: string
  /** Seqno of the masterchain block at which accounts are read; undefined for the newest one. */
  block: number | undefined
  trust: TrustLevel
  /** Where reached key blocks are kept. */
  trustFolder: string
}

/** What the Worker of a live network is told at its start. Plain data, as it crosses to another thread. */
export interface DevOrder {
  /** The folder of the chain and its snapshots. */
  folder: string
  /** Where its liteserver listens. */
  listen: { host: string; port: number }
  /** Ed25519 seed of the liteserver. */
  seed: Uint8Array
  /** The chain that is in the folder is removed first. */
  fresh: boolean
  /** Of workchain 0, where the network is new. */
  shards: 1 | 2 | 4
  blockInterval: number | 'manual'
  resplitEvery: number | undefined
  time: number | undefined
  /** A file of accounts, where the network is new. */
  load: string | undefined
  /** The network whose accounts are taken in. */
  fork: ForkOrder | undefined
  logLevel: LogLevel
  log: LogFormat
}

/** What the Worker tells once its liteserver answers. */
export interface DevStarted {
  liteserver: { host: string; port: number; key: Uint8Array }
  zeroState: BlockIdExt
  accounts: DevAccounts
}

/** An error on its way to another thread. */
export interface WireError {
  kind: ErrorKind
  message: string
  code: number | undefined
}

/** One function of the control with its arguments. */
export type DevCall = { [M in keyof DevControl]: { name: M; args: Parameters<DevControl[M]> } }[keyof DevControl]

/** How a call with a number ended. */
export type Outcome<T> = { id: number } & ({ result: T } | { error: WireError })

export type ToDevWorker =
  | { start: DevOrder }
  | { call: DevCall; id: number }
  | { ran: Outcome<EmulatorAnswer> }
  | { stop: true }

/** A get-method to run, with the texts of its contract. */
export type SentTask = Omit<TvmTask, 'texts'> & { texts: ContractTexts }

export type FromDevWorker =
  | { started: DevStarted }
  /** It could not start, or cannot go on. */
  | { failed: WireError }
  | { outcome: Outcome<unknown> }
  /** A get-method that the liteserver wants to be run by the Workers of the main thread. */
  | { run: SentTask; id: number }
  /** Why no block can be made; null once one could be made again. */
  | { halted: string | null }
  /** The network took this external message (a bag of cells). */
  | { external: Uint8Array }
  | { stopped: true }

/** The part of a Worker that is used here. */
export interface DevWorker {
  postMessage(message: ToDevWorker): void
  terminate(): void
  addEventListener(type: 'message', listener: (event: MessageEvent<FromDevWorker>) => void): void
  addEventListener(type: 'error', listener: (event: ErrorEvent) => void): void
  addEventListener(type: 'close', listener: () => void): void
}

/** Starts a Worker whose entry is cli/dev-worker.ts. */
export type SpawnDevWorker = () => DevWorker

/** An error as plain data; one of no kind of ours is a mistake of ours. */
export const wireError = (error: unknown): WireError => {
  if (isTonlithError(error)) return { kind: error.kind, message: error.message, code: error.code }
  return { kind: 'internal', message: error instanceof Error ? error.message : String(error), code: undefined }
}

/** The error that another thread told. */
export const errorOfWire = ({ kind, message, code }: WireError): TonlithError =>
  new TonlithError(kind in ERROR_KINDS ? kind : 'internal', message, code === undefined ? {} : { code })
