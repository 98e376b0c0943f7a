import { TonlithError } from '../common/errors.ts'
import type { Pool } from '../liteserver/pool.ts'
import type { Trust } from '../liteserver/trust.ts'
import type { BlockHeader } from '../model/block.ts'
import type { Address } from '../ton/address.ts'
import type { BlockIdExt } from '../ton/block-id.ts'
import type { Cell } from '../ton/cell.ts'
import type { PrevBlocks } from '../ton/prev-blocks.ts'
import type { ProvenAccount } from '../ton/proof/account.ts'
import type { TvmPool } from '../tvm/pool.ts'
import { type AccountCache, type AccountEdge, createAccountCache } from './account-cache.ts'
import { createImmutableCache, type ImmutableCache } from './immutable-cache.ts'
import { createLibraryCache, type LibraryCache } from './library-cache.ts'
import { BLOCK_ID_BYTES, cellTreeBytes, HEADER_BYTES } from './memory-size.ts'
import type { PendingTraces } from './pending-traces.ts'
import { createSentMessages, type SentMessages } from './sent-messages.ts'

/** What the live reads of a network need. Everything remembered here can never change. */
export interface Chain {
  readonly pool: Pool
  /** Checks every answer. */
  readonly trust: Trust
  /** The masterchain's zero state as it is named in answers: workchain -1, shard 0, seqno 0. */
  readonly init: BlockIdExt
  /** Headers by the shard and seqno that were asked for, and by the block's two hashes. */
  readonly headers: ImmutableCache<BlockHeader>
  /** Shard blocks by the seqno of the masterchain block that commits them. */
  readonly shards: ImmutableCache<readonly BlockIdExt[]>
  /** Roots of the configuration's dictionary by the seqno of the key block that set it. */
  readonly configs: ImmutableCache<Cell>
  /** What contracts see of the chain behind them, by the seqno of a masterchain block. */
  readonly prevBlocks: ImmutableCache<PrevBlocks>
  /** Accounts by the account and the hashes of the masterchain block. */
  readonly accounts: AccountCache<ProvenAccount>
  /** Where accounts stand, by the same and the kind of liteserver that may be asked. */
  readonly edges: AccountCache<AccountEdge>
  /** Public libraries that were found. */
  readonly libraries: LibraryCache
  /** External messages that were handed to the network. */
  readonly sent: SentMessages
  /** Those of them that wait for their transactions; undefined where none is kept. */
  readonly pending: PendingTraces | undefined
  /** Runs get-methods and transactions. */
  readonly tvm: TvmPool
  /** Undefined where all accounts are there. */
  readonly arrive: ArriveAccount | undefined
}

/**
 * On a network that takes accounts in from another one when they are first asked for: waits until it has this one, or
 * will not get it. Gives the seqno of a masterchain block that shows it if it has come.
 */
export type ArriveAccount = (address: Address) => Promise<number>

export interface ChainOptions {
  pool: Pool
  trust: Trust
  zeroState: BlockIdExt
  /** Left out, get-methods are refused. */
  tvm?: TvmPool
  arrive?: ArriveAccount | undefined
  /** Left out, messages that are sent are not kept. */
  pending?: PendingTraces | undefined
  /** Bytes of memory in which it keeps what it has read. */
  cacheBytes?: number | undefined
}

const CACHE_BYTES = 64 << 20

/** What each kind of thing gets of the bytes, in parts of all of them; told of 64 MiB. */
const SHARES = {
  /** Some 5,000 headers. */
  headers: 4,
  shards: 2,
  /** A configuration of the main network takes 0.6 MiB. */
  configs: 6,
  prevBlocks: 2,
  /** An account is of use while its block is the newest: what is asked for within a few blocks fits. */
  accounts: 10,
  /** Some 2,000 accounts. */
  edges: 1,
  libraries: 7,
}
const ALL_SHARES = Object.values(SHARES).reduce((sum, share) => sum + share, 0)

const blockIdsBytes = (...lists: (readonly BlockIdExt[])[]): number =>
  lists.reduce((count, { length }) => count + length, 0) * BLOCK_ID_BYTES

const refuse = (what: string) => () => Promise.reject(new TonlithError('unsupported', `${what} not supported here`))

const NO_TVM: TvmPool = {
  run: refuse('get-methods are'),
  emulate: refuse('the emulation of transactions is'),
  stop: () => {},
}

/** Live reads through a pool of liteservers. */
export const createChain = (options: ChainOptions): Chain => {
  const { pool, trust, zeroState, tvm = NO_TVM, pending, arrive, cacheBytes = CACHE_BYTES } = options
  const bytesFor = (kind: keyof typeof SHARES): number => Math.floor((cacheBytes * SHARES[kind]) / ALL_SHARES)
  return {
    pool,
    trust,
    init: { ...zeroState, shard: 0n },
    headers: createImmutableCache(
      bytesFor('headers'),
      ({ id, prev_blocks }) => HEADER_BYTES + blockIdsBytes([id], prev_blocks),
    ),
    shards: createImmutableCache(bytesFor('shards'), (ids) => blockIdsBytes(ids)),
    configs: createImmutableCache(bytesFor('configs'), cellTreeBytes),
    prevBlocks: createImmutableCache(bytesFor('prevBlocks'), ({ last_mc_blocks, last_mc_blocks_100, prev_key_block }) =>
      blockIdsBytes(last_mc_blocks, last_mc_blocks_100, [prev_key_block]),
    ),
    accounts: createAccountCache(bytesFor('accounts')),
    edges: createAccountCache(bytesFor('edges')),
    libraries: createLibraryCache(bytesFor('libraries')),
    sent: createSentMessages(),
    pending,
    tvm,
    arrive,
  }
}
