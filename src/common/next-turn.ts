const waiting: (() => void)[] = []

const giveTurn = (): void => {
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(giveTurn)
}

/**
 * Resolves in a later turn of the event loop: what others wait for gets its turn before. Of many who wait at once each
 * gets a turn of its own, in the order in which they came, so that together they keep nobody waiting longer than one does.
 */
export const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    waiting.push(resolve)
    if (waiting.length === 1) setImmediate(giveTurn)
  })
