import { readFileSync, statSync } from 'node:fs'
import { BINARY, type Program, startProgram } from './program.ts'
import { figure, quantile, type Row } from './table.ts'

const STARTS = 5

/** Resident memory of a process in bytes, where the system has /proc. */
const residentBytes = (pid: number): number => {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? Number.NaN) * 1024
}

const MEBI = 1 << 20

/** Size of the binary, time to the first answer, memory when nothing happens. */
export const benchBinary = async (program: Program): Promise<Row[]> => {
  const starts: number[] = []
  for (let i = 0; i < STARTS; i++) {
    const started = await startProgram()
    starts.push(started.startMs)
    await started.stop()
  }
  return [
    { what: 'binary size', ours: figure(statSync(BINARY).size / MEBI, 'MiB') },
    { what: `cold start of \`dev\` (median of ${STARTS})`, ours: figure(quantile(starts, 0.5), 'ms') },
    { what: 'memory of `dev`, idle', ours: figure(residentBytes(program.pid) / MEBI, 'MiB') },
  ]
}
