import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { getMasterchainInfo } from '../../src/liteserver/client.ts'
import { SHARD_ALL } from '../../src/ton/block-id.ts'
import { readMemory } from '../soak/memory.ts'
import { copyExecutable, type Lonely, startExecutable } from '../support/executable.ts'
import { type LiveNetwork, startLiveNetwork } from '../support/live-network.ts'
import { connectQuery } from '../support/query-client.ts'
import { untilReady } from '../support/ready.ts'
import { globalConfigOf } from '../support/served-gateway.ts'
import { figure, type Row } from './table.ts'

const CONFIG = 'network.json'
/** Blocks that are there before the gateway is started. */
const BLOCKS = 600
const IDLE_MS = 60_000
const MEBI = 1 << 20
const WANTED = 200e6

const writeConfig = async (alone: Lonely, network: LiveNetwork): Promise<void> => {
  const { connection, query } = await connectQuery(network.liteserver)
  const { init } = await getMasterchainInfo(query)
  connection.close()
  writeFileSync(
    join(alone.folder, CONFIG),
    globalConfigOf([network.liteserver], { ...init, shard: SHARD_ALL, seqno: 0 }),
  )
}

const idle = async (alone: Lonely, from: string): Promise<Row> => {
  const where = ['--listen', '127.0.0.1:0', '--global-config', CONFIG, '--network', 'testnet', '--data', from]
  const gateway = await startExecutable(alone, ['serve', ...where, '--index-from', from, '--log-level', 'error'])
  try {
    await untilReady(gateway.url)
    await Bun.sleep(IDLE_MS)
    const memory = readMemory(gateway.pid)
    if (!memory) throw new Error('memory is read from /proc')
    const mib = (bytes: number): string => figure(bytes / MEBI, 'MiB')
    return {
      what: `memory of \`serve\`, idle, an index that follows a live network from ${from}`,
      ours: `${mib(memory.resident)} resident, ${mib(memory.anonymous)} its own`,
      beside: `wanted ${WANTED / 1e6} MB`,
      ratio: `${(memory.resident / WANTED).toFixed(2)}x`,
    }
  } finally {
    await gateway.end()
  }
}

/** What a gateway takes that nobody asks while its index follows a live network, a minute after it has caught up. */
export const benchIdleMemory = async (): Promise<Row[]> => {
  const alone = await copyExecutable()
  const network = await startLiveNetwork(alone, 'net', '--index', 'off')
  try {
    await network.mine(BLOCKS)
    await writeConfig(alone, network)
    return [await idle(alone, 'head'), await idle(alone, 'genesis')]
  } finally {
    await network.end()
    alone.remove()
  }
}
