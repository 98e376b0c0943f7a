import { describe, expect, test } from 'bun:test'
import { startDevHost } from '../../../src/cli/dev-host.ts'
import type {
  DevOrder,
  DevStarted,
  DevWorker,
  FromDevWorker,
  SentTask,
  ToDevWorker,
} from '../../../src/cli/dev-messages.ts'
import { TonlithError } from '../../../src/common/errors.ts'
import type { TvmRunner } from '../../../src/tvm/local.ts'
import { DEV_STATUS } from '../../support/fake-control.ts'

const ORDER: DevOrder = {
  folder: '/nowhere',
  listen: { host: '127.0.0.1', port: 0 },
  seed: Buffer.alloc(32),
  fresh: false,
  shards: 1,
  blockInterval: 'manual',
  resplitEvery: undefined,
  time: undefined,
  load: undefined,
  fork: undefined,
  logLevel: 'silent',
  log: 'pretty',
}

const STARTED: DevStarted = {
  liteserver: { host: '127.0.0.1', port: 1, key: Buffer.alloc(32) },
  zeroState: { workchain: -1, shard: 0n, seqno: 0, root_hash: Buffer.alloc(32), file_hash: Buffer.alloc(32) },
  accounts: DEV_STATUS.accounts,
}

const TASK: SentTask = {
  method: { contract: '', method_id: 0, stack: '', now: 0, balance: '0', gas_limit: 1 },
  texts: { code: '', data: '', address: '', libraries: '', extra_currencies: '', prev_blocks: '' },
  config: { key: '', boc: '' },
}

const noTvm: TvmRunner = { run: () => Promise.reject(new TonlithError('unsupported', 'no get-methods here')) }

/** A host over a Worker that a test plays. */
const play = () => {
  const heard: ToDevWorker[] = []
  const deaths: TonlithError[] = []
  const listeners = new Map<string, (event: never) => void>()
  let terminated = 0
  const worker: DevWorker = {
    postMessage: (message) => heard.push(message),
    terminate: () => terminated++,
    addEventListener: (type: string, listener: (event: never) => void) => listeners.set(type, listener),
  }
  const fire = (type: string, event: unknown): void => listeners.get(type)!(event as never)
  const host = startDevHost({ spawn: () => worker, order: ORDER, tvm: noTvm, died: (error) => deaths.push(error) })
  return {
    host,
    heard,
    deaths,
    fire,
    say: (data: FromDevWorker) => fire('message', { data }),
    terminated: () => terminated,
  }
}

describe('the start', () => {
  test('is told, and waits for the liteserver', async () => {
    const { host, heard, say } = play()
    expect(heard).toEqual([{ start: ORDER }])
    say({ started: STARTED })
    expect((await host).started).toEqual(STARTED)
  })

  test('fails with the words of the Worker', async () => {
    const { host, say, deaths, terminated } = play()
    say({ failed: { kind: 'conflict', message: 'another process has it', code: undefined } })
    await expect(host).rejects.toThrow('another process has it')
    expect([deaths.length, terminated()]).toEqual([0, 1])
  })
})

const running = async () => {
  const played = play()
  played.say({ started: STARTED })
  return { ...played, host: await played.host }
}

test('why no block can be made is known until one can be made again', async () => {
  const { host, say } = await running()
  expect(host.halted()).toBeUndefined()
  say({ halted: 'the disk is full' })
  expect(host.halted()).toBe('the disk is full')
  say({ halted: null })
  expect(host.halted()).toBeUndefined()
})

describe('calls', () => {
  test('are answered, each its own', async () => {
    const { host, heard, say } = await running()
    const [mined, paid] = [host.control.mine(3), host.control.faucet('0:1', 5n).catch(String)]
    expect(heard.slice(1)).toEqual([
      { call: { name: 'mine', args: [3] }, id: 1 },
      { call: { name: 'faucet', args: ['0:1', 5n] }, id: 2 },
    ])
    say({ outcome: { id: 2, error: { kind: 'invalid', message: 'no', code: undefined } } })
    say({ outcome: { id: 1, result: { seqno: 9, utime: 10 } } })
    say({ outcome: { id: 77, result: undefined } })
    expect([await mined, await paid]).toEqual([{ seqno: 9, utime: 10 }, 'TonlithError: no'])
  })

  test('of get-methods go back to the Worker', async () => {
    const { heard, say } = await running()
    say({ run: TASK, id: 4 })
    await Bun.sleep(1)
    const error = { kind: 'unsupported', message: 'no get-methods here', code: undefined } as const
    expect(heard.at(-1)).toEqual({ ran: { id: 4, error } })
  })
})

describe('the end', () => {
  test('waits for the Worker', async () => {
    const { host, heard, say, deaths, terminated } = await running()
    const stopped = host.stop()
    expect(heard.at(-1)).toEqual({ stop: true })
    const late = host.control.mine(1).catch(String)
    say({ stopped: true })
    await stopped
    expect([deaths.length, terminated(), await late]).toEqual([0, 1, 'TonlithError: the network is stopping'])
  })

  test('of a Worker that nobody ended is told once, and all calls fail', async () => {
    const { host, fire, deaths } = await running()
    const call = host.control.status().catch(String)
    fire('error', { message: 'Error: it broke\n  at somewhere' })
    fire('close', {})
    expect(deaths.map(String)).toEqual(['TonlithError: the network ended: Error: it broke'])
    expect(await call).toBe('TonlithError: the network ended: Error: it broke')
    await expect(host.control.mine(1)).rejects.toThrow('the network ended')
    await host.stop()
  })
})
