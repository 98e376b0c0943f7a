import { isTonlithError, TonlithError } from '../common/errors.ts'
import { createLogger, type Logger } from '../common/logger.ts'
import type { DevControl } from '../devnet/control.ts'
import { createDevNetwork, type DevNetwork } from '../devnet/dev-network.ts'
import type { RemoteNetwork } from '../devnet/fork/remote-network.ts'
import type { TvmRunner } from '../tvm/local.ts'
import {
  type DevCall,
  type DevOrder,
  errorOfWire,
  type ForkOrder,
  type FromDevWorker,
  type ToDevWorker,
  wireError,
} from './dev-messages.ts'
import { openForkNetwork } from './fork-network.ts'
import { createPendingCalls } from './pending-calls.ts'

/** The entry of the Worker of a live network. It is told to start, does what it is called for, and ends when told to. */

declare const self: Worker

const say = (message: FromDevWorker): void => self.postMessage(message)

const runs = createPendingCalls()
let network: Promise<DevNetwork> | undefined

/** Get-methods run in the Workers of the main thread: this one makes blocks meanwhile. */
const tvm: TvmRunner = {
  run: (task) => runs.call((id) => say({ run: { ...task, texts: task.texts() }, id })) as ReturnType<TvmRunner['run']>,
}

let stopFork: (() => void) | undefined

const openFork = async (order: ForkOrder, logger: Logger): Promise<RemoteNetwork> => {
  const opened = await openForkNetwork(order, logger)
  stopFork = opened.stop
  return opened.remote
}

const start = async ({ seed, logLevel, log, fork, ...order }: DevOrder): Promise<void> => {
  const logger = createLogger(logLevel, log).child({ part: 'network' })
  try {
    const remote = fork && (await openFork(fork, logger))
    network = createDevNetwork({
      ...order,
      seed: Buffer.from(seed),
      fork: remote,
      tvm,
      logger,
      taken: (external) => say({ external }),
      halted: (reason) => say({ halted: reason ?? null }),
    })
    const { started, lost } = await network
    say({ started })
    void lost.then((error) => say({ failed: wireError(error) }))
  } catch (error) {
    if (!isTonlithError(error)) logger.error({ err: error }, 'a mistake in the network')
    say({ failed: wireError(error) })
  }
}

const call = async ({ name, args }: DevCall, id: number): Promise<void> => {
  try {
    if (!network) throw new TonlithError('unavailable', 'the network has not started', { code: 503 })
    const { control } = await network
    const method = control[name] as (...given: readonly unknown[]) => ReturnType<DevControl[typeof name]>
    say({ outcome: { id, result: await method(...args) } })
  } catch (error) {
    say({ outcome: { id, error: wireError(error) } })
  }
}

const stop = async (): Promise<void> => {
  runs.close(new TonlithError('unavailable', 'the network is stopping', { code: 503 }))
  try {
    await (await network)?.stop()
  } finally {
    stopFork?.()
    say({ stopped: true })
  }
}

self.onmessage = ({ data }: MessageEvent<ToDevWorker>) => {
  if ('start' in data) void start(data.start)
  else if ('call' in data) void call(data.call, data.id)
  else if ('ran' in data) {
    const { ran } = data
    if ('error' in ran) runs.reject(ran.id, errorOfWire(ran.error))
    else runs.resolve(ran.id, ran.result)
  } else void stop()
}
