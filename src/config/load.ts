import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'smol-toml'
import { TonlithError } from '../common/errors.ts'
import type { RunVerb } from '../config.ts'
import { settingsByTable } from './file-tables.ts'
import { type Resolved, resolveBeforeFile, resolveSettings, type Sources } from './resolve.ts'

/**
 * Reads the file of settings (`config`, or `tonlith.toml` in the data folder where there is one) and decides every
 * setting of a verb.
 * @throws UsageError, or TonlithError `invalid` for whatever is wrong with a setting or the file
 */
export const loadSettings = async (verb: RunVerb, sources: Omit<Sources, 'file'>): Promise<Resolved> => {
  const named = resolveBeforeFile('config', verb, sources)
  const path = named ?? join(resolveBeforeFile('data', verb, sources)!, 'tonlith.toml')
  const text = await readText(path, named === undefined)
  const file = text === undefined ? undefined : { path, values: settingsByTable(parseFile(text, path), path) }
  return resolveSettings(verb, { ...sources, file })
}

const readText = async (path: string, optional: boolean): Promise<string | undefined> => {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code
    if (optional && (code === 'ENOENT' || code === 'ENOTDIR')) return undefined
    throw new TonlithError('invalid', `the file of settings cannot be read: ${path} (${code})`, { cause })
  }
}

const parseFile = (text: string, path: string): Record<string, unknown> => {
  try {
    return parse(text)
  } catch (cause) {
    const { message, line } = cause as { message: string; line?: number }
    const where = line === undefined ? path : `${path}, line ${line}`
    throw new TonlithError('invalid', `${message.split('\n', 1)[0]} (${where})`, { cause })
  }
}
