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
const QUIET = ['--index', 'off', '--log-level', 'error']
const STARTS = 5

/** Processor seconds for 1,000 requests: on average, and in the slice that other programs disturbed least. */
interface Cpu {
  mean: number
  least: number
}

/** What requests cost, after others for warming up; `seconds` tells the processor seconds of the process so far. */
const cpuOf = async (port: number, call: Call, seconds: () => Promise<number>, times = 1): Promise<Cpu> => {
  const run = async (from: number, requests: number): Promise<void> => {
    const asked = shifted(call, from)
    const { failed } = await load(port, { connections: CONNECTIONS, ms: LONGEST_MS, requests, ...asked })
    if (failed > 0) throw new Error(`${failed} requests failed: ${asked.path(0)}`)
  }
  await run(0, WARM)
  const slices: number[] = []
  for (let i = 0; i < SLICES; i++) {
    const before = await seconds()
    await run(WARM + i * SLICE * times, SLICE * times)
    slices.push(((await seconds()) - before) / ((SLICE * times) / 1000))
  }
  return { mean: slices.reduce((sum, each) => sum + each, 0) / SLICES, least: Math.min(...slices) }
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
const bare = async (port: number, call: Call): Promise<Row> => {
  const server = await startBareServer(await (await fetch(`http://127.0.0.1:${port}${call.path(0)}`)).text())
  try {
    const cpu = await cpuOf(server.port, call, server.seconds, HOT)
    return { what: 'bare Bun.serve, the same bytes, CPU for 1,000 requests', ours: cpuText(cpu) }
  } finally {
    server.stop()
  }
}

/** Processor seconds that API v2 takes with full trust, its liteserver being another process, beside those of issue 9. */
export const benchV2Cpu = async (): Promise<Row[]> => {
  const calls = v2Calls()
  const network = await startProgram('--head', String(HEAD), '--index', 'off')
  const alone = await copyExecutable()
  try {
    const gateway = await serve(alone, network, 'full')
    const port = Number(new URL(gateway.url).port)
    const cpu = (call: Call, times = 1) => cpuOf(port, call, () => metric(port, 'tonlith_process_cpu_seconds'), times)
    try {
      await untilReady(gateway.url)
      return [
        row('getMasterchainInfo', await cpu(calls.head, HOT), 0.015),
        await bare(port, calls.head),
        row('getAddressInformation from the cache', await cpu(calls.cachedInformation, HOT), 0.025),
        row('getAddressInformation uncached', await cpu(calls.information), 0.25),
        row('getTransactions(10) uncached', await cpu(calls.transactions), 0.5),
        row('runGetMethod seqno uncached', await cpu(calls.getMethod), 0.4),
        row('runGetMethod seqno, state at hand', await cpu(calls.cachedStateGetMethod), 0.25),
        await added(network, port, calls),
        await coldStart(alone, network),
      ]
    } finally {
      await gateway.end()
    }
  } finally {
    alone.remove()
    await network.stop()
  }
}
