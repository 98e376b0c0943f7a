import { MAX_BLOCKS_BEHIND } from '../liteserver/choose.ts'
import type { Examination } from '../liteserver/examine.ts'
import type { Finding, Verdict } from './doctor-finding.ts'

/** A head that is older than this is told: the network stands still, or the server does. Seconds. */
const MAX_AGE = 60
/** A clock that is further away is told, and one that is further away than the second is a failure. Seconds. */
const CLOCK_OFF = [2, 30] as const

const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[sorted.length >> 1]!
}

const ms = (value: number): string => `${Math.round(value)} ms`

const UNITS = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
] as const

/** `90 s`, `3 h`, `12 d`: the largest unit that there are two of. */
export const ageText = (seconds: number): string => {
  const [size, unit] = UNITS.find(([size]) => seconds >= 2 * size) ?? [1, 's']
  return `${Math.floor(seconds / size)} ${unit}`
}

const figuresOf = (found: Examination, { behind, age }: { behind: number | null; age: number | null }) => ({
  connect_ms: found.connectMs === undefined ? null : Math.round(found.connectMs),
  latency_ms: found.latencyMs === undefined ? null : Math.round(found.latencyMs),
  clock_ahead_seconds: found.clockAhead ?? null,
  seqno: found.seqno ?? null,
  utime: found.utime ?? null,
  age_seconds: age,
  behind,
  oldest_seqno: found.oldest?.seqno ?? null,
  oldest_utime: found.oldest?.utime ?? null,
  failed_at: found.fault?.step ?? null,
  error: found.fault?.error.message ?? null,
})

/** A lie, another key and another network are nothing that time mends. */
const faultVerdict = ({ fault }: Examination, anyUsable: boolean): Verdict => {
  const kind = fault?.error.kind
  if (kind === 'proof' || kind === 'malformed' || kind === 'invalid' || kind === 'internal') return 'failed'
  return anyUsable ? 'warning' : 'failed'
}

const STEPS: Readonly<Record<NonNullable<Examination['fault']>['step'], string>> = {
  connect: 'cannot be reached',
  handshake: 'does not complete the handshake',
  time: 'does not tell its clock',
  head: 'tells no head that can be one',
  proof: 'cannot prove its head',
  depth: 'cannot be asked for old blocks',
}

const depthText = ({ oldest }: Examination, now: number): string => {
  if (!oldest) return ''
  return oldest.seqno === 1
    ? ', archive: all blocks'
    : `, blocks since ${oldest.seqno} (${ageText(now - oldest.utime)})`
}

/**
 * What examinations of the liteservers of one network mean. `now` is the machine's time (unix seconds); a verdict about one
 * server depends on whether another one can be used.
 * @param of whose servers they are, before each subject
 */
export const serverFindings = (found: readonly Examination[], now: number, of = ''): Finding[] => {
  const best = Math.max(...found.map(({ seqno }) => seqno ?? 0))
  const anyUsable = found.some(({ fault, seqno }) => !fault && best - seqno! <= MAX_BLOCKS_BEHIND)
  return found.map((one): Finding => {
    const { name, fault, seqno, utime } = one
    const behind = seqno === undefined ? null : best - seqno
    const age = utime === undefined ? null : now - utime
    const figures = figuresOf(one, { behind, age })
    const subject = `${of}liteserver ${name}`
    if (fault) {
      const text = `${STEPS[fault.step]}: ${fault.error.message}`
      return { subject, verdict: faultVerdict(one, anyUsable), text, figures }
    }
    const isBehind = behind! > MAX_BLOCKS_BEHIND
    const isOld = age! > MAX_AGE
    const lag = isBehind ? `, ${behind} blocks behind the best: it is not asked` : ''
    const old = isOld ? `, its head is ${ageText(age!)} old` : ''
    const text = `head ${seqno}${lag}${old}, connected in ${ms(one.connectMs!)}, answers in ${ms(one.latencyMs!)}`
    return { subject, verdict: isBehind || isOld ? 'warning' : 'ok', text: text + depthText(one, now), figures }
  })
}

const archivesText = (count: number): string =>
  count === 0 ? 'none is an archive: old blocks and transactions are not found' : `archives among them: ${count}`

/** Whether anybody can be asked, and whether one of them about old blocks. */
export const poolFinding = (found: readonly Examination[], of = ''): Finding => {
  const usable = found.filter(({ fault }) => !fault).length
  const archives = found.filter(({ oldest }) => oldest?.seqno === 1).length
  return {
    subject: `${of}liteservers`,
    verdict: usable === 0 ? 'failed' : archives === 0 ? 'warning' : 'ok',
    text:
      usable === 0
        ? `none of ${found.length} can be used: every request would be answered with an error`
        : `${usable} of ${found.length} can be used, ${archivesText(archives)}`,
    figures: { configured: found.length, usable, archives },
  }
}

/** The machine's clock against those of the servers: the middle one of them, as one alone may be wrong. */
export const clockFinding = (found: readonly Examination[]): Finding => {
  const offsets = found.flatMap(({ clockAhead }) => clockAhead ?? [])
  if (offsets.length === 0)
    return {
      subject: 'clock',
      verdict: 'warning',
      text: 'no liteserver told its time',
      figures: { offset_seconds: null },
    }
  const offset = -median(offsets) || 0
  const away = Math.abs(offset)
  const verdict = away <= CLOCK_OFF[0] ? 'ok' : away <= CLOCK_OFF[1] ? 'warning' : 'failed'
  const count = offsets.length === 1 ? 'the only liteserver' : `the middle one of ${offsets.length} liteservers`
  const text =
    away <= CLOCK_OFF[0]
      ? `agrees with ${count}`
      : `${ageText(away)} ${offset > 0 ? 'ahead of' : 'behind'} ${count}: synchronise it`
  return { subject: 'clock', verdict, text, figures: { offset_seconds: offset, servers: offsets.length } }
}
