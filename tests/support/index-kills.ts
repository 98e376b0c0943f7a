import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { networkOf } from '../../src/cli/index-messages.ts'
import { seededRandom } from '../../src/common/seeded-random.ts'
import { indexFolder } from '../../src/store/index-store.ts'
import type { Lonely } from './executable.ts'
import type { FakeLiteserver } from './fake-liteserver.ts'
import { startFaultyLiteservers } from './faulty-liteservers.ts'
import { dumpIndex, type IndexDump } from './index-dump.ts'
import { untilReady } from './ready.ts'
import { recordedChain } from './recorded-chain.ts'
import { startServed } from './served-gateway.ts'

/** One run of the executable that keeps an index, killed at random points. */
export interface KillTrial {
  /** Names the folder, and decides what goes wrong and when it is killed. */
  seed: number
  /** Masterchain block at which the chain ends. */
  head: number
  kills: number
  /** Milliseconds after the start within which it is killed. */
  withinMs: number
  /** How long it may take to catch up in the end. */
  patienceMs: number
}

const FLAGS = ['--trust', 'proofs', '--index-from', 'genesis', '--index-retain', 'forever', '--request-timeout', '2s']

const endpointsOf = (servers: readonly FakeLiteserver[]) => servers.map(({ host, port, key }) => ({ host, port, key }))

/** The index of the recorded network in a data folder that a gateway used. */
export const dumpOf = (alone: Lonely, data: string): Promise<IndexDump> =>
  dumpIndex(indexFolder(join(alone.folder, data)), networkOf(recordedChain().zerostate(-1)!.id))

/** Indexes the recorded chain through faulty liteservers, is killed meanwhile, and gives what is stored in the end. */
export const runKillTrial = async (alone: Lonely, trial: KillTrial): Promise<IndexDump> => {
  const { seed, head, kills, withinMs, patienceMs } = trial
  const data = `kills-${seed}`
  const random = seededRandom(seed)
  const servers = startFaultyLiteservers(seed, head)
  try {
    for (let i = 0; i < kills; i++) {
      const gateway = await startServed(alone, data, endpointsOf(servers), ...FLAGS)
      await Bun.sleep(random() * withinMs)
      await gateway.end('SIGKILL')
    }
    const gateway = await startServed(alone, data, endpointsOf(servers), ...FLAGS)
    await untilReady(gateway.url, patienceMs)
    await gateway.end()
    return await dumpOf(alone, data)
  } finally {
    for (const server of servers) server.kill()
    rmSync(join(alone.folder, data), { recursive: true, force: true })
  }
}
