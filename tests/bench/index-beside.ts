import { copyExecutable, type Lonely } from '../support/executable.ts'
import { startServed } from '../support/served-gateway.ts'
import { recordedAccounts } from './accounts.ts'
import { load } from './load.ts'
import { type Program, startProgram } from './program.ts'
import { figure, quantile, type Row } from './table.ts'

/** A masterchain block of which the recording has the signatures, so that it can be trusted in full. */
const HEAD = 357
const ROUNDS = 6
const CONNECTIONS = 4
const STEP_MS = 100

const isReady = async (port: number): Promise<boolean> => (await fetch(`http://127.0.0.1:${port}/ready`)).status === 200

interface Latencies {
  beside: number[]
  alone: number[]
}

/** One gateway that indexes the recorded network from genesis: v2's latencies until it is through, then for as long again. */
const round = async (folder: Lonely, network: Program, n: number): Promise<Latencies> => {
  const accounts = recordedAccounts()
  const path = (i: number) =>
    `/ton/api/v2/getAddressInformation?address=${accounts[i % accounts.length]}&seqno=${HEAD - (i % 40)}`
  const servers = [{ host: '127.0.0.1', ...network.liteserver }]
  const flags = ['--index', 'on', '--index-from', 'genesis', '--log-level', 'error']
  const gateway = await startServed(folder, `round-${n}`, servers, ...flags)
  try {
    const port = Number(new URL(gateway.url).port)
    const measure = async (until: () => Promise<boolean>): Promise<number[]> => {
      const latencies: number[] = []
      for (let at = 0; !(await until()); at += 1_000)
        latencies.push(
          ...(await load(port, { connections: CONNECTIONS, ms: STEP_MS, path: (i) => path(at + i) })).latencies,
        )
      return latencies
    }
    const startedAt = performance.now()
    const beside = await measure(() => isReady(port))
    const took = performance.now() - startedAt
    const end = performance.now() + took
    return { beside, alone: await measure(async () => performance.now() > end) }
  } finally {
    await gateway.end()
  }
}

/** What catching up with a chain does to the latency of account reads through API v2 in the same process. */
export const benchIndexBeside = async (): Promise<Row[]> => {
  const network = await startProgram('--head', String(HEAD), '--index', 'off')
  const folder = await copyExecutable()
  const all: Latencies = { beside: [], alone: [] }
  try {
    for (let n = 0; n < ROUNDS; n++) {
      const { beside, alone } = await round(folder, network, n)
      all.beside.push(...beside)
      all.alone.push(...alone)
    }
  } finally {
    folder.remove()
    await network.stop()
  }
  const text = (samples: readonly number[]): string =>
    `p50 ${figure(quantile(samples, 0.5), 'ms')}, p99 ${figure(quantile(samples, 0.99), 'ms')}`
  return [
    {
      what: `v2 account read while the index catches up (${all.beside.length} reads)`,
      ours: text(all.beside),
      beside: `caught up: ${text(all.alone)}`,
      ratio: `p99 ${(quantile(all.beside, 0.99) / quantile(all.alone, 0.99)).toFixed(2)}x`,
    },
  ]
}
