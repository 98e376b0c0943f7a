import { embeddedRecording } from '../../src/devnet/archive.ts'
import { CONNECTION_DEFAULTS, connect } from '../../src/liteserver/connection.ts'
import { rawAddress, tryParseAddress } from '../../src/ton/address.ts'
import { parseBocRoot } from '../../src/ton/boc.ts'
import { decodeAnswer, encodeQuery } from '../../src/ton/tl/lite-api.ts'
import { accountBlocks, transactionsOf } from '../../src/ton/tlb/account-blocks.ts'
import { parseBlock } from '../../src/ton/tlb/block.ts'
import { parseBlockExtra } from '../../src/ton/tlb/block-extra.ts'
import { load } from './load.ts'
import type { Program } from './program.ts'
import { figure, quantile, type Row } from './table.ts'

const MS = 3_000
const TIMEOUT_MS = 10_000

/** The raw address of every account that had at least so many transactions on the recorded network. */
export const recordedAccounts = (least = 1): string[] => {
  const found = new Map<string, number>()
  for (const { id, data } of embeddedRecording().blocks)
    for (const block of accountBlocks(parseBlockExtra(parseBlock(parseBocRoot(data)).extra).account_blocks)) {
      const address = rawAddress({ workchain: id.workchain, hash: block.account_addr })
      found.set(address, (found.get(address) ?? 0) + Array.from(transactionsOf(block)).length)
    }
  return [...found].flatMap(([address, transactions]) => (transactions >= least ? [address] : []))
}

/** Milliseconds of one getAccountState query each, asked one after the other over our own connection. */
export const rawLatencies = async ({ port, key }: Program['liteserver'], accounts: readonly string[]) => {
  const connection = await connect({ host: '127.0.0.1', port, key }, CONNECTION_DEFAULTS)
  const ask = (bytes: Buffer) => connection.query(bytes, { timeoutMs: TIMEOUT_MS })
  const info = await ask(encodeQuery({ _: 'liteServer.getMasterchainInfo' }))
  const { last } = decodeAnswer('liteServer.getMasterchainInfo', info)
  const latencies: number[] = []
  for (const { workchain, hash: id } of accounts.map((address) => tryParseAddress(address)!)) {
    const account = { workchain, id }
    const at = performance.now()
    await ask(encodeQuery({ _: 'liteServer.getAccountState', id: last, account }))
    latencies.push(performance.now() - at)
  }
  connection.close()
  return latencies
}

const percentiles = (latencies: readonly number[]): string =>
  `p50 ${figure(quantile(latencies, 0.5), 'ms')}, p99 ${figure(quantile(latencies, 0.99), 'ms')}`

/**
 * Latency of getAddressInformation beside the liteserver query that it makes: of the first request for each account,
 * proofs checked on the way, and of the later ones, which find the answer of the same block in the cache. The raw ones
 * are measured the second time they are asked, so that both find the liteserver warm.
 */
export const benchAccounts = async (program: Program): Promise<Row[]> => {
  const accounts = recordedAccounts()
  const paths = accounts.map((address) => `/ton/api/v2/getAddressInformation?address=${address}`)
  await rawLatencies(program.liteserver, accounts)
  const raw = await rawLatencies(program.liteserver, accounts)
  const asked = await load(program.port, { connections: 1, ms: MS, path: (n) => paths[n % paths.length]! })
  if (asked.failed > 0) throw new Error(`${asked.failed} requests failed`)
  const row = (what: string, latencies: readonly number[]): Row => ({
    what: `getAddressInformation, ${what}, one at a time`,
    ours: percentiles(latencies),
    beside: `raw getAccountState ${percentiles(raw)}`,
    ratio: `${(quantile(latencies, 0.5) / quantile(raw, 0.5)).toFixed(1)}x`,
  })
  return [
    row(`${accounts.length} accounts for the first time`, asked.latencies.slice(0, accounts.length)),
    row('the same again', asked.latencies.slice(accounts.length)),
  ]
}
