import { proveAccount } from '../chain/accounts.ts'
import { lookupBlock } from '../chain/blocks.ts'
import type { Chain } from '../chain/chain.ts'
import { headBlock } from '../chain/head.ts'
import { readTransactions } from '../chain/transactions.ts'
import type { HistorySource } from '../indexer/history-source.ts'
import { getShardBlockProof } from '../liteserver/client.ts'
import { NO_TRANSACTION } from '../model/transaction-id.ts'
import { accountPrefix } from '../ton/address.ts'
import { type BlockIdExt, MASTERCHAIN, SHARD_ALL } from '../ton/block-id.ts'

/** A liteserver gives no more transactions at a time. */
const PAGE = 16

/** Histories of accounts from liteservers; the chain of this moment is looked up anew for every question. */
export const createHistorySource = (chain: () => Chain): HistorySource => {
  /** Everything that a liteserver proves of it is checked. */
  const committing = (id: BlockIdExt, signal: AbortSignal): Promise<BlockIdExt> => {
    const { pool, trust } = chain()
    return pool.run(async (query) => trust.checkShardBlockProof(await getShardBlockProof(query, id), { id }), {
      signal,
      everyServer: true,
    })
  }

  return {
    edge: async (address, signal) => {
      const { id, utime } = headBlock(chain())
      const { account, shard_account } = await proveAccount(chain(), address, { id, gen_utime: utime }, signal)
      const last = shard_account
        ? { lt: shard_account.last_trans_lt, hash: shard_account.last_trans_hash }
        : NO_TRANSACTION
      return { mc_seqno: id.seqno, account, last }
    },
    transactions: async (address, from, signal) => {
      const query = { from, to_lt: 0n, limit: PAGE, archival: undefined, signal }
      return (await readTransactions(chain(), address, query)).transactions.map(({ cell }) => cell)
    },
    committedAt: async (address, lt, signal) => {
      const { workchain } = address
      // The deepest shard that holds the account stands for the account.
      const shard = workchain === MASTERCHAIN ? SHARD_ALL : BigInt.asIntN(64, accountPrefix(address) | 1n)
      const { id } = await lookupBlock(chain(), { workchain, shard, lt }, signal)
      return workchain === MASTERCHAIN ? id.seqno : (await committing(id, signal)).seqno
    },
  }
}
