import { TonlithError } from '../common/errors.ts'
import type { Pool } from '../liteserver/pool.ts'
import type { Trust } from '../liteserver/trust.ts'
import type { BlockHeader } from '../model/block.ts'
import type { BlockIdExt } from '../ton/block-id.ts'
import type { Cell } from '../ton/cell.ts'
import type { PrevBlocks } from '../ton/prev-blocks.ts'
import type { TvmPool } from '../tvm/pool.ts'
import { type AccountCache, createAccountCache } from './account-cache.ts'
import { createImmutableCache, type ImmutableCache } from './immutable-cache.ts'
import { createLibraryCache, type LibraryCache } from './library-cache.ts'
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
  readonly accounts: AccountCache
  /** Public libraries that were found. */
  readonly libraries: LibraryCache
  /** External messages that were handed to the network. */
  readonly sent: SentMessages
  /** Runs get-methods and transactions. */
  readonly tvm: TvmPool
}

export interface ChainOptions {
  pool: Pool
  trust: Trust
  zeroState: BlockIdExt
  /** Left out, get-methods are refused. */
  tvm?: TvmPool
}

const MAX_HEADERS = 8192
const MAX_SHARD_LISTS = 1024
const MAX_CONFIGS = 16
const MAX_PREV_BLOCKS = 256
const MAX_ACCOUNT_BYTES = 64 << 20

const refuse = (what: string) => () => Promise.reject(new TonlithError('unsupported', `${what} not supported here`))

const NO_TVM: TvmPool = {
  run: refuse('get-methods are'),
  emulate: refuse('the emulation of transactions is'),
  stop: () => {},
}

/** Live reads through a pool of liteservers. */
export const createChain = ({ pool, trust, zeroState, tvm = NO_TVM }: ChainOptions): Chain => ({
  pool,
  trust,
  init: { ...zeroState, shard: 0n },
  headers: createImmutableCache(MAX_HEADERS),
  shards: createImmutableCache(MAX_SHARD_LISTS),
  configs: createImmutableCache(MAX_CONFIGS),
  prevBlocks: createImmutableCache(MAX_PREV_BLOCKS),
  accounts: createAccountCache(MAX_ACCOUNT_BYTES),
  libraries: createLibraryCache(),
  sent: createSentMessages(),
  tvm,
})
