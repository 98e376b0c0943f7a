/** What was found to be wrong, and who tells it. */
export interface Verdicts {
  failures: readonly string[]
  /** What was too late on a machine that had no time, and says nothing. */
  excused: readonly string[]
  fail(what: string): void
  /** For what may be the machine's fault: excused where that was busy. */
  failInTime(what: string): void
  excuse(what: string): void
  /** Takes the error that ends one part of the soak itself. */
  broken(part: string): (error: unknown) => void
  /** A line for whoever watches, with the time. */
  say(line: string): void
}

export interface VerdictOptions {
  say: (line: string) => void
  /** False: what comes too late is excused, always. */
  judgesTime: boolean
  isBusy: () => boolean
}

const MAX_KEPT = 200

export const createVerdicts = ({ say: print, judgesTime, isBusy }: VerdictOptions): Verdicts => {
  const failures: string[] = []
  const excused: string[] = []
  const startedAt = performance.now()
  const say = (line: string): void => print(`${((performance.now() - startedAt) / 1000).toFixed(1)} s ${line}`)
  const fail = (what: string): void => {
    if (failures.length < MAX_KEPT) failures.push(what)
    say(`FAILED ${what}`)
  }
  const excuse = (what: string): void => {
    if (excused.length < MAX_KEPT) excused.push(what)
  }
  return {
    failures,
    excused,
    say,
    fail,
    excuse,
    failInTime: (what) => (judgesTime && !isBusy() ? fail : excuse)(what),
    broken: (part) => (error) => fail(`${part} broke: ${error instanceof Error ? error.stack : error}`),
  }
}
