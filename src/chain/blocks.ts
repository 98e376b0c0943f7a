import { isTonlithError, TonlithError } from '../common/errors.ts'
import type { StopSignal } from '../common/stop.ts'
import { getAllShardsInfo, getBlockHeader } from '../liteserver/client.ts'
import { type BlockHeader, blockHeaderOf, type MasterchainInfo, ownBlockId } from '../model/block.ts'
import { type BlockIdExt, blockIdText, MASTERCHAIN, SHARD_ALL, sameBlock } from '../ton/block-id.ts'
import { shardBlockId, shardEntries } from '../ton/tlb/shard-hashes.ts'
import type { Chain } from './chain.ts'
import { headBlock, headOf } from './head.ts'

/** Which block of a shard: exactly one of the three. Times are unix seconds. */
export interface BlockQuery {
  workchain: number
  shard: bigint
  seqno?: number | undefined
  lt?: bigint | undefined
  unixtime?: number | undefined
}

/** A block of a shard, or of the shard that this one lies in. */
type BlockPlace = Pick<BlockIdExt, 'workchain' | 'shard' | 'seqno'>

/** The masterchain block that an answer is pinned to. */
export interface Pinned {
  id: BlockIdExt
  /** Unix seconds. */
  gen_utime: number
}

const BY_SEQNO = 1
const BY_LT = 2
const BY_UTIME = 4

/** How often, and how many milliseconds each time, the head is waited for when a block is ahead of it. */
const AHEAD_TRIES = 3
const AHEAD_MS = 1_000

/** The newest masterchain block and the zero state. Throws `unavailable`. */
export const masterchainInfo = (chain: Chain): MasterchainInfo => {
  const { id, state_root_hash } = headOf(chain)
  return { last: id, state_root_hash, init: chain.init }
}

const searchUpTo = (
  chain: Chain,
  head: BlockIdExt,
  block: BlockQuery,
  signal: StopSignal | undefined,
): Promise<BlockHeader> => {
  const { workchain, shard, seqno, lt, unixtime } = block
  const request = {
    mode: seqno !== undefined ? BY_SEQNO : lt !== undefined ? BY_LT : BY_UTIME,
    id: { workchain, shard, seqno: seqno ?? 0 },
    mc_block_id: head,
    lt,
    utime: unixtime,
  }
  return chain.pool.run(
    async (query) => {
      const answer = await query('liteServer.lookupBlockWithProof', request)
      const found = chain.trust.checkLookup(answer, request)
      return blockHeaderOf(found.id, found.block, found.info)
    },
    { signal, minSeqno: head.seqno },
  )
}

/** What a liteserver says of a block that is newer than our head: whoever asks has heard of it elsewhere. */
const isAheadOfHead = (error: unknown): boolean =>
  isTonlithError(error, 'liteserver') && error.message.includes("older than block's masterchain ref")

/** Looks for the block from the newest head, and for one that is ahead of it again from those that come within a moment. */
const searchBlock = async (chain: Chain, block: BlockQuery, signal: StopSignal | undefined): Promise<BlockHeader> => {
  for (let tries = 0; ; tries++) {
    const head = headBlock(chain).id
    try {
      return await searchUpTo(chain, head, block, signal)
    } catch (error) {
      if (tries === AHEAD_TRIES || !isAheadOfHead(error)) throw error
      const next = await chain.pool.waitForHead(head.seqno + 1, { signal, timeoutMs: AHEAD_MS }).catch(() => undefined)
      if (!next) throw error
    }
  }
}

const idKey = (id: BlockIdExt): string =>
  `${blockIdText(id)}:${id.root_hash.toString('hex')}:${id.file_hash.toString('hex')}`

/**
 * The header of the block with this seqno in the shard that holds the asked one (or lies in it), of the first block that
 * ends at this lt or later, or of the first one of this time or later. Throws what the liteserver says when there is none.
 */
export const lookupBlock = (chain: Chain, block: BlockQuery, signal?: StopSignal): Promise<BlockHeader> => {
  const { workchain, shard, seqno } = block
  if (seqno === undefined) return searchBlock(chain, block, signal).catch((error) => firstBlock(chain, block, error))
  return chain.headers.get(`${workchain}:${shard}:${seqno}`, async () => {
    const header = await searchBlock(chain, block, undefined)
    chain.headers.put(idKey(header.id), header)
    return header
  })
}

/** The header that the chain has at the block's place; undefined where the liteserver knows none. */
const headerAt = async (chain: Chain, { workchain, shard, seqno }: BlockPlace): Promise<BlockHeader | undefined> => {
  try {
    return await lookupBlock(chain, { workchain, shard, seqno })
  } catch (error) {
    if (!isTonlithError(error, 'liteserver')) throw error
    return undefined
  }
}

/**
 * The first block of a shard, where it is the one that is looked for: to prove so, a liteserver would need the header of
 * the zero state, and it answers with an error instead, which is thrown again where the block does not fit.
 */
const firstBlock = async (chain: Chain, { workchain, shard, lt, unixtime }: BlockQuery, error: unknown) => {
  const first = isTonlithError(error, 'liteserver') && (await headerAt(chain, { workchain, shard, seqno: 1 }))
  const fits = first && first.end_lt >= (lt ?? 0n) && first.gen_utime >= (unixtime ?? 0)
  if (!fits) throw error
  return first
}

/**
 * The header of a block that a lookup did not find. A liteserver knows none either, and says so in its own words; what
 * it answers else must be proven by signatures, as no header proves a file hash.
 */
const headerBeside = (chain: Chain, id: BlockIdExt): Promise<BlockHeader> =>
  chain.pool.run(async (query) => {
    const { block, info } = chain.trust.checkBlockHeader(await getBlockHeader(query, id), { id })
    if (chain.trust.level === 'proofs') throw new TonlithError('proof', `block ${blockIdText(id)} is not on the chain`)
    await chain.trust.verifyBlock(id, query)
    return blockHeaderOf(id, block, info)
  })

/** The header of the block with this full id. Throws what the liteserver says when it does not know the block. */
export const readHeader = (chain: Chain, id: BlockIdExt): Promise<BlockHeader> =>
  chain.headers.get(idKey(id), async () => {
    const found = await headerAt(chain, id)
    return found && sameBlock(found.id, id) ? found : headerBeside(chain, id)
  })

/** The masterchain block with this seqno, or the newest one. Throws what the liteserver says when there is none. */
export const pinBlock = async (chain: Chain, seqno: number | undefined, signal: StopSignal): Promise<Pinned> => {
  if (seqno !== undefined) return lookupBlock(chain, { workchain: MASTERCHAIN, shard: SHARD_ALL, seqno }, signal)
  const { id, utime } = headBlock(chain)
  return { id, gen_utime: utime }
}

/** The shard blocks that the masterchain block with this seqno commits, left shards first. */
export const shardBlocks = (chain: Chain, seqno: number, signal: StopSignal): Promise<readonly BlockIdExt[]> =>
  chain.shards.get(String(seqno), async () => {
    const { id } = await pinBlock(chain, seqno, signal)
    return chain.pool.run(
      async (query) => {
        const shard_hashes = chain.trust.checkAllShards(await getAllShardsInfo(query, id), { id })
        return Array.from(shardEntries(shard_hashes), (entry) => ownBlockId(shardBlockId(entry)))
      },
      { minSeqno: seqno },
    )
  })
