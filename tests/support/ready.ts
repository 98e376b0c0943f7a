const LOOK_MS = 50
const PATIENCE_MS = 50_000

/** Waits until a gateway says that it is ready, its index caught up. Throws with its last reason when that takes too long. */
export const untilReady = async (url: string, patienceMs = PATIENCE_MS): Promise<void> => {
  const until = Date.now() + patienceMs
  for (;;) {
    const response = await fetch(`${url}/ready`)
    const text = await response.text()
    if (response.status === 200) return
    if (Date.now() > until) throw new Error(`not ready: ${text}`)
    await Bun.sleep(LOOK_MS)
  }
}
