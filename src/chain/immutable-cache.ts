import { LRUCache } from 'lru-cache'

/** Remembers things that can never change, up to a number of them; those used least go first. */
export interface ImmutableCache<T extends object> {
  /** The remembered value, or what `load` gives. Callers of the same key share one load; a failed one is forgotten. */
  get(key: string, load: () => Promise<T>): Promise<T>
  /** Remembers a value that came along with something else. */
  put(key: string, value: T): void
}

export const createImmutableCache = <T extends object>(max: number): ImmutableCache<T> => {
  const known = new LRUCache<string, Promise<T>>({ max })
  return {
    get: (key, load) => {
      const found = known.get(key)
      if (found) return found
      const loading = load()
      known.set(key, loading)
      loading.catch(() => {
        if (known.peek(key) === loading) known.delete(key)
      })
      return loading
    },
    put: (key, value) => void known.set(key, Promise.resolve(value)),
  }
}
