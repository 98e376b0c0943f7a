const LOOK_MS = 40
const PATIENCE_MS = 40_000

/** Asks again until something is there that is not undefined, and gives it. Throws when that takes too long, or as `ask` does. */
export const until = async <T>(
  ask: () => Promise<T | undefined>,
  what: string,
  patienceMs = PATIENCE_MS,
): Promise<T> => {
  const end = Date.now() + patienceMs
  for (;;) {
    const found = await ask()
    if (found !== undefined) return found
    if (Date.now() > end) throw new Error(`never: ${what}`)
    await Bun.sleep(LOOK_MS)
  }
}
