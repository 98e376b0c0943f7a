import { copyExecutable } from '../support/executable.ts'
import { startServed } from '../support/served-gateway.ts'
import { load } from './load.ts'
import { metric } from './metric.ts'
import { startProgram } from './program.ts'
import { figure, quantile, type Row } from './table.ts'
import { type Call, HEAD, shifted, v2Calls } from './v2-calls.ts'

const CONNECTIONS = 8
const REQUESTS = 3_000
const LONGEST_MS = 60_000
const [FEW, FILLED, MANY] = [10_000, 100_000, 1_000_000]
/** Memory goes up and down by a sixth with the collector: the middle of so many moments is told. */
const STEPS = 20
const MEBI = 1 << 20

/** Processor seconds of all threads of the gateway for 1,000 requests, none like another, after as many for warming up. */
const cpuOf = async (port: number, call: Call): Promise<number> => {
  const run = async (from: number): Promise<void> => {
    const asked = shifted(call, from)
    const { failed } = await load(port, { connections: CONNECTIONS, ms: LONGEST_MS, requests: REQUESTS, ...asked })
    if (failed > 0) throw new Error(`${failed} requests failed: ${asked.path(0)}`)
  }
  await run(0)
  const before = await metric(port, 'tonlith_process_cpu_seconds')
  await run(REQUESTS + CONNECTIONS)
  return (((await metric(port, 'tonlith_process_cpu_seconds')) - before) / REQUESTS) * 1000
}

/**
 * Memory after many requests beside that after few. The first are all of different accounts at different blocks; of those
 * after them one in ten is such a one, which fills the caches that are bounded by bytes and then pushes others out.
 */
const memory = async (port: number, often: Call, uncached: Call): Promise<Row> => {
  let asked = 0
  /** On the way to so many requests. */
  const until = async (requests: number, path: Call['path']): Promise<number> => {
    const from = asked
    asked = requests
    const samples: number[] = []
    for (let i = 0; i < STEPS; i++) {
      const step = (requests - from) / STEPS
      const next = (n: number): string => path(from + i * step + n)
      await load(port, { connections: CONNECTIONS, ms: 20 * LONGEST_MS, requests: step, path: next })
      samples.push(await metric(port, 'tonlith_process_resident_memory_bytes'))
    }
    return quantile(samples, 0.5)
  }
  const mixed = (n: number): string => (n % 10 === 9 ? uncached.path(FEW + (n - 9) / 10) : often.path(n))
  const few = await until(FEW, uncached.path)
  const filled = await until(FILLED, mixed)
  const many = await until(MANY, mixed)
  const mib = (bytes: number): string => figure(bytes / MEBI, 'MiB')
  return {
    what: `memory up to ${MANY.toLocaleString('en-US')} requests`,
    ours: mib(many),
    beside: `up to ${FILLED.toLocaleString('en-US')}: ${mib(filled)}, up to ${FEW.toLocaleString('en-US')} uncached: ${mib(few)}`,
    ratio: `${(many / filled).toFixed(2)}x`,
  }
}

/** What checking costs a `serve` that finds nothing in its caches but blocks, its liteserver being another process. */
export const benchCosts = async (): Promise<Row[]> => {
  const { head, information } = v2Calls()
  const network = await startProgram('--head', String(HEAD), '--index', 'off')
  const alone = await copyExecutable()
  const serve = async <T>(trust: string, use: (port: number) => Promise<T>): Promise<T> => {
    const servers = [{ host: '127.0.0.1', ...network.liteserver }]
    const gateway = await startServed(alone, trust, servers, '--trust', trust, '--index', 'off', '--log-level', 'error')
    try {
      return await use(Number(new URL(gateway.url).port))
    } finally {
      await gateway.end()
    }
  }
  try {
    const full = await serve('full', (port) => cpuOf(port, information))
    const none = await serve('none', (port) => cpuOf(port, information))
    return [
      {
        what: 'getAddressInformation, 1,000 uncached requests, full trust',
        ours: figure(full, 'cpu-s'),
        beside: `without trust ${figure(none, 'cpu-s')}`,
        ratio: `${(full / none).toFixed(2)}x`,
      },
      await serve('proofs', (port) => memory(port, head, information)),
    ]
  } finally {
    alone.remove()
    await network.stop()
  }
}
