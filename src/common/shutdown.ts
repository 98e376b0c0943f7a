/** Ends one part of the program; what it gives is awaited. */
export type Stop = () => void | Promise<void>

/** A stack of things to end. */
export type StopStack = {
  /** Remembers a part that runs now; parts end in the reverse order of their start. */
  add(stop: Stop): void
  /** Ends all parts, each once, the last started first. One that fails does not keep the others from ending. */
  stop(): Promise<void>
}

/**
 * Collects the parts that a verb starts, so that a failed start or a signal ends exactly what runs.
 * `onError` is told what a part threw while it ended.
 */
export const createStopStack = (onError: (error: unknown) => void = () => {}): StopStack => {
  const parts: Stop[] = []
  let ending: Promise<void> | undefined
  const endAll = async () => {
    for (let part = parts.pop(); part; part = parts.pop()) {
      try {
        await part()
      } catch (error) {
        onError(error)
      }
    }
  }
  return {
    add: (stop) => {
      parts.push(stop)
    },
    stop: () => {
      ending ??= endAll()
      return ending
    },
  }
}

/** What the shutdown sees of the process; a test hands in its own. */
export type SignalSource = {
  on(signal: NodeJS.Signals, listener: () => void): unknown
  exit(code: number): void
}

/**
 * Ends the program on SIGTERM or SIGINT: exit code 0 when `stop` finishes within `drainMs` milliseconds, 1 when it does
 * not or fails. A second one of either (an impatient Ctrl-C) ends it at once with 1. SIGHUP ends nothing: a terminal that
 * is closed, or a log rotation, must not cut requests off.
 */
export const exitOnSignals = (stop: () => Promise<void>, drainMs: number, source: SignalSource): void => {
  let draining = false
  const drain = () => {
    draining = true
    const timer = setTimeout(() => source.exit(1), drainMs)
    stop().then(
      () => {
        clearTimeout(timer)
        source.exit(0)
      },
      () => {
        clearTimeout(timer)
        source.exit(1)
      },
    )
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    source.on(signal, () => {
      if (draining) source.exit(1)
      else drain()
    })
  }
  source.on('SIGHUP', () => {})
}
