import type { Plan } from '../common/plans.ts'
import { withoutCredentials } from '../common/url-text.ts'
import type { Settings } from '../config.ts'
import type { Effective, Resolved } from './resolve.ts'

/** What became of settings that were read anew: by key, what they were and what they are now. */
export interface Reloaded {
  /** The settings that hold from now on. */
  effective: readonly Effective[]
  changed: Readonly<Record<string, string>>
  /** Those that say something else now, which counts from the next start on. */
  waiting: readonly string[]
}

const shown = ({ setting, text }: Effective): string =>
  setting.secret ? '(secret)' : withoutCredentials(text ?? '(none)')

const serversOf = (plans: readonly Plan[]): string =>
  JSON.stringify(
    plans.flatMap(({ name, globalConfig }) => (globalConfig === undefined ? [] : [[name, globalConfig]])).sort(),
  )

/**
 * Keys of a plan that has liteservers of its own must never be answered from others: these are connected at a start only.
 * A start is also what looks whether operators may be answered without a token.
 */
const canChange = (key: string, now: Settings, next: Settings): boolean => {
  if (key === 'plans') return serversOf(now.plans) === serversOf(next.plans)
  return key !== 'admin_token' || next.admin_token !== undefined
}

/**
 * Takes over into `now` what may change while the program runs, out of settings that were read anew.
 * @param before the settings as they were decided last
 */
export const reload = (now: Settings, before: readonly Effective[], next: Resolved): Reloaded => {
  const changed: Record<string, string> = {}
  const waiting: string[] = []
  const effective = before.map((old): Effective => {
    const fresh = next.effective.find(({ setting }) => setting.key === old.setting.key) ?? old
    if (fresh.text === old.text) return fresh
    const { key, live } = old.setting
    if (!live || !canChange(key, now, next.settings)) {
      waiting.push(key)
      return old
    }
    Object.assign(now, { [key]: next.settings[key as keyof Settings] })
    changed[key] = `${shown(old)} -> ${shown(fresh)}`
    return fresh
  })
  return { effective, changed, waiting }
}
