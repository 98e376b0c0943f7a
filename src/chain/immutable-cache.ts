import { LRUCache } from 'lru-cache'

/** Remembers things that can never change, up to a number of bytes; those used least go first. */
export interface ImmutableCache<T extends object> {
  /** The remembered value, or what `load` gives. Callers of the same key share one load; a failed one is forgotten. */
  get(key: string, load: () => Promise<T>): Promise<T>
  /** Remembers a value that came along with something else. */
  put(key: string, value: T): void
}

/** What an entry takes beside its key and its value. */
const ENTRY_BYTES = 200

/** A cache of at most `maxBytes`, as `bytesOf` reckons the memory of each value. */
export const createImmutableCache = <T extends object>(
  maxBytes: number,
  bytesOf: (value: T) => number,
): ImmutableCache<T> => {
  const known = new LRUCache<string, Promise<T>>({ maxSize: maxBytes })
  const loads = new Map<string, Promise<T>>()
  const keep = (key: string, value: T, promise: Promise<T>): void =>
    void known.set(key, promise, { size: ENTRY_BYTES + key.length + Math.ceil(bytesOf(value)) })
  return {
    get: (key, load) => {
      const found = known.get(key) ?? loads.get(key)
      if (found) return found
      const loading = load()
      loads.set(key, loading)
      loading.then(
        (value) => {
          keep(key, value, loading)
          loads.delete(key)
        },
        () => loads.delete(key),
      )
      return loading
    },
    put: (key, value) => keep(key, value, Promise.resolve(value)),
  }
}
