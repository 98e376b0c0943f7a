import { join } from 'node:path'
import { parse } from 'smol-toml'
import { isTonlithError, TonlithError } from '../common/errors.ts'
import { readRegularFile, UnreadableFile } from '../common/regular-file.ts'
import type { RunVerb } from '../config.ts'
import { settingsByTable } from './file-tables.ts'
import {
  type AsRead,
  type Resolved,
  refuseUnknownKeys,
  resolveBeforeFile,
  resolveSettings,
  type Sources,
  settingsAsRead,
} from './resolve.ts'

const MAX_BYTES = 4 << 20

/**
 * Reads the file of settings (`config`, or `tonlith.toml` in the data folder where there is one) and decides every
 * setting of a verb.
 * @throws UsageError, or TonlithError `invalid` for whatever is wrong with a setting or the file
 */
export const loadSettings = async (verb: RunVerb, sources: Omit<Sources, 'file'>): Promise<Resolved> => {
  return resolveSettings(verb, { ...sources, file: readFileOf(verb, sources) })
}

/**
 * The settings of a verb that needs few of them: a file that cannot be used stops only who reads a setting that it may say.
 * @throws UsageError, or TonlithError `invalid` for a name in the environment that is no setting
 */
export const loadAsRead = async (verb: RunVerb, sources: Omit<Sources, 'file'>): Promise<AsRead> => {
  let file: Sources['file']
  try {
    file = readFileOf(verb, sources)
    if (file) refuseUnknownKeys(file)
  } catch (error) {
    if (!isTonlithError(error)) throw error
    return settingsAsRead(verb, { ...sources, file: undefined }, error)
  }
  return settingsAsRead(verb, { ...sources, file })
}

const readFileOf = (verb: RunVerb, sources: Omit<Sources, 'file'>): Sources['file'] => {
  const named = resolveBeforeFile('config', verb, sources)
  const path = named ?? join(resolveBeforeFile('data', verb, sources)!, 'tonlith.toml')
  const text = readText(path, named === undefined)
  return text === undefined ? undefined : { path, values: settingsByTable(parseFile(text, path), path) }
}

const readText = (path: string, optional: boolean): string | undefined => {
  try {
    return readRegularFile(path, MAX_BYTES).toString('utf8')
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error
    if (optional && error.missing) return undefined
    throw new TonlithError('invalid', `the file of settings cannot be read: ${path} (${error.message})`)
  }
}

/** The parser's error goes no further than its first line: the rest quotes the file, which may hold secrets. */
const parseFile = (text: string, path: string): Record<string, unknown> => {
  try {
    return parse(text)
  } catch (cause) {
    const { message, line } = cause as { message: string; line?: number }
    const where = line === undefined ? path : `${path}, line ${line}`
    throw new TonlithError('invalid', `${message.split('\n', 1)[0]} (${where})`)
  }
}
