import { readShardAccount } from '../chain/accounts.ts'
import { type Chain, createChain } from '../chain/chain.ts'
import { headBlock } from '../chain/head.ts'
import { findLibraries } from '../chain/libraries.ts'
import { isTonlithError } from '../common/errors.ts'
import type { Logger } from '../common/logger.ts'
import type { RemoteNetwork } from '../devnet/fork/remote-network.ts'
import { createPool } from '../liteserver/pool.ts'
import { createTrust } from '../liteserver/trust.ts'
import { loadShardAccount, parseAccount } from '../ton/tlb/account.ts'
import { parseCell } from '../ton/tlb/tag.ts'
import type { ForkOrder } from './dev-messages.ts'
import { serversOf } from './network-servers.ts'
import { createTrustStore } from './trust-store.ts'

/** The start waits this long for a liteserver of the other network. */
const FIRST_SERVER_MS = 5_000
/** Milliseconds for one question. */
const TIMEOUT_MS = 5_000

/** Accounts and libraries of a network as it proves them, at the newest masterchain block or at that of this seqno. */
const remoteNetwork = (chain: Chain, seqno: number | undefined): RemoteNetwork => ({
  account: async (address, signal) => {
    const { account } = parseCell(await readShardAccount(chain, address, { seqno, signal }), loadShardAccount)
    return parseAccount(account)._ === 'account_none' ? null : account
  },
  libraries: (hashes) => findLibraries(chain, headBlock(chain).id, hashes),
})

/**
 * Connects to the network that a live one takes accounts from; answers are checked as the order says. Goes on without a
 * server that answers: those may come later.
 * @throws TonlithError `invalid` and `connection` for a global config that cannot be used, `invalid` for servers of another
 * network
 */
export const openForkNetwork = async (
  { source, block, trust: level, trustFolder }: ForkOrder,
  logger: Logger,
): Promise<{ remote: RemoteNetwork; stop(): void }> => {
  const { zeroState, initBlock, liteservers } = await serversOf(source)
  const trust = createTrust({ level, zeroState, initBlock, store: createTrustStore(trustFolder, logger) })
  const pool = createPool({ liteservers, zeroState, verifyHead: trust.verifyHead, timeoutMs: TIMEOUT_MS })
  pool.start()
  try {
    await pool.ready({ timeoutMs: FIRST_SERVER_MS })
  } catch (error) {
    if (!isTonlithError(error, 'timeout')) {
      pool.stop()
      throw error
    }
    logger.warn({}, 'no liteserver of the network to fork answers yet; its accounts are missing until one does')
  }
  return { remote: remoteNetwork(createChain({ pool, trust, zeroState }), block), stop: pool.stop }
}
