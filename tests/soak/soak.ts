import { join } from 'node:path'
import { TonClient } from '@ton/ton'
import { systemClock } from '../../src/common/clock.ts'
import { seededRandom } from '../../src/common/seeded-random.ts'
import { getMasterchainInfo } from '../../src/liteserver/client.ts'
import { SHARD_ALL } from '../../src/ton/block-id.ts'
import { copyExecutable } from '../support/executable.ts'
import { startLiveNetwork } from '../support/live-network.ts'
import { printedWallets } from '../support/live-wallet.ts'
import { connectQuery } from '../support/query-client.ts'
import { untilReady } from '../support/ready.ts'
import { createCaller } from './caller.ts'
import { createShiftedClock } from './clock-shift.ts'
import type { FaultName } from './faults.ts'
import { startFaultyServer } from './faulty-server.ts'
import { compareIndex, untilIndexed, verifyIndex } from './final-checks.ts'
import { freePort } from './free-port.ts'
import { inject } from './inject.ts'
import { startLedger } from './ledger.ts'
import { startReaders } from './load.ts'
import { watchMachine } from './machine.ts'
import { judgeMemory, type MemoryVerdict } from './memory.ts'
import { createShop } from './payments.ts'
import type { Population } from './questions.ts'
import { createProber } from './recovery.ts'
import type { SoakReport } from './report.ts'
import { drawSchedule } from './schedule.ts'
import { createServed } from './served.ts'
import { createSmallDisk } from './small-disk.ts'
import { createStage } from './stage.ts'
import { rawOf, startSender, startTraffic } from './traffic.ts'
import type { Truth } from './truth.ts'

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
const READERS = 3
const READER_PAUSE_MS = 120
const REQUEST_MS = 5_000
const WARM_UP_MS = 10_000
const CALM_MS = 8_000
const RECOVERY_MS = 5_000
/** After this it is no longer waited for. */
const PATIENCE_MS = 30_000
const DISK_MIB_A_MINUTE = 40
const DISK_MIB = 400
const RESTARTS_WITHIN = 0.4
const MEMORY_EVERY_MS = 2_000
const MEMORY_WARM_UP_S = 180
/** What a warm gateway may grow by in all, and a minute: less than this is noise of the collector. */
const GROWTH = { times: 1.25, bytes: 32 << 20, perMinute: 2 << 20 }
const DRAIN_S = 10
const FRESH_BLOCKS = 8
const AUDITED = 40
const MAX_FAILURES = 200
/** The network's own gateway may hear of a block later than the one that is tried. */
const REFERENCE_TRIES = 20
const REFERENCE_MS = 500

const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(share * (values.length - 1))] ?? Number.NaN

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
  const failures: string[] = []
  const startedAt = performance.now()
  const clockText = (): string => `${((performance.now() - startedAt) / 1000).toFixed(1)} s`
  const fail = (what: string): void => {
    if (failures.length < MAX_FAILURES) failures.push(what)
    say(`${clockText()} FAILED ${what}`)
  }
  const excused: string[] = []
  /** What is about time counts only where the machine had some. */
  const failInTime = (what: string): void => {
    if (judgesTime && !machine.isBusy()) fail(what)
    else if (excused.length < MAX_FAILURES) excused.push(what)
  }
  const broken = (what: string) => (error: unknown) =>
    fail(`${what} broke: ${error instanceof Error ? error.stack : error}`)
  const leftOut: Record<string, string> = {}

  // The network, and what is known of it without anything between.
  const alone = await copyExecutable()
  onEnd(alone.remove)
  const network = await startLiveNetwork(alone, 'net')
  onEnd(() => network.end('SIGKILL'))
  const machine = watchMachine(() => network.get('/api/v2/getMasterchainInfo'))
  onEnd(machine.stop)
  const { connection, query } = await connectQuery(network.liteserver)
  onEnd(connection.close)
  const { init } = await getMasterchainInfo(query)
  const zeroState = { ...init, shard: SHARD_ALL, seqno: 0 }
  const ledger = startLedger(query)
  onEnd(ledger.stop)
  const client = new TonClient({ endpoint: network.rpc, timeout: 20_000 })
  const status = await network.status()
  const wallets = await printedWallets(status)
  const jetton = status.contracts.find(({ name }) => name === 'jetton TUSD')!.address

  // What stands between it and the gateway.
  const servers = await Promise.all(Array.from({ length: SERVERS }, () => startFaultyServer(network.liteserver)))
  for (const { stop } of servers) onEnd(stop)
  const disk = createSmallDisk(join(alone.folder, 'disk'), DISK_MIB + Math.ceil(minutes * DISK_MIB_A_MINUTE))
  if (typeof disk === 'string') leftOut['disk full'] = disk
  else onEnd(disk.remove)
  const clock = createShiftedClock(alone.folder)
  if (typeof clock === 'string') for (const fault of ['clock ahead', 'clock back']) leftOut[fault] = clock

  // The gateway and its merchants.
  const stage = createStage({ fail: failInTime })
  const data = join(typeof disk === 'string' ? alone.folder : disk.folder, 'data')
  const served = createServed({
    alone,
    data,
    servers: servers.map(({ endpoint }) => endpoint),
    direct: network.liteserver,
    zeroState,
    port: await freePort(),
    requestMs: REQUEST_MS,
    env: typeof clock === 'string' ? {} : clock.env,
    flags,
  })
  onEnd(() => served.end('SIGKILL'))
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
  const stands = await Promise.all(
    [false, true].map((flaky, i) =>
      createShop({
        name: `shop-${i}`,
        served,
        caller,
        client,
        payer: wallets[i]!,
        recipient: wallets[7 + i]!,
        jetton,
        flaky,
        pauseMs: 1_200,
        broken: broken(`shop ${i}`),
      }),
    ),
  )
  for (const { receiver } of stands) onEnd(() => receiver.stop())
  await served.start()
  await untilReady(served.url)

  // The load.
  const traffic = await startTraffic({
    client,
    query,
    ledger,
    rich: wallets[2]!,
    name: `soak ${seed}`,
    pauseMs: 500,
    broken: broken('the traffic'),
  })
  const senders = await Promise.all(
    [3, 5].map((i) =>
      startSender({ caller, client, ledger, wallet: wallets[i]!, fail, broken: broken(`sender ${i}`) }),
    ),
  )
  const shops = stands.map(({ open }) => open())
  const truth: Truth = {
    ledger,
    reference: async (path, body) => {
      const init: RequestInit = {
        ...(body !== undefined && {
          method: 'POST',
          body: JSON.stringify(body),
          headers: { 'content-type': 'application/json' },
        }),
      }
      for (let tries = 1; ; tries++) {
        const response = await fetch(network.url + path, init)
        const text = await response.text()
        if (response.ok) return (JSON.parse(text) as { result: unknown }).result
        if (tries === REFERENCE_TRIES) throw new Error(`the network itself answers ${response.status} ${text}`)
        await Bun.sleep(REFERENCE_MS)
      }
    },
  }
  const population: Population = {
    accounts: [...traffic.accounts, ...wallets.slice(0, 9).map(({ address }) => rawOf(address))],
    wallets: wallets.slice(0, 6).map(({ address }) => rawOf(address)),
    random,
  }
  const readers = startReaders(READERS, READER_PAUSE_MS, caller, truth, population, broken('a reader'))
  for (const { stop } of [
    traffic.flow,
    ...senders.map(({ flow }) => flow),
    ...shops.map(({ flow }) => flow),
    ...readers,
  ])
    onEnd(stop)
  const memoryTimer = setInterval(served.sampleMemory, MEMORY_EVERY_MS)
  onEnd(() => clearInterval(memoryTimer))
  const prober = createProber({
    url: served.url,
    usualHeads: async () => {
      const { index, head } = await network.get<{ index: { seqno: number | null }; head: number }>('/status')
      return { live: head, indexed: index.seqno ?? 0 }
    },
    account: () => traffic.accounts[Math.floor(random() * traffic.accounts.length)]!,
    random,
    blocks: FRESH_BLOCKS,
  })
  await prober.settle(WARM_UP_MS / haste)
  say(`${clockText()} warm: 90 of 100 looks take at most ${prober.usualMs().toFixed(0)} ms`)

  // The faults, one after the other.
  const lengthMs = minutes * 60_000
  const without = new Set<FaultName>(Object.keys(leftOut) as FaultName[])
  const schedule = drawSchedule({
    seed,
    lengthMs,
    servers: SERVERS,
    calmMs: CALM_MS / haste,
    without,
    restartsWithin: RESTARTS_WITHIN,
    haste,
    only,
  })
  const targets = {
    servers,
    served,
    disk: typeof disk === 'string' ? undefined : disk,
    clock: typeof clock === 'string' ? undefined : clock,
    advanceChain: async (seconds: number) => void (await network.call('time', { advance: seconds })),
  }
  const beginning = performance.now()
  const elapsed = (): number => performance.now() - beginning
  const isBroken = (): boolean => served.hasDied() || ledger.failure() !== undefined
  for (const planned of schedule) {
    await systemClock.sleep(Math.max(0, planned.atMs - elapsed()), signal)
    if (elapsed() > lengthMs || isBroken() || signal.aborted) break
    const struck = stage.begin(planned)
    const end = await inject(targets, planned)
    await Bun.sleep(planned.lastsMs)
    await end()
    stage.end()
    const { ms, missing } = await prober.untilWell(PATIENCE_MS)
    if (ms !== undefined) struck.recoveredMs = ms
    if (missing !== undefined) struck.missing = missing
    const whom = planned.servers.length > 0 ? ` of ${planned.servers.length} servers` : ''
    const after = ms === undefined ? 'never' : `${ms} ms`
    say(
      `${clockText()} ${planned.fault}${whom}, ${planned.lastsMs} ms: well again after ${after}${missing ? ` (${missing})` : ''}`,
    )
    if (ms === undefined || ms > RECOVERY_MS)
      failInTime(`${planned.fault}${whom}: well again after ${after}: ${missing}`)
    stage.settle()
  }
  await systemClock.sleep(Math.max(0, Math.min(lengthMs - elapsed(), CALM_MS / haste)), signal)
  if (served.hasDied()) fail(`the gateway has ended by itself: ${served.lives.at(-1)!.stderr().slice(-2_000)}`)
  if (ledger.failure() !== undefined) broken('the ledger')(ledger.failure())

  // The end: everything that was under way comes to rest, and is looked at.
  await Promise.all(
    [traffic.flow, ...senders.map(({ flow }) => flow), ...shops.map(({ flow }) => flow)].map(({ stop }) => stop()),
  )
  const patience = performance.now() + PATIENCE_MS
  while (shops.some(({ waiting }) => waiting().length > 0) && performance.now() < patience) await Bun.sleep(100)
  await Promise.all(readers.map(({ stop }) => stop()))
  clearInterval(memoryTimer)
  for (const { check } of shops) for (const fault of check()) fail(fault)
  if (!isBroken()) {
    const seqno = ledger.head()
    if (!(await untilIndexed(served.url, seqno))) fail(`the index does not come to block ${seqno}`)
    for (const fault of await compareIndex(served.url, ledger, seqno).catch((error) => [String(error)])) fail(fault)
    await served.end('SIGTERM')
    for (const fault of await verifyIndex(served, AUDITED)) fail(fault)
  }
  for (const { ended } of served.lives)
    if (ended?.signal === 'SIGTERM' && (ended.code !== 0 || ended.seconds > DRAIN_S))
      fail(`SIGTERM ended it after ${ended.seconds.toFixed(1)} s with exit code ${ended.code}`)
  const memory = judgeLives(served.lives.map(({ memory }) => judgeMemory(memory, MEMORY_WARM_UP_S)))
  if (memory && isGrowing(memory)) fail(`memory grows: ${JSON.stringify(memory)}`)

  return {
    seed,
    minutes,
    leftOut,
    faults: stage.struck,
    calm: stage.calm,
    latencies: Object.fromEntries(
      [...latencies]
        .sort()
        .map(([name, all]) => [name, { count: all.length, p50: quantile(all, 0.5), p95: quantile(all, 0.95) }]),
    ),
    chain: ledger.counts(),
    spoiltAnswers: servers.reduce((sum, { spoilt }) => sum + spoilt(), 0),
    sent: senders.reduce((sum, one) => sum + one.sent(), 0),
    payments: {
      paid: shops.reduce((sum, { paid }) => sum + paid.length, 0),
      events: shops.reduce((sum, { receiver }) => sum + receiver.events.size, 0),
      webhooks: shops.reduce(
        (sum, { receiver }) => sum + [...receiver.events.values()].reduce((times, event) => times + event.times, 0),
        0,
      ),
    },
    lives: served.lives.map(({ startSeconds, memory, ended }) => ({
      startSeconds,
      seconds: memory.at(-1)?.at ?? 0,
      ended,
    })),
    memory,
    busySeconds: machine.busySeconds(),
    excused,
    failures,
  }
}

/** Of the longest life. */
const judgeLives = (verdicts: readonly (MemoryVerdict | undefined)[]): MemoryVerdict | undefined =>
  verdicts
    .filter((verdict) => verdict !== undefined)
    .sort((a, b) => b.seconds - a.seconds)
    .at(0)

const isGrowing = ({ first, last, perMinute }: MemoryVerdict): boolean =>
  last > first * GROWTH.times + GROWTH.bytes || perMinute > GROWTH.perMinute
