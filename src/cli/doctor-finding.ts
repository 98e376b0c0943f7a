import { type Json, stringifyJson } from '../common/lossless-json.ts'

/** `warning`: it runs, and not as well as it could. `failed`: it does not, or cannot be told. */
export type Verdict = 'ok' | 'warning' | 'failed'

/** One thing that was looked at. */
export interface Finding {
  /** What was looked at: `clock`, `liteserver 127.0.0.1:4924`. */
  subject: string
  verdict: Verdict
  /** For people, in one line. */
  text: string
  /** For programs. */
  figures?: { readonly [key: string]: Json }
}

/** Whether nothing failed. */
export const isSound = (findings: readonly Finding[]): boolean => findings.every(({ verdict }) => verdict !== 'failed')

/** One JSON object: whether nothing failed, and all findings with their figures. */
export const findingsJson = (findings: readonly Finding[]): string =>
  stringifyJson({
    ok: isSound(findings),
    findings: findings.map(({ subject, verdict, text, figures = {} }) => ({ subject, verdict, text, ...figures })),
  })

/** One line each, and one that sums them up. */
export const findingsText = (findings: readonly Finding[]): string[] => {
  const width = Math.max(...findings.map(({ subject }) => subject.length))
  const lines = findings.map(({ subject, verdict, text }) => `${verdict.padEnd(7)}  ${subject.padEnd(width)}  ${text}`)
  const count = (wanted: Verdict): number => findings.filter(({ verdict }) => verdict === wanted).length
  const warnings = count('warning')
  const warned = `${warnings} ${warnings === 1 ? 'warning' : 'warnings'}`
  return [...lines, `${count('ok')} ok, ${warned}, ${count('failed')} failed`]
}
