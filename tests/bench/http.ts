import { startBareServer } from './bare-process.ts'
import { load } from './load.ts'
import type { Program } from './program.ts'
import { figure, type Row } from './table.ts'

const PATH = '/ton/api/v2/getMasterchainInfo'
const ROUNDS = 3
const RUN = { connections: 32, ms: 2_000, path: () => PATH }

/** Requests per second of a hot read beside a bare Bun.serve that answers the same bytes, in alternating runs, both warm. */
export const benchHttp = async (program: Program): Promise<Row[]> => {
  const body = await (await fetch(`http://127.0.0.1:${program.port}${PATH}`)).text()
  const bare = await startBareServer(body)
  let ours = 0
  let beside = 0
  let failed = 0
  try {
    for (const port of [program.port, bare.port]) await load(port, RUN)
    for (let round = 0; round < ROUNDS; round++) {
      const mine = await load(program.port, RUN)
      failed += mine.failed
      ours += mine.perSecond / ROUNDS
      beside += (await load(bare.port, RUN)).perSecond / ROUNDS
    }
  } finally {
    bare.stop()
  }
  if (failed > 0) throw new Error(`${failed} requests failed`)
  return [
    {
      what: `getMasterchainInfo, ${RUN.connections} connections`,
      ours: figure(ours, 'requests/s'),
      beside: `bare Bun.serve ${figure(beside, 'requests/s')}`,
      ratio: `${((100 * ours) / beside).toFixed(0)}%`,
    },
  ]
}
