import { parseArgs } from 'node:util'
import { suggestion } from '../common/edit-distance.ts'
import { flagOf, type RunVerb, SETTINGS, type Setting, settingsOf, VERBS, type Verb } from '../config.ts'
import { type BackupCommand, parseBackupCommand } from './backup-command.ts'
import { type DevCommand, isDevAction, parseDevCommand } from './dev-command.ts'
import { parseDoctorCommand } from './doctor-command.ts'
import { type IndexCommand, parseIndexCommand } from './index-command.ts'
import { type KeysCommand, parseKeysCommand } from './keys-command.ts'
import { type MerchantsCommand, parseMerchantsCommand } from './merchants-command.ts'
import { UsageError } from './usage-error.ts'
import { parseWebhooksCommand, type WebhooksCommand } from './webhooks-command.ts'

/** What the command line says, before any setting is read. */
export type CommandLine =
  | { verb: 'help'; about: Verb | undefined }
  | { verb: 'openapi' }
  | { verb: 'version' }
  | ({ verb: 'keys' } & KeysCommand)
  | ({ verb: 'merchants' } & MerchantsCommand)
  | ({ verb: 'webhooks' } & WebhooksCommand)
  | ({ verb: 'index' } & IndexCommand)
  | ({ verb: 'backup' } & BackupCommand)
  /** `dev` with a word behind it: asks the one that runs. */
  | ({ verb: 'dev' } & DevCommand)
  /** `of` is the verb whose settings `config` prints. */
  | { verb: 'config'; of: RunVerb; flags: ReadonlyMap<string, string> }
  /** Looks at what `serve` with these flags would need. */
  | { verb: 'doctor'; json: boolean; flags: ReadonlyMap<string, string> }
  | { verb: RunVerb; action?: undefined; flags: ReadonlyMap<string, string> }

/**
 * Understands `tonlith [VERB] [--flag value …]`; without a verb it means `serve`. `help VERB` is `VERB --help`.
 * @param args the arguments without the program
 * @throws UsageError for an unknown verb or flag, a missing value, a repeated flag or a word too many
 */
export const parseCommandLine = (args: readonly string[]): CommandLine => {
  const [first, ...others] = args
  const named = first !== undefined && !first.startsWith('-')
  if (first === '--version') return { verb: 'version' }
  if (first === 'help') return parseCommandLine([...others, '--help'])
  const verb = named ? toVerb(first) : 'serve'
  const rest = named ? others : args
  if (rest.includes('--help') || rest.includes('-h')) return { verb: 'help', about: named ? verb : undefined }
  if (verb === 'keys') return { verb, ...parseKeysCommand(rest) }
  if (verb === 'merchants') return { verb, ...parseMerchantsCommand(rest) }
  if (verb === 'webhooks') return { verb, ...parseWebhooksCommand(rest) }
  if (verb === 'index') return { verb, ...parseIndexCommand(rest) }
  if (verb === 'backup') return { verb, ...parseBackupCommand(rest) }
  if (verb === 'dev' && isDevAction(rest[0])) return { verb, ...parseDevCommand(rest) }
  if (verb === 'config') {
    const [of, ...flags] = rest[0] === 'dev' || rest[0] === 'serve' ? [rest[0], ...rest.slice(1)] : ['serve', ...rest]
    return { verb, of: of as RunVerb, flags: parseFlags(of as RunVerb, flags, `config${of === 'dev' ? ' dev' : ''}`) }
  }
  if (verb === 'doctor') {
    const { json, args: flags } = parseDoctorCommand(rest)
    return { verb, json, flags: parseFlags('serve', flags, verb) }
  }
  if (verb === 'serve' || verb === 'dev') return { verb, flags: parseFlags(verb, rest, verb) }
  if (rest.length > 0) throw new UsageError(`tonlith ${verb} takes no arguments, got ${rest[0]}`)
  return { verb }
}

const toVerb = (word: string): Verb => {
  const verb = VERBS.find((candidate) => candidate === word)
  if (verb === undefined) throw new UsageError(`there is no verb ${word}; the verbs are ${VERBS.join(', ')}`)
  return verb
}

/**
 * Reads the flags of the settings of a verb.
 * @param caller the words that the user wrote, which messages name
 */
const parseFlags = (verb: RunVerb, args: readonly string[], caller: string): ReadonlyMap<string, string> => {
  const byFlag = new Map(settingsOf(verb).flatMap((setting) => flagEntry(setting)))
  const options = Object.fromEntries(
    [...byFlag].map(([flag, { kind }]) => [
      flag.slice(2),
      { type: kind.bare ? ('boolean' as const) : ('string' as const) },
    ]),
  )
  const { tokens } = parseArgs({ args: [...args], options, strict: false, allowPositionals: true, tokens: true })
  const flags = new Map<string, string>()
  for (const token of tokens) {
    if (token.kind === 'option-terminator') continue
    if (token.kind === 'positional') throw new UsageError(`tonlith ${caller} does not take the word ${token.value}`)
    const setting = byFlag.get(token.rawName)
    if (setting === undefined) throw new UsageError(unknownFlag(caller, token.rawName, byFlag.keys()))
    const value = token.value ?? setting.kind.bare
    if (value === undefined || (!token.inlineValue && value.startsWith('-'))) {
      throw new UsageError(`${token.rawName} needs a value: ${token.rawName} ${setting.kind.form}`)
    }
    if (flags.has(setting.key)) throw new UsageError(`${token.rawName} is given twice`)
    flags.set(setting.key, value)
  }
  return flags
}

const flagEntry = (setting: Setting): [string, Setting][] => {
  const flag = flagOf(setting)
  return flag === undefined ? [] : [[flag, setting]]
}

const unknownFlag = (caller: string, flag: string, known: Iterable<string>): string => {
  const elsewhere = (SETTINGS as readonly Setting[]).find((setting) => flagOf(setting) === flag)
  if (elsewhere) {
    const verbs = elsewhere.verbs.map((verb) => (caller.startsWith('config') ? `config ${verb}` : verb))
    return `${flag} is a flag of ${verbs.join(', ')}, not of ${caller}`
  }
  const secret = (SETTINGS as readonly Setting[]).find((setting) => `--${setting.key.replaceAll('_', '-')}` === flag)
  if (secret) return `${flag} is a secret: it is read from the environment or from the file of settings only`
  return `tonlith ${caller} has no flag ${flag}${suggestion(flag, known, '--')}`
}
