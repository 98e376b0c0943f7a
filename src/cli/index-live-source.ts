import { randomBytes } from 'node:crypto'
import { readAccount } from '../chain/accounts.ts'
import { getMethodsAt } from '../chain/get-methods.ts'
import { systemClock } from '../common/clock.ts'
import { isTonlithError, TonlithError } from '../common/errors.ts'
import { silentLogger } from '../common/logger.ts'
import { createStopStack } from '../common/shutdown.ts'
import type { Settings } from '../config.ts'
import { createArchiveLiteserver } from '../devnet/archive-liteserver.ts'
import type { Chain } from '../devnet/chain.ts'
import type { LiveBlock } from '../indexer/audit/live-block.ts'
import { METHOD_GAS } from '../indexer/detection-contracts.ts'
import type { GlobalConfig } from '../liteserver/global-config.ts'
import { MASTERCHAIN } from '../ton/block-id.ts'
import type { SpawnTvmWorker } from '../tvm/pool.ts'
import { networkOf } from './index-messages.ts'
import { createIndexPool } from './index-pool.ts'
import { indexedNetwork } from './index-source.ts'
import { createTrustStore } from './trust-store.ts'
import { startTvm } from './tvm.ts'

/** Where the accounts of a network can be asked. */
export interface LiveSource {
  /** Whose chain it is: networkOf. */
  network: string
  /** Waits until a liteserver has a masterchain block. Throws `unavailable` after half a minute. */
  reached(seqno: number, signal: AbortSignal): Promise<void>
  /** The network at a masterchain block, with as much gas and the same time as contracts had when they were indexed. */
  open(seqno: number, signal: AbortSignal): Promise<LiveBlock>
  stop(): Promise<void>
}

const PATIENCE_MS = 30_000

/** Milliseconds until a block that is added to the chain meanwhile is there. */
const FOLLOW_MS = 50

/** Starts a liteserver of a chain in files on this machine, which follows where that grows. */
const serveRecording = async (chain: Chain): Promise<{ servers: GlobalConfig; stop: () => Promise<void> }> => {
  const listen = { host: '127.0.0.1', port: 0 }
  const { address, publicKey, stop } = await createArchiveLiteserver({
    archive: chain,
    listen,
    key: randomBytes(32),
    replayMs: FOLLOW_MS,
  })
  const zeroState = chain.zerostate(MASTERCHAIN)!.id
  const initBlock = chain.masterchain(chain.last)!.id
  return { servers: { liteservers: [{ ...address, key: publicKey }], zeroState, initBlock }, stop }
}

/**
 * The accounts of the network that the index in a folder is about, through its liteservers, or through one of its own where
 * that is a recording. Throws as indexedNetwork.
 */
export const startLiveSource = async (
  folder: string,
  archive: string | undefined,
  settings: Settings,
  spawn: SpawnTvmWorker,
): Promise<LiveSource> => {
  const parts = createStopStack()
  const network = await indexedNetwork(folder, archive, settings)
  if ('recording' in network) parts.add(network.close)
  const { servers, stop: stopServing } =
    'recording' in network ? await serveRecording(network.recording) : { ...network, stop: undefined }
  if (stopServing) parts.add(stopServing)
  const tvm = startTvm(spawn, 1)
  parts.add(tvm.stop)
  const order = { servers, trust: settings.trust, timeoutMs: settings.request_timeout, tvm }
  const reached = stopServing ? { load: () => null } : createTrustStore(settings.data, silentLogger)
  const { pool, chain, stop } = createIndexPool(order, reached, systemClock, silentLogger)
  parts.add(stop)
  return {
    network: networkOf(servers.zeroState),
    reached: async (seqno, signal) => {
      try {
        await pool().ready({ timeoutMs: PATIENCE_MS, signal })
        await pool().waitForHead(seqno, { timeoutMs: PATIENCE_MS, signal })
      } catch (error) {
        if (signal.aborted || !isTonlithError(error, 'timeout')) throw error
        throw new TonlithError('unavailable', `no liteserver has masterchain block ${seqno}`, { cause: error })
      }
    },
    open: async (seqno, signal) => ({
      account: (address) => readAccount(chain(), address, { seqno, signal }),
      methods: await getMethodsAt(chain(), { seqno, signal, gas_limit: METHOD_GAS, masterchainTime: true }),
    }),
    stop: parts.stop,
  }
}
