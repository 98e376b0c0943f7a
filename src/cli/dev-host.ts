import { TonlithError } from '../common/errors.ts'
import type { DevControl } from '../devnet/control.ts'
import { ownBlockId } from '../model/block.ts'
import type { TvmRunner } from '../tvm/local.ts'
import { devControl } from './dev-calls.ts'
import {
  type DevOrder,
  type DevStarted,
  errorOfWire,
  type FromDevWorker,
  type SentTask,
  type SpawnDevWorker,
  wireError,
} from './dev-messages.ts'
import { createPendingCalls } from './pending-calls.ts'

/** A live network in its Worker, as the other threads see it. */
export interface DevHost {
  started: DevStarted
  control: DevControl
  /** Calls back with every external message that it takes (a bag of cells) until the returned function is called. */
  onExternal(listener: (boc: Buffer) => void): () => void
  /** Why no block can be made every so often; undefined while blocks are made. */
  halted(): string | undefined
  /** Ends it: the block that is being made is given up or finished first. */
  stop(): Promise<void>
}

export interface DevHostOptions {
  spawn: SpawnDevWorker
  order: DevOrder
  /** Runs the get-methods that the network's liteserver is asked for. */
  tvm: TvmRunner
  /** Is told once when it ends without being told to. */
  died(error: TonlithError): void
}

const STOP_MS = 8_000
const MAX_REASON = 300

/** On their way to another thread Buffers become plain byte arrays: this makes them Buffers again. */
const revived = ({ zeroState, ...rest }: DevStarted): DevStarted => ({ ...rest, zeroState: ownBlockId(zeroState) })

/**
 * Starts the Worker of a live network, and waits until its liteserver answers.
 * @throws TonlithError of the Worker when it cannot start
 */
export const startDevHost = ({ spawn, order, tvm, died }: DevHostOptions): Promise<DevHost> =>
  new Promise((resolve, reject) => {
    const calls = createPendingCalls()
    const listeners = new Set<(boc: Buffer) => void>()
    const worker = spawn()
    let state: 'starting' | 'running' | 'ending' | 'ended' = 'starting'
    let stopped: (() => void) | undefined
    let halt: string | undefined

    const end = (error: TonlithError): void => {
      if (state === 'ended') return
      const before = state
      state = 'ended'
      calls.close(before === 'ending' ? new TonlithError('unavailable', 'the network is stopping') : error)
      worker.terminate()
      if (before === 'starting') reject(error)
      else if (before === 'running') died(error)
      stopped?.()
    }

    const runMethod = async (id: number, { texts, ...task }: SentTask): Promise<void> => {
      try {
        worker.postMessage({ ran: { id, result: await tvm.run({ ...task, texts: () => texts }) } })
      } catch (error) {
        worker.postMessage({ ran: { id, error: wireError(error) } })
      }
    }

    const control = devControl((call) => calls.call((id) => worker.postMessage({ call, id })))

    const stop = async (): Promise<void> => {
      if (state !== 'running') return
      state = 'ending'
      await new Promise<void>((done) => {
        const giveUp = setTimeout(done, STOP_MS)
        stopped = () => {
          clearTimeout(giveUp)
          done()
        }
        worker.postMessage({ stop: true })
      })
      end(new TonlithError('unavailable', 'the network did not stop in time'))
    }

    const onExternal: DevHost['onExternal'] = (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    }

    const heed = (message: FromDevWorker): void => {
      if ('started' in message) {
        state = 'running'
        resolve({ started: revived(message.started), control, onExternal, halted: () => halt, stop })
      } else if ('failed' in message) end(errorOfWire(message.failed))
      else if ('outcome' in message) {
        const { outcome } = message
        if ('error' in outcome) calls.reject(outcome.id, errorOfWire(outcome.error))
        else calls.resolve(outcome.id, outcome.result)
      } else if ('external' in message) {
        const boc = Buffer.from(message.external)
        for (const listener of listeners) listener(boc)
      } else if ('halted' in message) halt = message.halted ?? undefined
      else if ('run' in message) void runMethod(message.id, message.run)
      else end(new TonlithError('internal', 'the network ended'))
    }

    const broke = (reason: string): void =>
      end(new TonlithError('internal', `the network ended: ${reason.split('\n', 1)[0]?.slice(0, MAX_REASON)}`))

    worker.addEventListener('message', ({ data }) => heed(data))
    worker.addEventListener('error', ({ message }) => broke(message))
    worker.addEventListener('close', () => broke('its Worker is gone'))
    worker.postMessage({ start: order })
  })
