import { setPriority } from 'node:os'

/** Of 19, the least: behind a thread of normal priority that wants the same processor, it gets a tenth. */
const NICENESS = 10

/**
 * Lets the calling thread stand back behind those of normal priority. Only Linux has priorities of threads; elsewhere, and
 * where the system forbids it, nothing changes.
 */
export const yieldToOtherThreads = (): void => {
  if (process.platform !== 'linux') return
  try {
    setPriority(0, NICENESS)
  } catch {}
}
