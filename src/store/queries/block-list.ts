import type { BlockFilter } from '../../model/index-records.ts'
import { behind, blockKey, readBlockKey, shardPrefix } from '../keys.ts'
import { firstKey } from '../scan.ts'
import type { Tables } from '../tables.ts'
import type { Budget } from './budget.ts'
import { blockAt, type StoredBlock } from './stored-block.ts'

/** Every shard of which a block is stored, ascending by workchain and shard: one look per shard. */
export function* storedShards(tables: Tables, budget: Budget): Generator<{ workchain: number; shard: bigint }> {
  let from: Buffer | undefined
  for (;;) {
    budget.spend(2)
    const key = firstKey(tables.blocks, { from }, 'asc')
    if (!key) return
    const { workchain, shard } = readBlockKey(key)
    yield { workchain, shard }
    from = behind(shardPrefix(workchain, shard))
    if (!from) return
  }
}

/** The stored blocks with this seqno, of all shards or of those that are asked for. */
export const blocksMatching = (
  tables: Tables,
  { workchain, shard, seqno }: Pick<BlockFilter, 'workchain' | 'shard'> & { seqno: number },
  budget: Budget,
): StoredBlock[] => {
  if (seqno < 0 || seqno > 0xffffffff) return []
  const shards = workchain !== undefined && shard !== undefined ? [{ workchain, shard }] : storedShards(tables, budget)
  return Array.from(shards).flatMap((at) => {
    if ((workchain !== undefined && at.workchain !== workchain) || (shard !== undefined && at.shard !== shard))
      return []
    return blockAt(tables, blockKey({ ...at, seqno })) ?? []
  })
}
