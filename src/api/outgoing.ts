/** Bytes from which on a body counts: smaller ones are handed to the server whole. */
export const LARGE_BYTES = 64 << 10
const PART_BYTES = 64 << 10

/** The large bodies on their way to those who asked. */
export interface Outgoing {
  /** Whether one more of so many bytes may be sent: always, while no other is under way. */
  hasRoom(bytes: number): boolean
  /**
   * A body in parts, each given when the one before has left. It counts until the last part has left or `signal`, the
   * request's, tells that nobody reads it any more.
   */
  inParts(body: Uint8Array, signal: AbortSignal): ReadableStream<Uint8Array>
}

/**
 * Counts the bytes of large bodies that have not left yet, so that callers who ask for much and read nothing cannot fill
 * the memory: beyond `maxBytes` there is no room for more.
 */
export const createOutgoing = (maxBytes: number): Outgoing => {
  let underWay = 0

  const inParts = (body: Uint8Array, signal: AbortSignal): ReadableStream<Uint8Array> => {
    let at = 0
    let left = body.length
    const release = (): void => {
      underWay -= left
      left = 0
      signal.removeEventListener('abort', release)
    }
    underWay += left
    if (signal.aborted) release()
    else signal.addEventListener('abort', release)
    return new ReadableStream<Uint8Array>(
      {
        pull: (controller) => {
          controller.enqueue(body.subarray(at, at + PART_BYTES))
          at += PART_BYTES
          if (at < body.length) return
          controller.close()
          release()
        },
        cancel: release,
      },
      { highWaterMark: 0 },
    )
  }

  return {
    hasRoom: (bytes) => underWay === 0 || underWay + bytes <= maxBytes,
    inParts,
  }
}
