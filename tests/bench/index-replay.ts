import { CONNECTION_DEFAULTS, connect } from '../../src/liteserver/connection.ts'
import { encodeQuery } from '../../src/ton/tl/lite-api.ts'
import { startProgram } from './program.ts'
import { figure, quantile, type Row } from './table.ts'

const REPLAY_MS = 250
const BLOCKS = 300
const WAIT_MS = 10_000

/**
 * From the moment at which the liteserver tells of a masterchain block to the answer of API v3 with that block's
 * transactions, on the recording replayed block by block.
 */
export const benchIndexReplay = async (): Promise<Row[]> => {
  const program = await startProgram('--replay', `${REPLAY_MS}ms`, '--log-level', 'error')
  const { port, key } = program.liteserver
  const connection = await connect({ host: '127.0.0.1', port, key }, CONNECTION_DEFAULTS)
  const base = `http://127.0.0.1:${program.port}/api/v3/transactionsByMasterchainBlock`
  const samples: number[] = []
  try {
    for (let seqno = 10; seqno < 10 + BLOCKS; seqno++) {
      const wait = { seqno, timeout_ms: WAIT_MS }
      await connection.query(encodeQuery({ _: 'liteServer.getTime' }, wait), { timeoutMs: WAIT_MS })
      const startedAt = performance.now()
      const response = await fetch(`${base}?seqno=${seqno}&min_mc_seqno=${seqno}&limit=1000`)
      await response.text()
      if (response.status !== 200) throw new Error(`masterchain block ${seqno}: ${response.status}`)
      samples.push(performance.now() - startedAt)
    }
  } finally {
    connection.close()
    await program.stop()
  }
  const of = (share: number): string => figure(quantile(samples, share), 'ms')
  return [
    {
      what: `block at the liteserver to its transactions in v3 (${BLOCKS} blocks)`,
      ours: `p50 ${of(0.5)}, p99 ${of(0.99)}`,
    },
  ]
}
