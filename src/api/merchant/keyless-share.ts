import { LRUCache } from 'lru-cache'

/**
 * Transfers that one address may make without a key while none of them has expired: a twentieth of all that may wait to be
 * paid, so that two addresses cannot take the room of everybody else.
 */
export const MAX_OF_ADDRESS = 5_000

const MAX_ADDRESSES = 50_000

/** What each address has made without a key. */
export interface KeylessShare {
  /** Seconds until the address may make transfers again; 0: it may now. */
  wait(caller: string): number
  /** Counts a transfer. */
  count(caller: string): void
}

/**
 * Counts in stretches of the lifetime of transfers, each from an address's first one on. The address that made none for
 * longest is forgotten when there are many.
 * @param lifetime seconds until a transfer expires
 * @param now unix milliseconds
 */
export const createKeylessShare = (lifetime: number, now: () => number): KeylessShare => {
  const made = new LRUCache<string, { count: number; until: number }>({ max: MAX_ADDRESSES })
  const of = (caller: string) => {
    const known = made.get(caller)
    return known && now() < known.until ? known : { count: 0, until: now() + lifetime * 1000 }
  }
  return {
    wait: (caller) => {
      const { count, until } = of(caller)
      return count < MAX_OF_ADDRESS ? 0 : Math.ceil((until - now()) / 1000)
    },
    count: (caller) => {
      const { count, until } = of(caller)
      made.set(caller, { count: count + 1, until })
    },
  }
}
