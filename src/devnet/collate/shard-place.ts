import type { ShardId } from './routing.ts'

/** A shard as a key of maps. */
export const placeOf = ({ workchain, shard }: ShardId): string => `${workchain}:${shard}`
