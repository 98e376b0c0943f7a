import type { FaultName } from './faults.ts'
import type { MemorySample, MemoryVerdict } from './memory.ts'
import type { Life } from './served.ts'
import type { StruckFault, Tally } from './stage.ts'

/** All that a soak has seen, for people and machines. */
export interface SoakReport {
  seed: number
  minutes: number
  /** Faults that could not be made here, and why. */
  leftOut: Readonly<Partial<Record<FaultName, string>>>
  faults: readonly StruckFault[]
  calm: Tally
  /** By kind of request, in calm: how many, and milliseconds of half, and of 95 in 100, of them. */
  latencies: Record<string, { count: number; p50: number; p95: number }>
  chain: { masterchain: number; blocks: number; transactions: number }
  spoiltAnswers: number
  sent: number
  payments: { paid: number; events: number; webhooks: number }
  lives: readonly { startSeconds: number; seconds: number; ended: Life['ended']; memory: readonly MemorySample[] }[]
  memory: MemoryVerdict | undefined
  /** Seconds in which the machine had no time for what no fault strikes. */
  busySeconds: number
  /** What was too late then, and says nothing. */
  excused: readonly string[]
  /** What must not be; empty where all is well. */
  failures: readonly string[]
}

const MIB = 2 ** 20

const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(share * (values.length - 1))] ?? Number.NaN

/** What is told of the milliseconds of each kind of request. */
export const latencyTable = (all: ReadonlyMap<string, readonly number[]>): SoakReport['latencies'] =>
  Object.fromEntries(
    [...all]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, ms]) => [name, { count: ms.length, p50: quantile(ms, 0.5), p95: quantile(ms, 0.95) }]),
  )

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0)
const errorsOf = (tallies: readonly Tally[]): number => sum(tallies.flatMap(({ errors }) => Object.values(errors)))

const line = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`

/** The table of a report, in Markdown: a line for each kind of fault, then what was found. */
export const tableOf = (report: SoakReport): string => {
  const { seed, minutes, leftOut, faults, calm, chain, payments, lives, memory, latencies } = report
  const kinds = [...new Set(faults.map(({ fault }) => fault))].sort()
  const rows = kinds.map((kind) => {
    const ofKind = faults.filter(({ fault }) => fault === kind)
    const tallies = ofKind.map(({ tally }) => tally)
    const recovered = ofKind.filter(({ wasBusy }) => !wasBusy).map(({ recoveredMs }) => recoveredMs)
    const busy = ofKind.length - recovered.length
    return [
      kind,
      ofKind.length,
      `${Math.round(sum(ofKind.map(({ lastsMs }) => lastsMs)) / 1000)} s`,
      sum(tallies.map(({ requests }) => requests)),
      errorsOf(tallies),
      `${Math.round(Math.max(...tallies.map(({ slowestMs }) => slowestMs)))} ms`,
      recovered.includes(undefined) ? 'never' : recovered.length > 0 ? `${Math.max(...recovered.map(Number))} ms` : '',
      busy > 0 ? busy : '',
    ]
  })
  const mib = (bytes: number): string => `${(bytes / MIB).toFixed(1)} MiB`
  return [
    line(['fault', 'times', 'lasted', 'requests', 'errors', 'slowest', 'well again after', 'not measured']),
    line(Array(8).fill('---')),
    ...rows.map(line),
    line(['(calm)', '', '', calm.requests, errorsOf([calm]), `${Math.round(calm.slowestMs)} ms`, '', '']),
    '',
    `seed ${seed}, ${minutes} minutes, ${faults.length} faults, ${report.spoiltAnswers} answers of liteservers spoilt`,
    `chain: ${chain.masterchain} masterchain blocks, ${chain.blocks} blocks, ${chain.transactions} transactions`,
    `sent through the gateway: ${report.sent}; payments: ${payments.paid} paid, ${payments.events} events in ${payments.webhooks} webhooks`,
    `gateway: ${lives.length} starts, the slowest ${Math.max(...lives.map(({ startSeconds }) => startSeconds)).toFixed(2)} s`,
    memory
      ? `memory over ${Math.round(memory.seconds)} s: ${mib(memory.first)} anonymous at first, ${mib(memory.last)} at last, ${mib(memory.perMinute)} a minute; ${mib(memory.most)} resident at most`
      : 'memory: too short a life to tell',
    ...Object.entries(latencies).map(
      ([name, { count, p50, p95 }]) =>
        `  ${name}: ${count}, ${p50.toFixed(1)} ms (median), ${p95.toFixed(1)} ms (95 %)`,
    ),
    `the machine was too busy to measure for ${Math.round(report.busySeconds)} s: ${report.excused.length} times something was late then`,
    ...Object.entries(leftOut).map(([fault, why]) => `left out: ${fault} (${why})`),
    ...report.failures.map((failure) => `FAILED: ${failure}`),
    report.failures.length === 0 ? 'all is well' : `${report.failures.length} failures; again with SOAK_SEED=${seed}`,
  ].join('\n')
}
