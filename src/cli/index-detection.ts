import { configAt } from '../chain/config.ts'
import { headBlock } from '../chain/head.ts'
import { findLibraries } from '../chain/libraries.ts'
import type { Clock } from '../common/clock.ts'
import { insist } from '../common/insist.ts'
import { createEntrySource } from '../indexer/account-source.ts'
import { createDetector } from '../indexer/detect.ts'
import { noDetectionCounts } from '../indexer/detection-counts.ts'
import { createConfigSource, type DetectionSource, type ForeignAccount } from '../indexer/detection-source.ts'
import { readAccountState } from '../indexer/parse-accounts.ts'
import type { Detection } from '../indexer/store-bundle.ts'
import type { Address } from '../ton/address.ts'
import type { BlockIdExt } from '../ton/block-id.ts'
import type { ProvenAccount } from '../ton/proof/account.ts'
import { createLocalTvm } from '../tvm/local.ts'
import type { IndexPool } from './index-pool.ts'

const PAUSES = { firstPauseMs: 250, longestPauseMs: 5_000 }

const foreign = (
  address: Address,
  { shard_account, account: cell }: ProvenAccount,
  atBlock: boolean,
): ForeignAccount | undefined => {
  const account =
    shard_account &&
    cell &&
    readAccountState(address, cell, { lt: shard_account.last_trans_lt, hash: shard_account.last_trans_hash })
  return account ? { account, atBlock } : undefined
}

/** Accounts at a masterchain block; once that state is gone, at the head. */
const createForeignAccounts = (pool: IndexPool, clock: Clock, signal: AbortSignal): DetectionSource['account'] => {
  const options = { pool: pool.pool, clock, signal }
  let goneUpTo = 0
  const entryAt = (address: Address, id: BlockIdExt) =>
    createEntrySource({ ...options, trust: pool.chain().trust })(address, id)
  return async (address, masterchain) => {
    if (masterchain.seqno > goneUpTo) {
      const entry = await entryAt(address, masterchain)
      if (entry) return foreign(address, entry, true)
    }
    const { id } = headBlock(pool.chain())
    const entry = await entryAt(address, id)
    if (!entry) return null
    goneUpTo = Math.max(goneUpTo, masterchain.seqno)
    return foreign(address, entry, false)
  }
}

/** How an index of a network finds out what accounts are: with the TVM in this thread, and what liteservers prove. */
export const createDetection = (pool: IndexPool, clock: Clock, signal: AbortSignal): Detection => {
  const insisted = <T>(ask: () => Promise<T>): Promise<T> => insist(ask, { clock, signal, ...PAUSES })
  const config = createConfigSource({
    source: pool.source(),
    first: (id) => insisted(() => configAt(pool.chain(), id)),
    signal,
  })
  const source: DetectionSource = {
    config,
    libraries: (hashes) => insisted(() => findLibraries(pool.chain(), headBlock(pool.chain()).id, hashes)),
    account: createForeignAccounts(pool, clock, signal),
  }
  const detector = createDetector({ tvm: createLocalTvm(), source, counts: noDetectionCounts() })
  return { detector, config }
}
