import type { ScheduledFault } from './faults.ts'

/** What became of the requests while one thing held: a fault, its recovery, or calm. */
export interface Tally {
  requests: number
  right: number
  /** Honest errors, by status and text. */
  errors: Record<string, number>
  slowestMs: number
}

export const emptyTally = (): Tally => ({ requests: 0, right: 0, errors: {}, slowestMs: 0 })

/** A fault that was made, and what came of it. */
export interface StruckFault extends ScheduledFault {
  tally: Tally
  /** Milliseconds from its end until all was well again; undefined while that is not so. */
  recoveredMs?: number
  /** What was missed after its end, and until when. */
  missing?: string
  /** Its recovery was late, and the machine had no time for us: that says nothing. */
  wasBusy?: true
}

/** Where the trial stands, as everyone who asks must know it. */
export interface Stage {
  begin(fault: ScheduledFault): StruckFault
  end(): void
  /** All is well again. */
  settle(): void
  now(): 'calm' | 'fault' | 'recovery'
  struck: readonly StruckFault[]
  calm: Tally
  /** What a request that began when `marked` was given counts to, and whether it may fail. */
  mark(): Mark
}

export interface Mark {
  note(outcome: { right: boolean; error?: string; ms: number; name: string }): void
}

export interface StageOptions {
  /** Told what must never be. */
  fail: (what: string) => void
}

/** Keeps what happens apart: errors count for the fault in or after which they came; in calm there may be none. */
export const createStage = ({ fail }: StageOptions): Stage => {
  const struck: StruckFault[] = []
  const calm = emptyTally()
  let state: 'calm' | 'fault' | 'recovery' = 'calm'
  return {
    struck,
    calm,
    now: () => state,
    begin(fault) {
      const one: StruckFault = { ...fault, tally: emptyTally() }
      struck.push(one)
      state = 'fault'
      return one
    },
    end: () => {
      state = 'recovery'
    },
    settle: () => {
      state = 'calm'
    },
    mark() {
      const before = { state, count: struck.length }
      return {
        note({ right, error, ms, name }) {
          const isCalm = before.state === 'calm' && state === 'calm' && before.count === struck.length
          const tally = isCalm ? calm : struck.at(-1)!.tally
          tally.requests++
          tally.slowestMs = Math.max(tally.slowestMs, ms)
          if (right) tally.right++
          if (error === undefined) return
          tally.errors[error] = (tally.errors[error] ?? 0) + 1
          if (isCalm) fail(`${name}: ${error}, while there was no fault`)
        },
      }
    },
  }
}
