import { TonlithError } from '../common/errors.ts'
import { shardHex } from '../ton/block-id.ts'
import type { Cell } from '../ton/cell.ts'
import { configParam } from '../ton/tlb/config-params.ts'
import { mcStateExtraOf } from '../ton/tlb/mc-state-extra.ts'
import { shardEntries } from '../ton/tlb/shard-hashes.ts'
import { shardChild, shardParent, shardPrefixLength, shardSibling } from '../ton/tlb/shard-ident.ts'
import { parseShardStateUnsplit } from '../ton/tlb/shard-state.ts'
import { malformed } from '../ton/tlb/tag.ts'
import { workchains } from '../ton/tlb/workchain-descr.ts'
import type { ShardWish, ShardWishes } from './producer.ts'

const BASECHAIN = 0
const WORKCHAINS = 12

/** The shards of the basechain (signed int64), and how deep they may and must be split. */
export interface ShardLayout {
  shards: readonly bigint[]
  min_split: number
  max_split: number
}

/** The layout in a masterchain state. Throws `malformed`. */
export const shardLayout = (masterchainState: Cell): ShardLayout => {
  const { shard_hashes, config } = mcStateExtraOf(parseShardStateUnsplit(masterchainState))
  const param = configParam(config.config, WORKCHAINS)
  const rules = param && [...workchains(param)].find(([workchain]) => workchain === BASECHAIN)?.[1]
  if (!rules) throw malformed('WorkchainDescr')
  const shards = [...shardEntries(shard_hashes)].filter(({ workchain }) => workchain === BASECHAIN)
  return { shards: shards.map(({ shard }) => shard), min_split: rules.min_split, max_split: rules.max_split }
}

/** Splits and merges that are wanted and have not happened yet. */
export interface Resplit {
  wishes: ShardWishes
  /**
   * Wants a shard split, or merged with its sibling. Gives the shards that there are when it has happened.
   * @throws TonlithError `invalid` for a shard that is not there, or that the configuration lets not split or merge
   */
  want(what: ShardWish, shard: bigint, layout: ShardLayout): readonly bigint[]
  /** Wants every shard split where they are as wide as they may be, else merged: to be called now and again. */
  turn(layout: ShardLayout): void
  /** Forgets what has happened. */
  settle(layout: ShardLayout): void
}

const refuse = (shard: bigint, why: string): TonlithError =>
  new TonlithError('invalid', `shard ${shardHex(shard)} ${why}`)

/** Makes an empty list of wishes. */
export const createResplit = (): Resplit => {
  const wanted = new Map<bigint, ShardWish>()
  return {
    wishes: (shard) => wanted.get(shard),
    want: (what, shard, { shards, min_split, max_split }) => {
      if (!shards.includes(shard)) throw refuse(shard, 'is not there')
      const depth = shardPrefixLength(shard)
      if (what === 'split') {
        if (depth >= max_split) throw refuse(shard, 'cannot be split further')
        wanted.set(shard, what)
        return [shardChild(shard, false), shardChild(shard, true)]
      }
      if (depth <= min_split) throw refuse(shard, 'cannot be merged: there must be so many')
      const sibling = shardSibling(shard)
      if (!shards.includes(sibling)) throw refuse(sibling, 'is not there to be merged with')
      wanted.set(shard, what).set(sibling, what)
      return [shardParent(shard)]
    },
    turn: ({ shards, min_split, max_split }) => {
      const what = shards.every((shard) => shardPrefixLength(shard) <= min_split) ? 'split' : 'merge'
      for (const shard of shards) {
        const depth = shardPrefixLength(shard)
        if (what === 'split' ? depth < max_split : depth > min_split) wanted.set(shard, what)
      }
    },
    settle: ({ shards }) => {
      for (const shard of [...wanted.keys()]) if (!shards.includes(shard)) wanted.delete(shard)
    },
  }
}
