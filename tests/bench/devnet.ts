import { toNano } from '@ton/core'
import { TonClient } from '@ton/ton'
import { getOutMsgQueueSizes, getTime } from '../../src/liteserver/client.ts'
import type { Query } from '../../src/liteserver/query.ts'
import { copyExecutable } from '../support/executable.ts'
import { type LiveHead, type LiveNetwork, startLiveNetwork } from '../support/live-network.ts'
import { printedWallets, sendMined } from '../support/live-wallet.ts'
import { connectQuery } from '../support/query-client.ts'
import { createCrowd } from '../support/transfer-crowd.ts'
import { metric } from './metric.ts'
import { figure, quantile, type Row } from './table.ts'

const TRANSFERS = 20_000
const WALLETS = 80
/** Transfers of one external message. */
const EACH = 10
const EMPTY_STEPS = 300
/** Shards of the basechain. */
const SHARDS = 2
const MEBI = 1 << 20
const PING_MS = 2

interface Timed<T> {
  value: T
  ms: number
  /** Milliseconds that the liteserver took to tell the time meanwhile, question by question. */
  pings: number[]
}

/** Does something that leaves this process idle, and asks the liteserver for the time all along. */
const timed = async <T>(query: Query, work: () => Promise<T>): Promise<Timed<T>> => {
  const pings: number[] = []
  let done = false
  const asking = (async () => {
    while (!done) {
      const asked = performance.now()
      await getTime(query)
      pings.push(performance.now() - asked)
      await Bun.sleep(PING_MS)
    }
  })()
  const begun = performance.now()
  const value = await work()
  const ms = performance.now() - begun
  done = true
  await asking
  return { value, ms, pings }
}

/** Messages that wait in the queues of all shards. */
const queued = async (query: Query): Promise<number> =>
  (await getOutMsgQueueSizes(query, undefined)).shards.reduce((sum, { size }) => sum + size, 0)

const emptyBlocks = async (network: LiveNetwork, query: Query): Promise<Row> => {
  const { ms } = await timed(query, () => network.mine(EMPTY_STEPS))
  const blocks = EMPTY_STEPS * (SHARDS + 1)
  return {
    what: `blocks without messages (${blocks}, over ${SHARDS} shards and the masterchain)`,
    ours: figure((blocks * 1000) / ms, 'blocks/s'),
    beside: figure((EMPTY_STEPS * 1000) / ms, 'masterchain blocks/s'),
  }
}

const transfers = async (network: LiveNetwork, query: Query): Promise<Row[]> => {
  const crowd = createCrowd('bench', WALLETS)
  const [, , rich] = await printedWallets(await network.status())
  await sendMined(network, new TonClient({ endpoint: network.rpc }), rich!, ...crowd.funding(toNano(50)))
  await network.mine(4)
  const before = await network.status()
  const pings: number[] = []
  let handing = 0
  let making = 0
  let head: LiveHead = before
  const mine = async (blocks: number): Promise<void> => {
    const made = await timed(query, () => network.mine(blocks))
    making += made.ms
    head = made.value
    pings.push(...made.pings)
  }
  while (crowd.sent() < TRANSFERS) {
    const begun = performance.now()
    await crowd.hand(query, EACH)
    handing += performance.now() - begun
    await mine(1)
  }
  while ((await network.status()).pending > 0 || (await queued(query)) > 0) await mine(1)
  const externals = crowd.sent() / EACH
  const transactions = crowd.sent() + externals
  const { port } = new URL(network.url)
  return [
    {
      what: `${crowd.sent().toLocaleString('en-US')} transfers by ${externals.toLocaleString('en-US')} messages over ${SHARDS} shards`,
      ours: figure((transactions * 1000) / making, 'transactions/s'),
      beside: `${figure(((head.seqno - before.seqno) * (SHARDS + 1) * 1000) / making, 'blocks/s')}, ${figure(making / 1000, 's')}`,
    },
    {
      what: 'messages that the liteserver checks and takes (signed meanwhile by this process)',
      ours: figure((externals * 1000) / handing, 'messages/s'),
    },
    {
      what: 'longest pause of the liteserver while blocks are made',
      ours: figure(Math.max(...pings), 'ms'),
      beside: `p99 ${figure(quantile(pings, 0.99), 'ms')}, p50 ${figure(quantile(pings, 0.5), 'ms')}`,
    },
    {
      what: 'memory of the network after that',
      ours: figure((await metric(Number(port), 'tonlith_process_resident_memory_bytes')) / MEBI, 'MiB'),
    },
  ]
}

/** What the live network of `tonlith dev` makes when it makes blocks as fast as it can. */
export const benchDevnet = async (): Promise<Row[]> => {
  const alone = await copyExecutable()
  const begun = performance.now()
  const network = await startLiveNetwork(alone, 'data', '--block-interval', 'manual', '--index', 'off')
  const startMs = performance.now() - begun
  const { query, connection } = await connectQuery(network.liteserver)
  try {
    return [
      { what: 'a new network answers after', ours: figure(startMs, 'ms') },
      await emptyBlocks(network, query),
      ...(await transfers(network, query)),
    ]
  } finally {
    connection.close()
    await network.end('SIGKILL')
    alone.remove()
  }
}
