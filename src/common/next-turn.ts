/** Resolves in the next turn of the event loop: what others wait for gets its turn before. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
