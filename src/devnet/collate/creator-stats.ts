import type { Cell } from '../../ton/cell.ts'
import { dictEntries, dictLookup } from '../../ton/dictionary.ts'
import { type DictChange, updateDict } from '../../ton/dictionary-update.ts'
import { type Counters, type CreatorStats, loadCreatorStats, storeCreatorStats } from '../../ton/tlb/mc-state-extra.ts'
import { countedOn } from './decayed-count.ts'

/** Under this key stand the sums of all validators. */
const EVERYBODY = Buffer.alloc(32)
const NEVER: Counters = { last_updated: 0, total: 0n, cnt2048: 0n, cnt65536: 0n }
/** So many entries are looked at for each block, whether they still count. */
const SCANNED = 100

interface Made {
  key: Buffer
  shard_blocks: number
  mc_blocks: number
}

const tally = (master: Buffer, shards: readonly Buffer[]): Made[] => {
  const byKey = new Map<string, Made>()
  const add = (key: Buffer, shard_blocks: number, mc_blocks: number): void => {
    const text = key.toString('latin1')
    const made = byKey.get(text) ?? { key, shard_blocks: 0, mc_blocks: 0 }
    byKey.set(text, { key, shard_blocks: made.shard_blocks + shard_blocks, mc_blocks: made.mc_blocks + mc_blocks })
  }
  const named = (key: Buffer): boolean => !key.equals(EVERYBODY)
  for (const key of shards.filter(named)) add(key, 1, 0)
  if (named(master)) add(master, 0, 1)
  for (const { shard_blocks, mc_blocks } of [...byKey.values()]) add(EVERYBODY, shard_blocks, mc_blocks)
  return [...byKey.values()]
}

const withMade = (stats: CreatorStats, { shard_blocks, mc_blocks }: Made, now: number): CreatorStats => ({
  mc_blocks: mc_blocks > 0 ? countedOn(stats.mc_blocks, mc_blocks, now) : stats.mc_blocks,
  shard_blocks: shard_blocks > 0 ? countedOn(stats.shard_blocks, shard_blocks, now) : stats.shard_blocks,
})

const isStale = ({ mc_blocks, shard_blocks }: CreatorStats, now: number): boolean =>
  [mc_blocks, shard_blocks].every((counters) => countedOn(counters, 0, now).cnt65536 === 0n)

/** The first entries of validators whose blocks are so long ago that nothing is left of their counts. */
const staleKeys = (counters: Cell | null, now: number): Buffer[] => {
  const stale: Buffer[] = []
  let scanned = 0
  for (const [key, value] of dictEntries(counters, 256)) {
    if (scanned++ >= SCANNED) break
    if (!key.equals(EVERYBODY) && isStale(loadCreatorStats(value), now)) stale.push(key)
  }
  return stale
}

/**
 * Root of the counters of TL-B BlockCreateStats after a masterchain block at `now` (unix seconds): one more block for the
 * public key `master`, one for each key of `shards`, whose blocks it takes in. A key of zeros is nobody's.
 */
export const countCreators = (
  counters: Cell | null,
  master: Buffer,
  shards: readonly Buffer[],
  now: number,
): Cell | null => {
  const changes = tally(master, shards).map((made): DictChange => {
    const old = dictLookup(counters, 256, made.key)
    const stats = old ? loadCreatorStats(old) : { mc_blocks: NEVER, shard_blocks: NEVER }
    return { key: made.key, store: (builder) => storeCreatorStats(builder, withMade(stats, made, now)) }
  })
  const counted = updateDict(counters, changes, 256)
  return updateDict(
    counted,
    staleKeys(counted, now).map((key) => ({ key, store: null })),
    256,
  )
}
