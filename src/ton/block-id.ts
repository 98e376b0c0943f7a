/** Full block identifier (TL tonNode.blockIdExt, TL-B block_id_ext). `shard` is the signed int64 shard prefix. */
export interface BlockIdExt {
  workchain: number
  shard: bigint
  seqno: number
  root_hash: Buffer
  file_hash: Buffer
}

export const MASTERCHAIN = -1
/** The shard prefix of an unsplit workchain: 0x8000000000000000 as a signed int64. */
export const SHARD_ALL = -(1n << 63n)

/** Shard prefix as 16 lower-case hex digits, the form of node logs and file names. */
export const shardHex = (shard: bigint): string => BigInt.asUintN(64, shard).toString(16).padStart(16, '0')

/** `(workchain,shard,seqno)` with the shard in hex, as node messages write it. */
export const blockIdText = (id: Pick<BlockIdExt, 'workchain' | 'shard' | 'seqno'>): string =>
  `(${id.workchain},${shardHex(id.shard)},${id.seqno})`

/** Equality of all five fields. */
export const sameBlock = (a: BlockIdExt, b: BlockIdExt): boolean =>
  a.workchain === b.workchain &&
  a.shard === b.shard &&
  a.seqno === b.seqno &&
  a.root_hash.equals(b.root_hash) &&
  a.file_hash.equals(b.file_hash)

/** True when the shard (signed int64 prefix) holds the account id's leading 64 bits. */
export const shardContains = (shard: bigint, accountPrefix: bigint): boolean => {
  const s = BigInt.asUintN(64, shard)
  const low = s & -s
  const mask = BigInt.asUintN(64, ~((low << 1n) - 1n))
  return ((s ^ BigInt.asUintN(64, accountPrefix)) & mask) === 0n
}
