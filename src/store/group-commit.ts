import { nextTurn } from '../common/next-turn.ts'
import type { Environment } from './environment.ts'

/** Writes in the transactions of a store, several works in one, as each costs a wait for the disk that holds up all else. */
export interface GroupCommit {
  /**
   * Runs `work` in a transaction of its own inside of the common one: where it throws, none of its writes count, and those
   * of the others do. Resolves once all is on disk. Rejects with what `work` throws, and as Environment.transaction does.
   */
  run<R>(work: () => R): Promise<R>
}

/** Works of one transaction at most: the rest follows in the next turn, so that nothing waits for all of them. */
const MAX_WORKS = 64

interface Waiting {
  /** Runs the work, and gives what tells its caller once the writes are on disk. */
  run(): () => void
  reject(error: unknown): void
}

/** Collects what is asked for in one turn of the loop, and writes it at its end. */
export const createGroupCommit = ({ transaction }: Pick<Environment<string>, 'transaction'>): GroupCommit => {
  const waiting: Waiting[] = []
  let isRunning = false

  const writeSome = (): void => {
    const some = waiting.splice(0, MAX_WORKS)
    try {
      const tell = transaction(() => some.map(({ run }) => run()))
      for (const done of tell) done()
    } catch (error) {
      for (const { reject } of some) reject(error)
    }
  }

  const write = async (): Promise<void> => {
    isRunning = true
    while (waiting.length > 0) {
      await nextTurn()
      writeSome()
    }
    isRunning = false
  }

  return {
    run: <R>(work: () => R) =>
      new Promise<R>((resolve, reject) => {
        const run = (): (() => void) => {
          try {
            const result = transaction(work)
            return () => resolve(result)
          } catch (error) {
            return () => reject(error)
          }
        }
        waiting.push({ run, reject })
        if (!isRunning) void write()
      }),
  }
}
