import { systemClock } from '../common/clock.ts'
import { TonlithError } from '../common/errors.ts'
import { silentLogger } from '../common/logger.ts'
import type { Settings } from '../config.ts'
import { embeddedRecording, folderReader, readRecording } from '../devnet/archive.ts'
import { buildChain } from '../devnet/chain-store.ts'
import type { BlockSource } from '../indexer/block-source.ts'
import { openBlock } from '../indexer/opened-block.ts'
import type { GlobalConfig } from '../liteserver/global-config.ts'
import { blockIdText, MASTERCHAIN } from '../ton/block-id.ts'
import { networkOf } from './index-messages.ts'
import { networkIn } from './index-network.ts'
import { createIndexPool } from './index-pool.ts'
import { networkServers } from './network-servers.ts'
import { createTrustStore } from './trust-store.ts'

/** Where blocks can be read again. */
export interface VerifySource {
  /** Whose chain it is: networkOf. */
  network: string
  source: BlockSource
  stop(): void
}

/** The blocks of a recording: a folder, or `dev` for the one that is built in. Throws `invalid` for another folder. */
const archiveSource = (archive: string): VerifySource => {
  const chain = buildChain(archive === 'dev' ? embeddedRecording() : readRecording(folderReader(archive)))
  const missing = (what: string) => new TonlithError('notFound', `the recording has no ${what}`)
  return {
    network: networkOf(chain.zerostate(MASTERCHAIN)!.id),
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
    stop: () => {},
  }
}

/** The blocks of a network, through its liteservers. */
const liveSource = (servers: GlobalConfig, settings: Settings): VerifySource => {
  const order = { servers, trust: settings.trust, timeoutMs: settings.request_timeout }
  const pool = createIndexPool(order, createTrustStore(settings.data, silentLogger), systemClock, silentLogger)
  return { network: networkOf(servers.zeroState), source: pool.source(), stop: pool.stop }
}

/**
 * Where the blocks of the index in a folder can be read again: in the recording that is named; else through the liteservers
 * of the settings, or in the built-in recording where the index is of that.
 * @throws TonlithError `invalid` where there is no index, and for one of another network
 */
export const verifySource = async (
  folder: string,
  archive: string | undefined,
  settings: Settings,
): Promise<VerifySource> => {
  if (archive !== undefined) return archiveSource(archive)
  const network = await networkIn(folder)
  const servers = await networkServers(settings)
  if (networkOf(servers.zeroState) === network) return liveSource(servers, settings)
  const recording = archiveSource('dev')
  if (recording.network === network) return recording
  throw new TonlithError(
    'invalid',
    `${folder} is of the network ${network}, not ${networkOf(servers.zeroState)}; name the --network or --global-config ` +
      'that it belongs to, or the --archive that tonlith dev served',
  )
}
