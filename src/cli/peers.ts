import type { SystemDeps } from '../api/system/routes.ts'
import type { HttpWorkersSample } from '../common/metrics.ts'
import type { DevControl } from '../devnet/control.ts'
import type { FirstFunctions, WorkerCounts, WorkerReport } from './http-worker-messages.ts'
import type { IndexReport } from './index-host.ts'
import type { StartIndex } from './live-index.ts'
import type { AllCounts } from './shared-counts.ts'

/** What a process says of itself alone. */
export interface OwnSystem {
  readiness(): WorkerReport['readiness']
  status(): WorkerReport['status']
  counted(): Promise<WorkerCounts>
  /** What stays counted once this process has ended. */
  lasting(): Promise<WorkerCounts>
}

/** What the system routes say of all processes. */
export type WholeSystem = Required<Pick<SystemDeps, 'readiness' | 'status' | 'metrics'>>

interface Common {
  /** How many processes there are, this one with them. */
  processes: number
  counts: AllCounts
  /** Makes what is said of all processes of what this one says. */
  join(own: OwnSystem): WholeSystem
  /** Tells the others of an external message (a bag of cells) that was sent. Ends when they know it, or soon after. */
  tellSent(boc: Buffer): Promise<void>
  /** Calls back with what was sent through others until the returned function is called. */
  onSent(listener: (boc: Buffer) => void): () => void
}

/** What the others ask of the process that keeps index, payments and webhooks for all. */
export interface AskedOfFirst extends Pick<FirstFunctions, 'webhooksDue' | 'damage' | 'wanted'> {
  /** External messages (bags of cells) that were sent and wait for their transactions. */
  pending(): Buffer[]
}

/** The other processes that answer for the same network, as that one sees them. */
export interface PeersOfFirst extends Common {
  kind: 'first'
  /** Answers them from now on. */
  keep(answering: AskedOfFirst): void
  indexChanged(report: IndexReport): void
  /** For metrics. */
  sample(): HttpWorkersSample
}

/** The first process, as the others see it. */
export interface PeersOfFurther extends Common {
  kind: 'further'
  /** Undefined where no index is kept. */
  startIndex: StartIndex | undefined
  /** Gives, once, the external messages (bags of cells) that were sent before this process was there. */
  takePending(): readonly Buffer[]
  webhooksDue(): void
  /** The live network of our own. */
  dev: DevControl | undefined
}

/** What a process that answers HTTP has of the others. */
export type Peers = PeersOfFirst | PeersOfFurther
