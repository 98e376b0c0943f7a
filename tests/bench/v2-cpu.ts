import { copyExecutable, type Lonely, type Running } from '../support/executable.ts'
import { untilReady } from '../support/ready.ts'
import { startServed } from '../support/served-gateway.ts'
import { rawLatencies, recordedAccounts } from './accounts.ts'
import { startBareServer } from './bare-process.ts'
import { load } from './load.ts'
import { metric } from './metric.ts'
import { type Program, startProgram } from './program.ts'
import { figure, quantile, type Row } from './table.ts'
import { type Call, HEAD, shifted, v2Calls } from './v2-calls.ts'
import { hasWrk, wrk } from './wrk.ts'

const CONNECTIONS = 8
const LONGEST_MS = 300_000
/**
 * Requests in a slice and slices that are measured, after requests that let the compiler of the runtime do its work: it
 * took a quarter of the processor time after 6,000 of them, a twenty-fifth after 40,000. Many short slices, as neighbours
 * on the machine slow some of them by two thirds.
 */
const [SLICE, SLICES, WARM] = [500, 40, 20_000]
/** A hot read is so cheap that more of them are needed. */
const HOT = 10
/** Slices of two seconds. */
const WRK_SLICES = 8
const QUIET = ['--index', 'off', '--log-level', 'error']
const STARTS = 5

/** Processor seconds for 1,000 requests: on average, and in the slice that other programs disturbed least. */
interface Cpu {
  mean: number
  least: number
}

/** How calls are sent, and in how many slices they are measured. */
interface Loading {
  client: Client
  slices: number
}

/** Sends some of the calls, from the n-th on, and gives how many were answered. */
type Client = (port: number, call: Call, from: number) => Promise<number>

/** Our own client, for so many requests. */
const sockets =
  (requests: number): Client =>
  async (port, call, from) => {
    const asked = shifted(call, from)
    const { failed } = await load(port, { connections: CONNECTIONS, ms: LONGEST_MS, requests, ...asked })
    if (failed > 0) throw new Error(`${failed} requests failed: ${asked.path(0)}`)
    return requests
  }

/** What requests cost, after others for warming up; `seconds` tells the processor seconds of the process so far. */
const cpuOf = async (
  { client, slices }: Loading,
  port: number,
  call: Call,
  seconds: () => Promise<number>,
): Promise<Cpu> => {
  let from = 0
  while (from < WARM) from += await client(port, call, from)
  const seen: number[] = []
  for (let i = 0; i < slices; i++) {
    const before = await seconds()
    const answered = await client(port, call, from)
    seen.push(((await seconds()) - before) / (answered / 1000))
    from += answered
  }
  return { mean: seen.reduce((sum, each) => sum + each, 0) / slices, least: Math.min(...seen) }
}

const cpuText = ({ mean, least }: Cpu): string => `${figure(least, 'cpu-s')}, on average ${figure(mean, 'cpu-s')}`

/** A row with the figure, and the one that issue 9 asks for. */
const row = (what: string, cpu: Cpu, wanted: number): Row => ({
  what: `${what}, CPU for 1,000 requests after ${WARM}`,
  ours: cpuText(cpu),
  beside: `wanted ${wanted}`,
  ratio: `${(cpu.least / wanted).toFixed(2)}x`,
})

/** What full trust and HTTP add to the liteserver's own time: accounts asked for the first time at blocks, one at a time. */
const added = async (network: Program, port: number, { information }: ReturnType<typeof v2Calls>): Promise<Row> => {
  const requests = recordedAccounts().length
  await rawLatencies(network.liteserver, recordedAccounts())
  const raw = quantile(await rawLatencies(network.liteserver, recordedAccounts()), 0.5)
  const asked = { connections: 1, ms: LONGEST_MS, requests, ...shifted(information, 100 * requests) }
  const ours = quantile((await load(port, asked)).latencies, 0.5)
  return {
    what: 'getAddressInformation uncached, full trust, p50',
    ours: figure(ours, 'ms'),
    beside: `raw getAccountState ${figure(raw, 'ms')}, wanted 0.5 more`,
    ratio: `+${figure(ours - raw, 'ms')}`,
  }
}

const serve = (alone: Lonely, network: Program, name: string): Promise<Running> =>
  startServed(alone, name, [{ host: '127.0.0.1', ...network.liteserver }], '--trust', 'full', ...QUIET)

const coldStart = async (alone: Lonely, network: Program): Promise<Row> => {
  const starts: number[] = []
  for (let i = 0; i < STARTS; i++) {
    const startedAt = performance.now()
    const gateway = await serve(alone, network, 'start')
    starts.push(performance.now() - startedAt)
    await gateway.end()
  }
  const ms = quantile(starts, 0.5)
  return {
    what: `cold start of \`serve\` (median of ${STARTS})`,
    ours: figure(ms, 'ms'),
    beside: 'wanted 150',
    ratio: `${(ms / 150).toFixed(2)}x`,
  }
}

/** The bare server's figure tells how fast the machine is just now. */
const bare = async (loading: Loading, port: number, call: Call): Promise<Row> => {
  const server = await startBareServer(await (await fetch(`http://127.0.0.1:${port}${call.path(0)}`)).text())
  try {
    const cpu = await cpuOf(loading, server.port, call, server.seconds)
    return { what: 'bare Bun.serve, the same bytes, CPU for 1,000 requests', ours: cpuText(cpu) }
  } finally {
    server.stop()
  }
}

/** Works with a gateway of full trust whose liteserver is another process. */
const withGateway = async (work: (port: number, network: Program, alone: Lonely) => Promise<Row[]>): Promise<Row[]> => {
  const network = await startProgram('--head', String(HEAD), '--index', 'off')
  const alone = await copyExecutable()
  try {
    const gateway = await serve(alone, network, 'full')
    try {
      await untilReady(gateway.url)
      return await work(Number(new URL(gateway.url).port), network, alone)
    } finally {
      await gateway.end()
    }
  } finally {
    alone.remove()
    await network.stop()
  }
}

/** The calls of issue 9 beside what it asks for. */
const callRows = async (
  port: number,
  calls: ReturnType<typeof v2Calls>,
  hot: Loading,
  cold: Loading,
): Promise<Row[]> => {
  const cpu = (loading: Loading, call: Call): Promise<Cpu> =>
    cpuOf(loading, port, call, () => metric(port, 'tonlith_process_cpu_seconds'))
  return [
    row('getMasterchainInfo', await cpu(hot, calls.head), 0.015),
    await bare(hot, port, calls.head),
    row('getAddressInformation from the cache', await cpu(hot, calls.cachedInformation), 0.025),
    row('getAddressInformation uncached', await cpu(cold, calls.information), 0.25),
    row('getTransactions(10) uncached', await cpu(cold, calls.transactions), 0.5),
    row('runGetMethod seqno uncached', await cpu(cold, calls.getMethod), 0.4),
    row('runGetMethod seqno, state at hand', await cpu(cold, calls.cachedStateGetMethod), 0.25),
  ]
}

/** Processor seconds that API v2 takes by our own client, what it adds to the liteserver's time, and its cold start. */
export const benchV2Cpu = (): Promise<Row[]> =>
  withGateway(async (port, network, alone) => {
    const calls = v2Calls()
    const hot = { client: sockets(SLICE * HOT), slices: SLICES }
    return [
      ...(await callRows(port, calls, hot, { client: sockets(SLICE), slices: SLICES })),
      await added(network, port, calls),
      await coldStart(alone, network),
    ]
  })

/** The same calls by `wrk -t1 -c8`, as issue 9 names it: wrk answers at once, so that each request wakes the server. */
export const benchV2Wrk = async (): Promise<Row[]> => {
  if (!hasWrk()) return [{ what: 'calls of API v2 by wrk', ours: 'wrk is not installed' }]
  const loading = { client: wrk, slices: WRK_SLICES }
  return await withGateway((port) => callRows(port, v2Calls(), loading, loading))
}
