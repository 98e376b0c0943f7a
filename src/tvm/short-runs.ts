import { LRUCache } from 'lru-cache'
import type { EmulatorAnswer } from './emulator-answer.ts'
import type { LocalEmulator } from './local.ts'
import { contractSize } from './messages.ts'
import type { OwnTvmPool, TvmTask } from './pool.ts'

/** What a short run may take, of gas and of milliseconds: most take a fifth of the first and a twentieth of the second. */
const SHORT_GAS = 10_000
const SHORT_MS = 2
/** Milliseconds from which on a run counts among those that have a share of this thread only. */
const LONG_MS = 0.5
/** Characters of the arguments, and of a contract with its configuration: reading them takes time as well. */
const SHORT_STACK = 2_000
const SHORT_TEXTS = 64 << 10
/** What the TVM says when there is no gas left; a contract cannot end with it of its own accord. */
const OUT_OF_GAS = -14
/** Methods of contracts that are remembered, and contracts that are large. */
const MAX_KNOWN = 4_000
/** Milliseconds in a second that long runs in this thread may take. */
const MAX_LONG_MS = 100
const WINDOW_MS = 1_000

const msOf = (answer: EmulatorAnswer): number => (answer.success ? (answer.ms ?? 0) : 0)

const isShort = (answer: EmulatorAnswer): boolean =>
  answer.success && Number(answer.gas_used) <= SHORT_GAS && msOf(answer) <= SHORT_MS

const isOutOfGas = (answer: EmulatorAnswer): boolean => answer.success && answer.vm_exit_code === OUT_OF_GAS

/** Says when long runs have taken their share of a second. */
const createShare = () => {
  let ms = 0
  let windowEnd = 0
  return {
    add: (more: number): void => {
      const now = performance.now()
      if (now >= windowEnd) {
        windowEnd = now + WINDOW_MS
        ms = 0
      }
      ms += more
    },
    isTaken: (): boolean => ms > MAX_LONG_MS && performance.now() < windowEnd,
  }
}

/**
 * A pool whose short get-methods are run in this thread: the way to a Worker and back takes longer than they do. A Worker
 * runs a method of a contract in a state first, which tells whether it is short. Further runs have the gas of a short one
 * only, so that they end soon whatever their arguments are. A contract cannot see how much gas it has: less of it makes no
 * difference until there is none left, and then a Worker runs it with all of it.
 */
export const createShortRuns = (pool: OwnTvmPool): OwnTvmPool => {
  /** Keys of methods of contracts that were short the last time. */
  const short = new LRUCache<string, true>({ max: MAX_KNOWN })
  /** Keys of contracts that are too large. To tell that, all of one is written out, which is not done for every run. */
  const large = new LRUCache<string, true>({ max: MAX_KNOWN })
  const longRuns = createShare()
  let loading: Promise<LocalEmulator> | undefined
  let answered = 0
  let seconds = 0

  /** Loaded when it is first needed: the emulator's part of the program takes its time to start. */
  const load = async (): Promise<LocalEmulator> => (await import('./local.ts')).createLocalEmulator()

  const isHere = (key: string, { method, config }: TvmTask): boolean =>
    method.stack.length <= SHORT_STACK &&
    config.boc.length <= SHORT_TEXTS &&
    short.get(key) === true &&
    !longRuns.isTaken()

  /** The answer, where the gas of a short run was enough. Throws when the contract breaks the emulator. */
  const runHere = async (key: string, task: TvmTask): Promise<EmulatorAnswer | undefined> => {
    loading ??= load()
    const withEmulator = await loading
    const { method, texts, config } = task
    const gas_limit = Math.min(method.gas_limit, SHORT_GAS)
    return withEmulator((emulator) => {
      // Many may have waited for the emulator, and those before this one may have shown that it had better not run here.
      if (!isHere(key, task)) return undefined
      const answer = emulator.runGetMethod({ ...method, gas_limit }, texts, config)
      const ms = msOf(answer)
      if (ms > LONG_MS) longRuns.add(ms)
      const isCut = isOutOfGas(answer) && gas_limit < method.gas_limit
      if (isCut || ms > SHORT_MS) short.delete(key)
      if (isCut) return undefined
      answered++
      seconds += ms / 1000
      return answer
    })
  }

  /** Remembers what a run in a Worker was like. */
  const note = (key: string, { method, texts, config }: TvmTask, answer: EmulatorAnswer): void => {
    if (!isShort(answer) || large.get(method.contract)) return
    if (contractSize(texts()) + config.boc.length <= SHORT_TEXTS) short.set(key, true)
    else large.set(method.contract, true)
  }

  /** A Worker's emulator will break too, which tells how. Another one here takes its time to start. */
  const broke = (key: string): undefined => {
    longRuns.add(MAX_LONG_MS + 1)
    short.delete(key)
  }

  return {
    ...pool,
    run: async (task, signal) => {
      const key = `${task.method.contract} ${task.method.method_id}`
      const here = isHere(key, task) ? await runHere(key, task).catch(() => broke(key)) : undefined
      if (here) return here
      const answer = await pool.run(task, signal)
      note(key, task, answer)
      return answer
    },
    figures: () => {
      const { runs, ...rest } = pool.figures()
      return { ...rest, runs: { ...runs, answered: runs.answered + answered }, seconds: rest.seconds + seconds }
    },
  }
}
