import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { silentLogger } from '../../src/common/logger.ts'
import { createDevNetwork, type DevNetwork, type DevNetworkOptions } from '../../src/devnet/dev-network.ts'
import { createLocalTvm } from '../../src/tvm/local.ts'

/** When the networks of tests begin: the same time makes the same network. */
export const DEV_TIME = 1_900_000_000

/** A live network in a folder of its own, whose blocks are made on demand. */
export interface TestNetwork extends DevNetwork {
  folder: string
  /** Ends it and removes the folder. */
  remove(): Promise<void>
}

/** Settings of such a network. */
export const testOptions = (folder: string, options: Partial<DevNetworkOptions> = {}): DevNetworkOptions => ({
  folder,
  listen: { host: '127.0.0.1', port: 0 },
  seed: Buffer.alloc(32, 7),
  fresh: false,
  shards: 1,
  blockInterval: 'manual',
  resplitEvery: undefined,
  load: undefined,
  time: DEV_TIME,
  tvm: createLocalTvm(),
  logger: silentLogger,
  ...options,
})

/** Starts a network in a new folder. */
export const startTestNetwork = async (options: Partial<DevNetworkOptions> = {}): Promise<TestNetwork> => {
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'tonlith-dev-'))
  const network = await createDevNetwork(testOptions(folder, options))
  return {
    ...network,
    folder,
    remove: async () => {
      await network.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
