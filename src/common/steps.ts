/** Work that is done in steps: where it yields, others can have their turn. */
export type Steps<T> = Generator<void, T, void>

/** Does all steps at once. Throws what they throw. */
export const finish = <T>(steps: Steps<T>): T => {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}
