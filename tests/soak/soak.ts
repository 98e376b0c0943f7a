import { seededRandom } from '../../src/common/seeded-random.ts'
import { startWork } from './busy-world.ts'
import { createCaller } from './caller.ts'
import type { FaultName } from './faults.ts'
import { checkEnd } from './final-checks.ts'
import { isGrowing, judgeLives } from './memory.ts'
import { createProber } from './recovery.ts'
import { latencyTable, type SoakReport } from './report.ts'
import { drawSchedule } from './schedule.ts'
import { createStage } from './stage.ts'
import { strikeAll } from './strikes.ts'
import { createVerdicts } from './verdicts.ts'
import { buildWorld, type World } from './world.ts'

export interface SoakOptions {
  seed: number
  /** Length of the schedule of faults; starting and checking come on top. */
  minutes: number
  /** Divides how long faults last, and the calm after them: for a short run. */
  haste?: number
  /** Only these faults, where it is given. */
  only?: readonly FaultName[] | undefined
  /** Further flags of the gateway. */
  flags?: readonly string[]
  say?: (line: string) => void
  /** False: what came too late is told, and no failure. */
  judgesTime?: boolean
  /** Ends the schedule early; what was seen by then is checked all the same. */
  signal?: AbortSignal
}

const SERVERS = 3
const REQUEST_MS = 5_000
const WARM_UP_MS = 10_000
const CALM_MS = 8_000
const RECOVERY_MS = 5_000
const PATIENCE_MS = 30_000
const RESTARTS_WITHIN = 0.4
const MEMORY_EVERY_MS = 2_000
/** One sample in so many is reported. */
const MEMORY_SHOWN = 5
const MEMORY_WARM_UP_S = 240
const FRESH_BLOCKS = 8

/**
 * Puts `tonlith serve` behind faulty liteservers of a live network, under load, and makes faults by a schedule; compares
 * whatever it answers, indexes and tells with the chain itself. Never rejects for what it finds: that is in the report.
 */
export const runSoak = async (options: SoakOptions): Promise<SoakReport> => {
  const { haste = 1, only, flags = [], say = () => {}, judgesTime = true } = options
  const signal = options.signal ?? new AbortController().signal
  const ends: (() => unknown)[] = []
  try {
    return await soak({ ...options, haste, only, flags, say, judgesTime, signal }, (end) => ends.push(end))
  } finally {
    for (const end of ends.reverse()) await end()
  }
}

const soak = async (
  { seed, minutes, haste, only, flags, say, judgesTime, signal }: Required<SoakOptions>,
  onEnd: (end: () => unknown) => void,
): Promise<SoakReport> => {
  const random = seededRandom(seed ^ 0x5eed)
  const world = await buildWorld({ servers: SERVERS, requestMs: REQUEST_MS, minutes, flags, onEnd })
  const { network, ledger, machine, targets, leftOut } = world
  const { served, servers } = targets
  const verdicts = createVerdicts({ say, judgesTime, isBusy: machine.isBusy })
  const { fail, failInTime } = verdicts
  const stage = createStage({ fail: failInTime })
  const latencies = new Map<string, number[]>()
  const caller = createCaller({
    url: served.url,
    stage,
    requestMs: REQUEST_MS,
    isUp: served.isUp,
    fail,
    failInTime,
    observe: (name, ms) => {
      const list = latencies.get(name)
      if (list) list.push(ms)
      else latencies.set(name, [ms])
    },
  })
  const work = await startWork(world, verdicts, { seed, random, caller, onEnd })
  const memoryTimer = setInterval(served.sampleMemory, MEMORY_EVERY_MS)
  onEnd(() => clearInterval(memoryTimer))
  const prober = createProber({
    url: served.url,
    usualHeads: async () => {
      const { index, head } = await network.get<{ index: { seqno: number | null }; head: number }>('/status')
      return { live: head, indexed: index.seqno ?? 0 }
    },
    account: () => work.accounts[Math.floor(random() * work.accounts.length)]!,
    random,
    blocks: FRESH_BLOCKS,
  })
  await prober.settle(WARM_UP_MS / haste)
  verdicts.say(`warm: 90 of 100 looks take at most ${prober.usualMs().toFixed(0)} ms`)

  const lengthMs = minutes * 60_000
  const schedule = drawSchedule({
    seed,
    lengthMs,
    servers: SERVERS,
    calmMs: CALM_MS / haste,
    without: new Set(Object.keys(leftOut) as FaultName[]),
    restartsWithin: RESTARTS_WITHIN,
    haste,
    only,
  })
  const patience = { recoveryMs: RECOVERY_MS, patienceMs: PATIENCE_MS / haste }
  await strikeAll(schedule, world, verdicts, { stage, prober, signal, lengthMs, ...patience })
  tellDeaths(world, fail)
  await work.rest(PATIENCE_MS)
  clearInterval(memoryTimer)
  await checkEnd(world, work.shops, fail)
  const memory = judgeLives(
    served.lives.map(({ memory }) => memory),
    MEMORY_WARM_UP_S,
  )
  if (memory && isGrowing(memory)) fail(`memory grows: ${JSON.stringify(memory)}`)

  const webhooks = work.shops.flatMap(({ receiver }) => [...receiver.events.values()])
  return {
    seed,
    minutes,
    leftOut,
    faults: stage.struck,
    calm: stage.calm,
    latencies: latencyTable(latencies),
    chain: ledger.counts(),
    spoiltAnswers: servers.reduce((sum, { spoilt }) => sum + spoilt(), 0),
    sent: work.sent(),
    payments: {
      paid: work.shops.reduce((sum, { paid }) => sum + paid.length, 0),
      events: webhooks.length,
      webhooks: webhooks.reduce((sum, { times }) => sum + times, 0),
    },
    lives: served.lives.map(({ startSeconds, memory, ended }) => ({
      startSeconds,
      seconds: memory.at(-1)?.at ?? 0,
      ended,
      memory: memory.filter((_, i) => i % MEMORY_SHOWN === 0),
    })),
    memory,
    busySeconds: machine.busySeconds(),
    excused: verdicts.excused,
    failures: verdicts.failures,
  }
}

const tellDeaths = ({ ledger, targets: { served } }: World, fail: (what: string) => void): void => {
  if (served.hasDied()) fail(`the gateway has ended by itself: ${served.lives.at(-1)!.stderr().slice(-2_000)}`)
  if (ledger.failure() !== undefined) fail(`the chain cannot be read: ${ledger.failure()}`)
}
