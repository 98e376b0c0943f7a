/** One packet on its way out. */
export interface Sent {
  /** True once the system has taken its last byte. */
  written: boolean
}

interface Waiting extends Sent {
  payload: Buffer | undefined
}

/**
 * The outgoing side of a channel. Packets of one turn of the event loop leave in one write. A payload is encrypted only
 * when the system takes bytes, so one that nobody waits for any more can still be dropped.
 */
export interface SendQueue {
  /** Sends bytes as they are, and then whatever was pushed. */
  start(hello: Buffer): void
  push(payload: Buffer): Sent
  /** Takes back a payload that was not encrypted yet. */
  drop(sent: Sent): void
  /** To be called when the system takes bytes again. */
  flush(): void
}

/** `write` gives the number of bytes that the system took, or a negative number when the socket is closed. */
export const createSendQueue = (seal: (payload: Buffer) => Buffer, write: (bytes: Buffer) => number): SendQueue => {
  const waiting = new Set<Waiting>()
  let sealed: { end: number; entry: Waiting }[] = []
  let backlog: Buffer | undefined
  let accepted = 0
  let produced = 0
  let started = false
  let scheduled = false

  const put = (bytes: Buffer): void => {
    const taken = Math.max(0, write(bytes))
    accepted += taken
    backlog = taken < bytes.length ? bytes.subarray(taken) : undefined
    const rest = sealed.findIndex(({ end }) => end > accepted)
    for (const { entry } of rest < 0 ? sealed : sealed.slice(0, rest)) entry.written = true
    sealed = rest < 0 ? [] : sealed.slice(rest)
  }

  const flush = (): void => {
    scheduled = false
    if (!started) return
    if (backlog) put(backlog)
    if (backlog || waiting.size === 0) return
    const packets: Buffer[] = []
    for (const entry of waiting) {
      const packet = seal(entry.payload!)
      entry.payload = undefined
      produced += packet.length
      sealed.push({ end: produced, entry })
      packets.push(packet)
    }
    waiting.clear()
    put(packets.length === 1 ? packets[0]! : Buffer.concat(packets))
  }

  return {
    start: (hello) => {
      started = true
      produced += hello.length
      put(hello)
      flush()
    },
    push: (payload) => {
      const entry: Waiting = { payload, written: false }
      waiting.add(entry)
      if (!scheduled) {
        scheduled = true
        setImmediate(flush)
      }
      return entry
    },
    drop: (sent) => {
      waiting.delete(sent as Waiting)
    },
    flush,
  }
}
