import { getPriority, setPriority } from 'node:os'

/** The least of all priorities. */
const LEAST = 19

/**
 * Lets the calling thread stand back behind those that have its priority now: by 10 steps it gets a tenth where another
 * one wants the same processor, by 5 a quarter. Only Linux has priorities of threads; elsewhere, and where the system
 * forbids it, nothing changes.
 */
export const yieldToOtherThreads = (steps: number): void => {
  if (process.platform !== 'linux') return
  try {
    setPriority(0, Math.min(getPriority(0) + steps, LEAST))
  } catch {}
}
