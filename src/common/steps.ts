import { nextTurn } from './next-turn.ts'

/** Work that is done in steps: where it yields, others can have their turn. */
export type Steps<T> = Generator<void, T, void>

/** Does all steps at once. Throws what they throw. */
export const finish = <T>(steps: Steps<T>): T => {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/**
 * Does each step in a turn of its own.
 * @param rest what lets others have their turn; where it throws, the steps end with that
 * @throws what the steps and `rest` throw
 */
export const inTurns = async <T>(steps: Steps<T>, rest: () => Promise<void> = nextTurn): Promise<T> => {
  try {
    for (;;) {
      const step = steps.next()
      if (step.done) return step.value
      await rest()
    }
  } catch (error) {
    steps.throw(error)
    throw error
  }
}
