/** Runs one piece of work after the other, in the order in which they came. */
export type Turns = <T>(work: () => Promise<T>) => Promise<T>

/** A queue of work that must not overlap, although it waits for things in between. */
export const createTurns = (): Turns => {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const mine = last.then(work, work)
    last = mine.catch(() => {})
    return mine
  }
}
