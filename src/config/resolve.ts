import { dirname } from 'node:path'
import { suggestion } from '../common/edit-distance.ts'
import { isTonlithError, TonlithError } from '../common/errors.ts'
import { withoutCredentials } from '../common/url-text.ts'
import {
  defaultOf,
  envOf,
  flagOf,
  RECORDED_KEYS,
  type RunVerb,
  SETTINGS,
  type Setting,
  type Settings,
  settingsOf,
} from '../config.ts'
import { UsageError } from './usage-error.ts'

/** Everything that can say what a setting is. */
export type Sources = {
  /** Flags by key of their setting. */
  flags: ReadonlyMap<string, string>
  env: Readonly<Record<string, string | undefined>>
  /** The file of settings, read, with its absolute path. */
  file: { path: string; values: Readonly<Record<string, unknown>> } | undefined
  /** The absolute path of the working directory: relative paths of flags and of the environment start there. */
  folder: string
}

/** One setting as it holds: its text (undefined: not set) and who said so. */
export type Effective = { setting: Setting; text: string | undefined; origin: string }

export type Resolved = { settings: Settings; effective: readonly Effective[] }

const ALL: readonly Setting[] = SETTINGS
const ENV_PREFIX = 'TONLITH_'
const DEFAULT = 'default'

/** Names of the environment that begin like ours and are read by the project's tests and tools instead. */
const ENV_OF_TOOLS: readonly string[] = ['TONLITH_CHAIN_DATA', 'TONLITH_TOOLS', 'TONLITH_BENCH_TRANSACTIONS']

/**
 * Decides every setting of a verb: flag before environment before file before default.
 * @throws UsageError for a flag with a bad value
 * @throws TonlithError `invalid` for a bad value elsewhere, or a name in the environment or file that is no setting
 */
export const resolveSettings = (verb: RunVerb, sources: Sources): Resolved => {
  refuseUnknownEnv(sources.env)
  if (sources.file) refuseUnknownKeys(sources.file)
  const all = settingsOf(verb).map((setting) => ({ setting, ...find(setting, verb, sources) }))
  const recorded = all.some(
    ({ setting: { key }, text }) => RECORDED_KEYS.some((one) => one === key) && text !== undefined,
  )
  const found = recorded ? all.map(ofRecorded) : all
  const values = found.map(({ setting, ...said }) => [setting.key, parse(setting, said)])
  const settings = { ...unset, ...Object.fromEntries(values) } as Settings
  return { settings, effective: found.map(({ setting, text, origin }) => ({ setting, text, origin })) }
}

/** Settings of which only those are looked at that are read. */
export type AsRead = {
  /** Reading one that is wrong, or that a file which cannot be used may say, throws TonlithError `invalid`. */
  settings: Settings
  /** What is wrong with those that nobody reads, in words. */
  faults: readonly string[]
}

/**
 * The settings of a verb that needs few of them: whoever revokes a key is not kept from it by a port that is wrong.
 * @param unusable why the file of settings cannot be used, where it cannot
 * @throws UsageError for a flag with a bad value
 * @throws TonlithError `invalid` for a name in the environment that is no setting: it may be a misspelt TONLITH_DATA
 */
export const settingsAsRead = (verb: RunVerb, sources: Sources, unusable?: TonlithError): AsRead => {
  refuseUnknownEnv(sources.env)
  const settings: Record<string, unknown> = { ...unset }
  const faults = unusable ? [unusable.message] : []
  const refuse = (key: string, error: TonlithError): void => {
    const get = (): never => {
      throw error
    }
    Object.defineProperty(settings, key, { get })
  }
  for (const setting of settingsOf(verb)) {
    const { key } = setting
    try {
      const said = find(setting, verb, sources)
      if (unusable && said.origin === DEFAULT && setting.inFile !== false) refuse(key, unusable)
      else settings[key] = parse(setting, said)
    } catch (error) {
      if (!isTonlithError(error)) throw error
      faults.push(error.message)
      refuse(key, error)
    }
  }
  return { settings: settings as Settings, faults }
}

/** One setting alone, from its flag or the environment: for what must be known before the file can be found. */
export const resolveBeforeFile = (key: 'config' | 'data', verb: RunVerb, sources: Omit<Sources, 'file'>) => {
  const setting = ALL.find((candidate) => candidate.key === key)!
  return parse(setting, find(setting, verb, { ...sources, file: undefined })) as string | undefined
}

const unset = Object.fromEntries(ALL.map((setting) => [setting.key, undefined]))

type Said = { text: string | undefined; origin: string; folder: string; byFlag: boolean }

const find = (setting: Setting, verb: RunVerb, { flags, env, file, folder }: Sources): Said => {
  const flag = flags.get(setting.key)
  if (flag !== undefined) return { text: flag, origin: `flag ${flagOf(setting)}`, folder, byFlag: true }
  const name = envOf(setting)
  if (env[name]) return { text: env[name], origin: `env ${name}`, folder, byFlag: false }
  const inFile = file?.values[setting.key]
  if (file && inFile !== undefined) {
    return {
      text: fileText(setting, inFile, file.path),
      origin: `file ${file.path}`,
      folder: dirname(file.path),
      byFlag: false,
    }
  }
  return { text: defaultOf(setting, verb), origin: DEFAULT, folder, byFlag: false }
}

/** What holds where a recorded network is served and nobody said anything. */
const ofRecorded = <S extends Said & { setting: Setting }>(said: S): S =>
  said.origin === DEFAULT ? { ...said, text: said.setting.recordedDefault ?? said.text } : said

const isTable = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)

const fileText = ({ key, kind }: Setting, value: unknown, path: string): string => {
  if (!isTable(value) || !kind.fromTable) return String(value)
  try {
    return kind.fromTable(value)
  } catch (error) {
    throw new TonlithError('invalid', `${key} must be ${error instanceof Error ? error.message : error} (${path})`)
  }
}

const parse = (setting: Setting, { text, origin, folder, byFlag }: Said): unknown => {
  if (text === undefined) return undefined
  try {
    return setting.kind.parse(text, folder)
  } catch (error) {
    const got = setting.secret ? '' : `, not ${JSON.stringify(withoutCredentials(text))}`
    const message = `${setting.key} must be ${error instanceof Error ? error.message : error}${got} (${origin})`
    throw byFlag ? new UsageError(message) : new TonlithError('invalid', message)
  }
}

const refuseUnknownEnv = (env: Sources['env']): void => {
  const known = new Set([...ALL.map(envOf), ...ENV_OF_TOOLS])
  for (const name of Object.keys(env)) {
    if (!name.startsWith(ENV_PREFIX) || known.has(name)) continue
    throw new TonlithError('invalid', `${name} in the environment is no setting${suggestion(name, known, ENV_PREFIX)}`)
  }
}

/**
 * Insists that a file names settings only, each with a value of a form that a setting may have.
 * @throws TonlithError `invalid`
 */
export const refuseUnknownKeys = ({ path, values }: NonNullable<Sources['file']>): void => {
  const known = ALL.filter((setting) => setting.inFile !== false).map((setting) => setting.key)
  for (const [key, value] of Object.entries(values)) {
    if (ALL.some((setting) => setting.key === key && setting.inFile === false)) {
      throw new TonlithError(
        'invalid',
        `${key} cannot be set in the file of settings, as it tells where that is (${path})`,
      )
    }
    if (!known.includes(key)) {
      throw new TonlithError('invalid', `${key} is no setting${suggestion(key, known)} (${path})`)
    }
    const takesTable = ALL.some((setting) => setting.key === key && setting.kind.fromTable !== undefined)
    if (!['string', 'number', 'bigint', 'boolean'].includes(typeof value) && !(takesTable && isTable(value))) {
      throw new TonlithError('invalid', `${key} must be a single value (${path})`)
    }
  }
}
