import { untilReady } from '../support/ready.ts'
import { benchAccounts } from './accounts.ts'
import { benchBinary } from './binary.ts'
import { benchCells } from './cells.ts'
import { benchCosts } from './costs.ts'
import { benchDetection } from './detection.ts'
import { benchDevnet } from './devnet.ts'
import { benchFuzz } from './fuzz.ts'
import { benchGetMethods } from './get-methods.ts'
import { benchHttp } from './http.ts'
import { benchHttpWorkers } from './http-workers.ts'
import { benchIdleMemory } from './idle-memory.ts'
import { benchIndexBeside } from './index-beside.ts'
import { benchIndexCatchUp } from './index-catch-up.ts'
import { benchIndexReplay } from './index-replay.ts'
import { benchIndexStore } from './index-store.ts'
import { type Program, startProgram } from './program.ts'
import { printTable, type Row } from './table.ts'
import { benchV2Cpu, benchV2Wrk } from './v2-cpu.ts'

const withProgram =
  (...parts: ((program: Program) => Promise<Row[]>)[]) =>
  async (): Promise<Row[]> => {
    const program = await startProgram()
    try {
      await untilReady(`http://127.0.0.1:${program.port}`)
      const rows: Row[] = []
      for (const part of parts) rows.push(...(await part(program)))
      return rows
    } finally {
      await program.stop()
    }
  }

/** What is measured when nothing is named, in this order. */
const PARTS: Readonly<Record<string, () => Promise<Row[]> | Row[]>> = {
  cells: benchCells,
  'get-methods': benchGetMethods,
  'index-store': benchIndexStore,
  'index-catch-up': benchIndexCatchUp,
  detection: benchDetection,
  http: withProgram(benchHttp, benchAccounts, benchBinary),
  'http-workers': benchHttpWorkers,
  costs: benchCosts,
  'v2-cpu': benchV2Cpu,
  'v2-wrk': benchV2Wrk,
  'idle-memory': benchIdleMemory,
  'index-replay': benchIndexReplay,
  'index-beside': benchIndexBeside,
  devnet: benchDevnet,
}

const benchParts = async (names: readonly string[]): Promise<Row[]> => {
  const rows: Row[] = []
  for (const name of names) {
    const part = PARTS[name]
    if (!part) throw new Error(`no such part: ${name} (there are ${Object.keys(PARTS).join(', ')}, fuzz)`)
    rows.push(...(await part()))
  }
  return rows
}

const [first, ...others] = process.argv.slice(2)
if (first === 'fuzz') printTable(await benchFuzz(...others.map(Number)))
else printTable(await benchParts(first === undefined ? Object.keys(PARTS) : [first, ...others]))
