import type { Clock } from '../common/clock.ts'
import { isTonlithError, TonlithError } from '../common/errors.ts'
import type { Logger } from '../common/logger.ts'
import { rawAddress } from '../ton/address.ts'
import type { AccountImport } from './collate/collation.ts'
import type { DevClock } from './dev-clock.ts'
import type { MadeStep, Producer, ShardWishes } from './producer.ts'

/** Gives what it looks for once a step has it; throws when it never will come. */
export type Seek<T> = (made: MadeStep) => T | undefined

/** Has steps made, one at a time: every so often, or when somebody asks. */
export interface BlockLoop {
  /** Makes a step behind those that are under way, with a block of every shard. Rejects as Producer.step. */
  step(): Promise<MadeStep>
  /**
   * Waits for the first step that has something, and gives that; where blocks are made on demand, has them made. Throws
   * `timeout` with `late` after a while, `unavailable` when the network ends, and when no block can be made.
   */
  until<T>(seek: Seek<T>, late: string): Promise<T>
  /** Makes a step that puts accounts into the states, which is asked for when its turn comes. Rejects as Producer.step. */
  load(accounts: () => readonly AccountImport[]): Promise<MadeStep>
  /** Does something between two steps. */
  between<T>(work: () => Promise<T>): Promise<T>
  /** Resolves when no step is under way any more; the signal ends the loop. */
  ended(): Promise<void>
}

export interface BlockLoopOptions {
  producer: Producer
  /** Of the chain, which nobody is told. */
  folder: string
  clock: Clock
  devClock: DevClock
  /** Milliseconds, or on demand. */
  interval: number | 'manual'
  wishes: ShardWishes
  /** Accounts that come from outside with the next step, if there are any. */
  imports?: (() => Promise<readonly AccountImport[]>) | undefined
  /** Called after each step. */
  made(step: MadeStep): void
  /** Is told why no block can be made every so often, and with undefined once one could be made again. */
  halted?: ((reason: string | undefined) => void) | undefined
  signal: AbortSignal
  logger: Logger
}

/** Waiting for a step takes no longer than this and so many intervals. */
const PATIENCE_MS = 20_000
const PATIENCE_INTERVALS = 3
/** Where blocks are made on demand: how many are made for one thing, and how long to wait for a clock that moves by itself. */
const STEPS_FOR_ONE = 20
const CLOCK_MS = 250
const RETRY_MS = 1_000

const ending = (): TonlithError => new TonlithError('unavailable', 'the network is stopping', { code: 503 })

/** A failure to make blocks as those get it who wait for them: paths and mistakes of ours stay in the log. */
const haltOf = (cause: unknown, folder: string): TonlithError => {
  const told = isTonlithError(cause, 'unavailable') ? cause.message : 'no block can be made: the log tells why'
  return new TonlithError('unavailable', told.replaceAll(folder, 'its folder'), { code: 503, cause })
}

/** Somebody who waits for a step. */
interface Seeker {
  look(made: MadeStep): void
  fail(error: TonlithError): void
}

/** Starts the loop. */
export const startBlockLoop = (options: BlockLoopOptions): BlockLoop => {
  const { producer, clock, devClock, interval, wishes, signal, logger } = options
  const seekers = new Set<Seeker>()
  let tail: Promise<unknown> = Promise.resolve()
  let told: string | undefined

  const between = <T>(work: () => Promise<T>): Promise<T> => {
    const run = tail.then(() => {
      if (signal.aborted) throw ending()
      return work()
    })
    tail = run.catch(() => {})
    return run
  }

  /** None comes twice. */
  const importsWith = async (loaded: readonly AccountImport[]): Promise<readonly AccountImport[]> => {
    const others = (await options.imports?.()) ?? []
    if (loaded.length === 0 || others.length === 0) return loaded.length === 0 ? others : loaded
    const known = new Set(loaded.map(({ address }) => rawAddress(address)))
    return [...loaded, ...others.filter(({ address }) => !known.has(rawAddress(address)))]
  }

  const shown = (err: unknown): unknown => (isTonlithError(err, 'unavailable') ? haltOf(err, options.folder) : err)

  const stepNow = async (everyShard: boolean, accounts?: () => readonly AccountImport[]): Promise<MadeStep> => {
    const imports = await importsWith(accounts?.() ?? [])
    const made = await producer.step({ now: devClock.now(), everyShard, wishes, imports }).catch((err) => {
      throw shown(err)
    })
    devClock.made(made.masterchainBlock.info.gen_utime)
    options.made(made)
    for (const { look } of [...seekers]) look(made)
    return made
  }

  /** The same failure every second is one line. */
  const halt = (err: unknown): void => {
    const text = String(err)
    const halted = haltOf(err, options.folder)
    if (text !== told) {
      logger.error({ err }, 'no block could be made; it is tried again')
      options.halted?.(halted.message)
    }
    told = text
    for (const { fail } of [...seekers]) fail(halted)
  }

  const goOn = (): void => {
    if (told === undefined) return
    told = undefined
    options.halted?.(undefined)
  }

  const beat = async (every: number): Promise<void> => {
    for (let due = clock.monotonic(); !signal.aborted; ) {
      await clock.sleep(Math.max(0, due - clock.monotonic()), signal)
      if (signal.aborted) return
      due = Math.max(due + every, clock.monotonic() - every)
      try {
        await between(() => stepNow(false))
        goOn()
      } catch (err) {
        if (signal.aborted) return
        halt(err)
        await clock.sleep(RETRY_MS, signal)
      }
    }
  }

  /** Where nobody else does, has blocks made until `found` says that it is enough. */
  const drive = async (found: () => boolean): Promise<void> => {
    for (let made = 0; !found() && made < STEPS_FOR_ONE && !signal.aborted; made++) {
      if (made > 2 && devClock.real) await clock.sleep(CLOCK_MS, signal)
      await between(() => stepNow(true))
    }
  }

  const until = async <T>(seek: Seek<T>, late: string): Promise<T> => {
    const over = new AbortController()
    const stop = (): void => over.abort()
    signal.addEventListener('abort', stop)
    let found: { value: T } | { error: unknown } | undefined
    const end = (outcome: typeof found): void => {
      found ??= outcome
      over.abort()
    }
    const look = (made: MadeStep): void => {
      if (found) return
      try {
        const value = seek(made)
        if (value !== undefined) end({ value })
      } catch (error) {
        end({ error })
      }
    }
    const seeker: Seeker = { look, fail: (error) => end({ error }) }
    seekers.add(seeker)
    try {
      if (interval === 'manual') await drive(() => found !== undefined)
      else await clock.sleep(PATIENCE_MS + PATIENCE_INTERVALS * interval, over.signal)
    } finally {
      seekers.delete(seeker)
      signal.removeEventListener('abort', stop)
    }
    if (found && 'error' in found) throw found.error
    if (found) return found.value
    throw signal.aborted ? ending() : new TonlithError('timeout', late, { code: 504 })
  }

  const beating = interval === 'manual' ? Promise.resolve() : beat(interval)
  return {
    step: () => between(() => stepNow(true)),
    until,
    load: (accounts) => between(() => stepNow(false, accounts)),
    between,
    ended: async () => {
      await Promise.allSettled([beating, tail])
    },
  }
}
