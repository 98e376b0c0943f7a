let turn: Promise<void> | undefined

/**
 * Resolves in the next turn of the event loop, for all who wait for it at once: each step of what they do then comes right
 * after the same step of the others, and so finds its code and data in the processor's caches. A get-method, with all that
 * is around it, costs two thirds then.
 */
export const sameTurn = (): Promise<void> => {
  turn ??= new Promise((resolve) => {
    setImmediate(() => {
      turn = undefined
      resolve()
    })
  })
  return turn
}
