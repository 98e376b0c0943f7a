import { systemClock } from '../../src/common/clock.ts'
import type { ScheduledFault } from './faults.ts'
import { inject } from './inject.ts'
import type { Prober } from './recovery.ts'
import type { Stage } from './stage.ts'
import type { Verdicts } from './verdicts.ts'
import type { World } from './world.ts'

export interface StrikeOptions {
  stage: Stage
  prober: Prober
  /** Ends the schedule early. */
  signal: AbortSignal
  lengthMs: number
  /** Within it all must be well again. */
  recoveryMs: number
  /** After it that is no longer waited for. */
  patienceMs: number
}

/** Part of a recovery that the machine must have been busy for, so that it says nothing. */
const BUSY_SHARE = 0.2
/** Between two faults, also where the recovery from the first one took long. */
const LEAST_CALM_MS = 1_000

/** Makes the faults of a schedule, one after the other, and watches how all becomes well again after each. */
export const strikeAll = async (
  schedule: readonly ScheduledFault[],
  { targets, machine, ledger }: World,
  { say, excuse, failInTime }: Verdicts,
  { stage, prober, signal, lengthMs, recoveryMs, patienceMs }: StrikeOptions,
): Promise<void> => {
  const beginning = performance.now()
  const elapsed = (): number => performance.now() - beginning
  for (const planned of schedule) {
    await systemClock.sleep(Math.max(LEAST_CALM_MS, planned.atMs - elapsed()), signal)
    const isBroken = targets.served.hasDied() || ledger.failure() !== undefined
    if (elapsed() > lengthMs || isBroken || signal.aborted) return
    const struck = stage.begin(planned)
    const end = await inject(targets, planned)
    await Bun.sleep(planned.lastsMs)
    await end()
    stage.end()
    const [endedAt, busyBefore] = [performance.now(), machine.busySeconds()]
    const { ms, missing } = await prober.untilWell(patienceMs)
    const busyMs = (machine.busySeconds() - busyBefore) * 1000
    const isLate = ms === undefined || ms > recoveryMs
    const wasBusy = isLate && busyMs > BUSY_SHARE * (performance.now() - endedAt)
    if (wasBusy) struck.wasBusy = true
    if (ms !== undefined) struck.recoveredMs = ms
    if (missing !== undefined) struck.missing = missing
    const whom = planned.servers.length > 0 ? ` of ${planned.servers.length} servers` : ''
    const what = `${planned.fault}${whom}, ${planned.lastsMs} ms: well again after ${ms === undefined ? 'never' : `${ms} ms`}`
    say(`${what}${missing ? ` (${missing})` : ''}${wasBusy ? ', on a busy machine' : ''}`)
    if (isLate) (wasBusy ? excuse : failInTime)(`${what} (${missing})`)
    stage.settle()
  }
  await systemClock.sleep(Math.max(0, lengthMs - elapsed()), signal)
}
