/** Fetches numbered things in parallel and hands them out in order, within a bound on what is held in memory. */
export interface Ahead<T> {
  /**
   * The thing with this seqno; those behind it are fetched meanwhile. Seqnos are taken one after the other; another one
   * than the next begins anew. Rejects with what `fetch` throws; then it can be taken again.
   */
  take(seqno: number): Promise<T>
}

export interface AheadOptions<T> {
  fetch(seqno: number): Promise<T>
  bytesOf(thing: T): number
  /** Bytes that may be held; one thing is always fetched, however large. */
  maxBytes: number
  /** Things that may be fetched at the same time or held. */
  maxThings: number
  /** Upwards or downwards. */
  step: 1 | -1
  /** True where there is something to fetch at this moment. */
  exists(seqno: number): boolean
}

interface Entry<T> {
  thing: Promise<T>
  /** Undefined while it is on its way. */
  bytes: number | undefined
}

/** What something counts that is on its way, before the first one arrived. */
const GUESSED_BYTES = 256 << 10
const WEIGHT_OF_NEWEST = 0.25

export const createAhead = <T>(options: AheadOptions<T>): Ahead<T> => {
  const { fetch, bytesOf, maxBytes, maxThings, step, exists } = options
  const entries = new Map<number, Entry<T>>()
  let average = GUESSED_BYTES

  const counted = (): number => entries.values().reduce((sum, { bytes }) => sum + (bytes ?? average), 0)

  const start = (seqno: number): Entry<T> => {
    const entry: Entry<T> = { thing: fetch(seqno), bytes: undefined }
    entries.set(seqno, entry)
    entry.thing.then(
      (thing) => {
        entry.bytes = bytesOf(thing)
        average += WEIGHT_OF_NEWEST * (entry.bytes - average)
      },
      () => {
        if (entries.get(seqno) === entry) entries.delete(seqno)
      },
    )
    return entry
  }

  const fill = (from: number): void => {
    for (let seqno = from; entries.size < maxThings && exists(seqno); seqno += step) {
      if (entries.has(seqno)) continue
      if (counted() + average > maxBytes) return
      start(seqno)
    }
  }

  return {
    take: async (seqno) => {
      for (const known of entries.keys()) if ((known - seqno) * step < 0) entries.delete(known)
      const entry = entries.get(seqno) ?? start(seqno)
      fill(seqno + step)
      const thing = await entry.thing
      if (entries.get(seqno) === entry) entries.delete(seqno)
      fill(seqno + step)
      return thing
    },
  }
}
