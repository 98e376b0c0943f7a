import { systemClock } from '../common/clock.ts'
import { TonlithError } from '../common/errors.ts'
import { silentLogger } from '../common/logger.ts'
import { EMBEDDED } from '../config/kinds.ts'
import type { Settings } from '../config.ts'
import type { Chain } from '../devnet/chain.ts'
import { buildChain } from '../devnet/recorded-chain.ts'
import { readStoredChain } from '../devnet/stored-chain.ts'
import type { BlockSource } from '../indexer/block-source.ts'
import { openBlock } from '../indexer/opened-block.ts'
import type { GlobalConfig } from '../liteserver/global-config.ts'
import { devChainFolder } from '../store/dev-chain-store.ts'
import { hasDataFile } from '../store/disk.ts'
import { blockIdText, MASTERCHAIN } from '../ton/block-id.ts'
import { networkOf } from './index-messages.ts'
import { networkIn } from './index-network.ts'
import { createIndexPool } from './index-pool.ts'
import { networkServers } from './network-servers.ts'
import { recordingAt } from './recording.ts'
import { createTrustStore } from './trust-store.ts'

/** Where blocks can be read again. */
export interface VerifySource {
  /** Whose chain it is: networkOf. */
  network: string
  source: BlockSource
  stop(): void | Promise<void>
}

/** The chain of a recording. Throws as recordingAt. */
const archiveChain = (archive: string): Chain => buildChain(recordingAt(archive))

const recordingNetwork = (chain: Chain): string => networkOf(chain.zerostate(MASTERCHAIN)!.id)

/** The blocks of a chain in files of ours. */
const archiveSource = ({ recording: chain, close }: OwnNetwork): VerifySource => {
  const missing = (what: string) => new TonlithError('notFound', `the chain has no ${what}`)
  return {
    network: recordingNetwork(chain),
    source: {
      masterchainId: async (seqno) => {
        const block = chain.masterchain(seqno)
        if (!block) throw missing(`masterchain block ${seqno}`)
        return block.id
      },
      block: async (id) => {
        const block = chain.block(id)
        if (!block) throw missing(`block ${blockIdText(id)}`)
        return { ...openBlock(id, block.data), bytes: block.data.length }
      },
      troubles: () => [],
    },
    stop: close,
  }
}

/** The blocks of a network, through its liteservers. */
const liveSource = (servers: GlobalConfig, settings: Settings): VerifySource => {
  const order = { servers, trust: settings.trust, timeoutMs: settings.request_timeout }
  const pool = createIndexPool(order, createTrustStore(settings.data, silentLogger), systemClock, silentLogger)
  return { network: networkOf(servers.zeroState), source: pool.source(), stop: pool.stop }
}

/** A chain in files of ours: a recorded one, or the live one of `dev`, which may grow. */
export interface OwnNetwork {
  recording: Chain
  close(): Promise<void>
}

/** The network that an index is about: one with liteservers, or one of our own. */
export type IndexedNetwork = { servers: GlobalConfig } | OwnNetwork

const recorded = (archive: string): OwnNetwork => ({ recording: archiveChain(archive), close: async () => {} })

/** The live network of `dev` in a folder, if there is one. It may run meanwhile. */
const liveDev = async (home: string): Promise<OwnNetwork | undefined> => {
  const folder = devChainFolder(home)
  if (!hasDataFile(folder)) return undefined
  const chain = await readStoredChain(folder)
  return { recording: chain, close: chain.close }
}

/**
 * The network of the index in a folder: the recording that is named; else that of the settings, the live one of `dev` in
 * the data folder, or the built-in recording, whichever the index is of.
 * @throws TonlithError `invalid` where there is no index, for one of another network, and for a folder without a recording
 */
export const indexedNetwork = async (
  folder: string,
  archive: string | undefined,
  settings: Settings,
): Promise<IndexedNetwork> => {
  if (archive !== undefined) return recorded(archive)
  const network = await networkIn(folder)
  const servers = await networkServers(settings)
  if (networkOf(servers.zeroState) === network) return { servers }
  const dev = await liveDev(settings.data)
  if (dev && recordingNetwork(dev.recording) === network) return dev
  await dev?.close()
  const embedded = recorded(EMBEDDED)
  if (recordingNetwork(embedded.recording) === network) return embedded
  throw new TonlithError(
    'invalid',
    `${folder} is of the network ${network}, not ${networkOf(servers.zeroState)}; name the --network or --global-config ` +
      'that it belongs to, or the --archive that tonlith dev served',
  )
}

/** Where the blocks of the index in a folder can be read again. Throws as indexedNetwork. */
export const verifySource = async (
  folder: string,
  archive: string | undefined,
  settings: Settings,
): Promise<VerifySource> => {
  const network = await indexedNetwork(folder, archive, settings)
  return 'recording' in network ? archiveSource(network) : liveSource(network.servers, settings)
}
