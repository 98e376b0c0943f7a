import { TonlithError } from '../common/errors.ts'
import { SETTINGS, type Setting } from '../config.ts'

const KEYS = SETTINGS.map(({ key }: Setting) => key)

const isTable = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)

/** A table that stands for settings whose names begin with its own. */
const isGroup = (name: string): boolean =>
  !KEYS.some((key) => key === name) && KEYS.some((key) => key.startsWith(`${name}_`))

/**
 * The values of a file of settings by their full names: `retry_delays` in a table `[webhooks]` is `webhooks_retry_delays`.
 * @throws TonlithError `invalid` for one that is there in both ways
 */
export const settingsByTable = (
  values: Readonly<Record<string, unknown>>,
  path: string,
): Readonly<Record<string, unknown>> => {
  const flat: Record<string, unknown> = {}
  const put = (key: string, value: unknown): void => {
    if (Object.hasOwn(flat, key)) throw new TonlithError('invalid', `${key} is set twice (${path})`)
    flat[key] = value
  }
  for (const [name, value] of Object.entries(values)) {
    if (isTable(value) && isGroup(name)) for (const [key, inner] of Object.entries(value)) put(`${name}_${key}`, inner)
    else put(name, value)
  }
  return flat
}
