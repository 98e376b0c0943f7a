import { TonlithError } from '../common/errors.ts'
import { removeNetwork, restoreSnapshot, snapshotNames, takeSnapshot } from '../store/dev-chain-snapshots.ts'
import { devChainFolder } from '../store/dev-chain-store.ts'
import type { BlockIdExt } from '../ton/block-id.ts'
import type { DevAccounts, DevControl, DevHead } from './control.ts'
import { type Network, type NetworkOptions, startNetwork } from './network.ts'
import { DEV_ACCOUNTS, type NetworkControl, networkControl } from './network-control.ts'

export interface DevNetworkOptions extends NetworkOptions {
  /** The folder of the network: its chain and its snapshots. */
  folder: string
  /** What is there is removed first, but for its snapshots. */
  fresh: boolean
}

/** What there is to be told of a network that has started. */
export interface StartedNetwork {
  liteserver: { host: string; port: number; key: Buffer }
  zeroState: BlockIdExt
  accounts: DevAccounts
}

/** A network that may be replaced by an older one while it runs. */
export interface DevNetwork {
  started: StartedNetwork
  control: DevControl
  /** Resolves with the reason when neither a snapshot nor what was before could be started again: all is over then. */
  lost: Promise<unknown>
  stop(): Promise<void>
}

const replaced = (): TonlithError =>
  new TonlithError('unavailable', 'the network is being replaced by a snapshot', { code: 503 })

/**
 * Starts the network of a folder.
 * @throws TonlithError as startNetwork and removeNetwork do
 */
export const createDevNetwork = async (options: DevNetworkOptions): Promise<DevNetwork> => {
  const { folder, fresh, blockInterval } = options
  if (fresh) removeNetwork(folder)
  const open = (again: Partial<NetworkOptions> = {}): Promise<Network> =>
    startNetwork({ ...options, folder: devChainFolder(folder), ...again })
  let running: { network: Network; control: NetworkControl } | undefined
  const run = (network: Network): void => {
    options.halted?.(undefined)
    running = { network, control: networkControl(network, blockInterval) }
  }
  const now = () => {
    if (!running) throw replaced()
    return running
  }
  const first = await open()
  run(first)
  const { liteserver, zeroState } = first
  const headOf = ({ control }: { control: NetworkControl }): DevHead => {
    const { seqno, utime } = control.status()
    return { seqno, utime }
  }

  const lost = Promise.withResolvers<unknown>()
  const goOn = async (): Promise<void> => {
    try {
      run(await open({ listen: liteserver.address, load: undefined }))
    } catch (error) {
      lost.resolve(error)
      throw error
    }
  }

  const restore = async (name: string): Promise<DevHead> => {
    const before = now()
    running = undefined
    await before.network.stop()
    try {
      await restoreSnapshot(folder, name)
    } finally {
      await goOn()
    }
    return headOf(now())
  }

  return {
    started: {
      liteserver: { ...liteserver.address, key: liteserver.publicKey },
      zeroState,
      accounts: DEV_ACCOUNTS,
    },
    control: {
      status: async () => ({ ...now().control.status(), snapshots: snapshotNames(folder) }),
      faucet: async (...args) => now().control.faucet(...args),
      mine: async (...args) => now().control.mine(...args),
      setTime: async (...args) => now().control.setTime(...args),
      resplit: async (...args) => now().control.resplit(...args),
      setConfig: async (...args) => now().control.setConfig(...args),
      arrive: async (...args) => now().control.arrive(...args),
      load: async (...args) => now().control.load(...args),
      snapshot: async (name) => {
        const { network, control } = now()
        return network.loop.between(async () => {
          await takeSnapshot(network.chain, folder, name)
          return headOf({ control })
        })
      },
      restore,
    },
    lost: lost.promise,
    stop: async () => await running?.network.stop(),
  }
}
