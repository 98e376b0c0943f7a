import type { Endpoint } from '../../src/liteserver/connection.ts'
import { type Lonely, type Running, startExecutable } from './executable.ts'

/** What `GET /dev/status` tells. */
export interface LiveStatus {
  seqno: number
  utime: number
  now: number
  real_time: boolean
  block_interval: number | null
  shards: { workchain: number; shard: string; seqno: number }[]
  pending: number
  faucet: string
  wallets: { version: string; address: string; mnemonic: string }[]
  contracts: { name: string; address: string }[]
  snapshots: string[]
}

/** Where the chain stands after a call. */
export interface LiveHead {
  seqno: number
  utime: number
}

/** The executable with a network of its own that makes blocks. */
export interface LiveNetwork extends Running {
  liteserver: Endpoint
  /** What SDKs are given: API v2 as toncenter has it, through JSON-RPC. */
  rpc: string
  status(): Promise<LiveStatus>
  /** Sends a call of `/dev`; throws with the error's text when it is refused. */
  call<T = LiveHead>(name: string, body: Record<string, unknown>): Promise<T>
  /** Makes blocks at once. */
  mine(blocks?: number): Promise<LiveHead>
  /** The answer of a GET, read as JSON. */
  get<T>(path: string): Promise<T>
}

const endpointOf = (lines: readonly string[]): Endpoint => {
  const [, where, key] = lines.find((line) => line.startsWith('liteserver '))!.split(' ')
  const [host, port] = where!.split(':')
  return { host: host!, port: Number(port), key: Buffer.from(key!, 'base64') }
}

/** Starts `tonlith dev` with its data in a folder beside the executable. */
export const startLiveNetwork = async (alone: Lonely, data: string, ...flags: string[]): Promise<LiveNetwork> => {
  const listen = ['--listen', '127.0.0.1:0', '--liteserver', '127.0.0.1:0', '--log-level', 'warn']
  const running = await startExecutable(alone, ['dev', ...listen, '--data', data, ...flags])
  const read = async <T>(response: Response): Promise<T> => {
    const text = await response.text()
    if (!response.ok) throw new Error(`${response.status} ${text}`)
    return JSON.parse(text) as T
  }
  const call = async <T>(name: string, body: Record<string, unknown>): Promise<T> => {
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(`${running.url}/dev/${name}`, { method: 'POST', headers, body: JSON.stringify(body) })
    return await read<T>(answer)
  }
  return {
    ...running,
    liteserver: endpointOf(running.lines),
    rpc: `${running.url}/ton/api/v2/jsonRPC`,
    call,
    status: async () => read<LiveStatus>(await fetch(`${running.url}/dev/status`)),
    mine: (blocks = 1) => call('mine', { blocks }),
    get: async (path) => read(await fetch(running.url + path)),
  }
}
