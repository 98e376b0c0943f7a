/** What a sink needs of a stream such as standard error. */
export type LineStream = {
  /** Calls `done` once the text was taken, or could not be. */
  write(text: string, done: () => void): unknown
  on(event: 'error', listener: () => void): unknown
}

/** Characters that may wait for a reader that has stopped reading. */
const MAX_WAITING = 4 << 20

/**
 * Writes lines to a stream without depending on it: when nobody reads any more, the disk is full or the reader is stuck,
 * lines are lost, and nothing else happens.
 */
export const createLineSink = (stream: LineStream, maxWaiting = MAX_WAITING): ((line: string) => void) => {
  let waiting = 0
  stream.on('error', () => {})
  return (line) => {
    if (waiting + line.length > maxWaiting) return
    waiting += line.length
    stream.write(line, () => {
      waiting -= line.length
    })
  }
}
