import { untilReady } from '../support/ready.ts'
import { load } from './load.ts'
import { startProgram } from './program.ts'
import { figure, type Row } from './table.ts'

const RUN = { connections: 32, ms: 2_000, path: () => '/ton/api/v2/getMasterchainInfo' }
const ROUNDS = 3
const PROCESSES = 2

/**
 * Hot reads of two processes that share an address, beside one, in alternating runs. The load comes from a third process:
 * on a machine with two processors it takes a part of theirs.
 */
export const benchHttpWorkers = async (): Promise<Row[]> => {
  const one = await startProgram()
  const several = await startProgram('--http-workers', String(PROCESSES))
  try {
    const sums = new Map([one, several].map((program) => [program, 0]))
    for (const { port } of [one, several]) {
      await untilReady(`http://127.0.0.1:${port}`)
      await load(port, RUN)
    }
    for (let round = 0; round < ROUNDS; round++) {
      for (const [program, sum] of sums) {
        const { perSecond, failed } = await load(program.port, RUN)
        if (failed > 0) throw new Error(`${failed} requests failed`)
        sums.set(program, sum + perSecond / ROUNDS)
      }
    }
    const [single, all] = [sums.get(one)!, sums.get(several)!]
    return [
      {
        what: `getMasterchainInfo, ${RUN.connections} connections, ${PROCESSES} processes`,
        ours: figure(all, 'requests/s'),
        beside: `1 process ${figure(single, 'requests/s')}`,
        ratio: `${((100 * all) / single).toFixed(0)}%`,
      },
    ]
  } finally {
    await Promise.all([one.stop(), several.stop()])
  }
}
