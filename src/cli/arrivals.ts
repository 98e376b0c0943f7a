import { LRUCache } from 'lru-cache'
import type { ArriveAccount } from '../chain/chain.ts'
import type { DevControl } from '../devnet/control.ts'
import { rawAddress } from '../ton/address.ts'

/** An account that came, or that did not, is not asked for again so soon. */
const KNOWN_MS = 2_000
const MAX_KNOWN = 10_000

/** Has the accounts that somebody reads taken in by a live network that is a fork; those who ask at the same time share it. */
export const arrivals = ({ arrive }: Pick<DevControl, 'arrive'>): ArriveAccount => {
  const known = new LRUCache<string, Promise<number>>({ max: MAX_KNOWN, ttl: KNOWN_MS })
  return (address) => {
    const key = rawAddress(address)
    const before = known.get(key)
    if (before) return before
    const asked = arrive(key).then(({ seqno }) => seqno)
    known.set(key, asked)
    asked.catch(() => known.delete(key))
    return asked
  }
}
