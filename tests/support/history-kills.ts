import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { networkOf } from '../../src/cli/index-messages.ts'
import { seededRandom } from '../../src/common/seeded-random.ts'
import { indexFolder, openIndexStore } from '../../src/store/index-store.ts'
import type { Lonely, Running } from './executable.ts'
import type { FakeLiteserver } from './fake-liteserver.ts'
import { startFaultyLiteservers } from './faulty-liteservers.ts'
import { indexFaults } from './index-check.ts'
import { logicalDump } from './logical-dump.ts'
import { recordedChain } from './recorded-chain.ts'
import { startServed } from './served-gateway.ts'

/** Runs of the executable that fetch the histories of chosen accounts, killed at random points. */

const LOOK_MS = 50

interface IndexPart {
  state: string
  histories: { left: number; accounts: readonly unknown[] } | null
}

/** Waits until the histories of all chosen accounts are there. Throws with what is left when that takes too long. */
export const untilHistories = async ({ url }: Pick<Running, 'url'>, patienceMs: number): Promise<void> => {
  const until = Date.now() + patienceMs
  for (;;) {
    const { index } = (await (await fetch(`${url}/status`)).json()) as { index: IndexPart }
    if (index.state === 'following' && index.histories?.left === 0) return
    if (Date.now() > until) throw new Error(`not done: ${JSON.stringify(index)}`)
    await Bun.sleep(LOOK_MS)
  }
}

/** What the index of the recorded network in a data folder holds, whatever the order in which it came; its faults. */
export const historiesIn = async (alone: Lonely, data: string) => {
  const network = networkOf(recordedChain().zerostate(-1)!.id)
  const index = await openIndexStore(indexFolder(join(alone.folder, data)), network, { readOnly: true })
  try {
    const { address_ids: _, ...dump } = logicalDump(index)
    return { dump, faults: indexFaults(index) }
  } finally {
    await index.environment.close()
  }
}

export interface HistoryTrial {
  /** Names the folder, and decides what goes wrong and when it is killed. */
  seed: number
  accounts: readonly string[]
  /** Masterchain block with which the index begins. */
  from: number
  kills: number
  /** Milliseconds after the start within which it is killed. */
  withinMs: number
  patienceMs: number
}

const endpointsOf = (servers: readonly FakeLiteserver[]) => servers.map(({ host, port, key }) => ({ host, port, key }))

/** Starts the executable on an index of chosen accounts. */
export const startChosen = (
  alone: Lonely,
  data: string,
  { accounts, from }: Pick<HistoryTrial, 'accounts' | 'from'>,
  servers: Parameters<typeof startServed>[2],
): Promise<Running> => {
  const file = `${data}.accounts`
  writeFileSync(join(alone.folder, file), accounts.join('\n'))
  const flags = ['--trust', 'proofs', '--index-from', String(from), '--index-retain', 'forever']
  return startServed(alone, data, servers, ...flags, '--index-accounts', file, '--request-timeout', '2s')
}

/** Fetches histories through faulty liteservers, is killed meanwhile, and gives what is stored in the end. */
export const runHistoryTrial = async (alone: Lonely, trial: HistoryTrial) => {
  const { seed, kills, withinMs, patienceMs } = trial
  const data = `histories-${seed}`
  const random = seededRandom(seed)
  const servers = startFaultyLiteservers(seed, recordedChain().last)
  try {
    for (let i = 0; i < kills; i++) {
      const gateway = await startChosen(alone, data, trial, endpointsOf(servers))
      await Bun.sleep(random() * withinMs)
      await gateway.end('SIGKILL')
    }
    const gateway = await startChosen(alone, data, trial, endpointsOf(servers))
    await untilHistories(gateway, patienceMs)
    await gateway.end()
    return await historiesIn(alone, data)
  } finally {
    for (const server of servers) server.kill()
    rmSync(join(alone.folder, data), { recursive: true, force: true })
  }
}
