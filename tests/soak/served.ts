import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Endpoint } from '../../src/liteserver/connection.ts'
import type { BlockIdExt } from '../../src/ton/block-id.ts'
import { type Lonely, type Running, runExecutable, startExecutable } from '../support/executable.ts'
import { globalConfigOf } from '../support/served-gateway.ts'
import { type MemorySample, readMemory } from './memory.ts'

/** How one process of the gateway ended. */
export interface Life {
  /** Seconds from the order to start it until it listened. */
  startSeconds: number
  memory: MemorySample[]
  /** How it was ended, and its exit code; undefined while it lives. */
  ended?: { signal: NodeJS.Signals; code: number; seconds: number }
  stderr(): string
}

/** `tonlith serve` on the faulty liteservers, through its ends and starts. */
export interface Served {
  url: string
  apiKey: string
  lives: readonly Life[]
  /** Ends the process as told. */
  end(signal: NodeJS.Signals): Promise<void>
  start(): Promise<void>
  /** False while it was ended on purpose. */
  isUp(): boolean
  /** True when the process is gone though nobody ended it. */
  hasDied(): boolean
  /** Runs another verb of the program on its data. */
  verb(args: readonly string[]): Promise<{ code: number; stdout: string; stderr: string }>
  /** Notes what the process takes now. */
  sampleMemory(): void
}

export interface ServedOptions {
  alone: Lonely
  /** Absolute path of its data folder. */
  data: string
  servers: readonly Endpoint[]
  /** The true one, for what is checked in the end. */
  direct: Endpoint
  zeroState: BlockIdExt
  port: number
  requestMs: number
  env: Record<string, string>
  flags: readonly string[]
}

const API_KEY = 'soak-key-0123456789'
export const DIRECT_CONFIG = 'direct.json'
const CONFIG = 'faulty.json'

export const createServed = (options: ServedOptions): Served => {
  const { alone, data, servers, direct, zeroState, port, requestMs, env, flags } = options
  writeFileSync(join(alone.folder, CONFIG), globalConfigOf(servers, zeroState))
  writeFileSync(join(alone.folder, DIRECT_CONFIG), globalConfigOf([direct], zeroState))
  const url = `http://127.0.0.1:${port}`
  const args = [
    ['serve', '--network', 'testnet', '--global-config', CONFIG, '--trust', 'full'],
    ['--listen', `127.0.0.1:${port}`, '--data', data, '--log-level', 'warn'],
    ['--keyless-rps', '0', '--v3-keyless-rps', '0', '--payments-keyless-rps', '0', '--payments-rps', '0'],
    ['--request-timeout', `${requestMs}ms`, '--webhooks-allow-hosts', '127.0.0.1'],
    ['--index-from', 'genesis', '--index-retain', 'forever', '--metadata-fetch', 'off'],
    // Caches are full within minutes: what grows from then on is a leak.
    ['--cache-memory', '8'],
    flags,
  ].flat()
  const lives: Life[] = []
  let running: Running | undefined
  let begun = 0

  return {
    url,
    apiKey: API_KEY,
    lives,
    isUp: () => running !== undefined,
    hasDied: () => running?.hasEnded() ?? false,
    async start() {
      const before = performance.now()
      running = await startExecutable(alone, args, { ...env, TONLITH_API_KEY: API_KEY })
      begun = performance.now()
      lives.push({ startSeconds: (begun - before) / 1000, memory: [], stderr: running.stderr })
    },
    async end(signal) {
      const process = running
      if (!process) return
      running = undefined
      const before = performance.now()
      const code = await process.end(signal)
      lives.at(-1)!.ended = { signal, code, seconds: (performance.now() - before) / 1000 }
    },
    verb: (verb) => runExecutable(alone, [...verb, '--data', data]),
    sampleMemory() {
      const read = running && readMemory(running.pid)
      if (read) lives.at(-1)!.memory.push({ at: (performance.now() - begun) / 1000, ...read })
    },
  }
}
