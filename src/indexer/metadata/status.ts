import type { FetchFailure } from './failures.ts'

/** What the fetching of metadata is doing. Plain data, as it crosses from the index's Worker. */
export interface MetadataStatus {
  /** False where nobody is asked. */
  online: boolean
  /** URIs that wait, and that are being fetched. */
  waiting: number
  running: number
  /** Since the Worker started: documents, and tries that brought none. */
  fetched: number
  failures: Partial<Record<FetchFailure, number>>
  /** Bytes of what is kept. */
  bytes: number
  /** The disk takes nothing. */
  paused: boolean
}
