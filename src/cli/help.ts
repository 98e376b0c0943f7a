import { BACKUP_HELP } from '../config/backup-command.ts'
import { DEV_HELP } from '../config/dev-command.ts'
import { DOCTOR_HELP } from '../config/doctor-command.ts'
import { INDEX_HELP } from '../config/index-command.ts'
import { KEYS_HELP } from '../config/keys-command.ts'
import { MERCHANTS_HELP } from '../config/merchants-command.ts'
import { WEBHOOKS_HELP } from '../config/webhooks-command.ts'
import { defaultOf, envOf, flagOf, type RunVerb, type Setting, settingsOf, type Verb } from '../config.ts'

const VERB_HELP: Record<Verb, string> = {
  serve: 'answers HTTP from the liteservers of a network (the verb when none is given)',
  dev: 'runs a network of its own and answers HTTP from it, or from a recorded one; with a word, asks the one that runs',
  index: 'looks at, checks, copies and compacts the index',
  keys: 'adds, lists, changes and revokes API keys',
  merchants: 'adds, lists, changes and disables merchants, their keys and their webhooks',
  webhooks: 'lists, shows, tests and sends webhooks again',
  backup: 'copies what cannot be had from the chain again, also while a server runs',
  config: 'prints the effective settings of serve, or of dev (tonlith config dev), and where each comes from',
  doctor: 'looks at all that serve needs: settings, clock, disk, each liteserver, what is kept',
  openapi: 'prints the OpenAPI document',
  version: 'prints the versions of what this program is made of',
}

/** The text of `--help`: about the whole program, or about one verb. */
export const helpText = (about: Verb | undefined): string => {
  if (about === undefined) return programHelp()
  const head = `tonlith ${about}: ${VERB_HELP[about]}`
  if (about === 'index') return `${head}\n\n${INDEX_HELP}`
  if (about === 'keys') return `${head}\n\n${KEYS_HELP}`
  if (about === 'merchants') return `${head}\n\n${MERCHANTS_HELP}`
  if (about === 'webhooks') return `${head}\n\n${WEBHOOKS_HELP}`
  if (about === 'backup') return `${head}\n\n${BACKUP_HELP}`
  if (about === 'doctor') return `${head}\n\n${DOCTOR_HELP}`
  if (about === 'dev') return `${head}\n\n${flagHelp(about)}\n\n${DEV_HELP}`
  return about === 'serve' ? `${head}\n\n${flagHelp(about)}` : head
}

const programHelp = (): string => {
  const verbs = Object.entries(VERB_HELP).map(([verb, help]) => `  ${verb.padEnd(11)}${help}`)
  return `tonlith [VERB] [--flag value …]\n\n${verbs.join('\n')}\n\ntonlith VERB --help tells the flags of a verb.`
}

const flagHelp = (verb: RunVerb): string => {
  const rows = settingsOf(verb).map((setting): [string, string] => [nameOf(setting), describe(setting, verb)])
  const width = Math.max(...rows.map(([name]) => name.length)) + 2
  const lines = rows.map(([name, help]) => `  ${name.padEnd(width)}${help}`)
  return `${lines.join('\n')}\n\nEach flag can be given in the environment (--log-level: TONLITH_LOG_LEVEL) or in data/tonlith.toml (log_level).`
}

const nameOf = (setting: Setting): string => {
  const flag = flagOf(setting)
  if (setting.kind.bare !== undefined && flag !== undefined) return flag
  return `${flag ?? envOf(setting)} ${setting.kind.form}`
}

const describe = (setting: Setting, verb: RunVerb): string => {
  const value = defaultOf(setting, verb)
  if (value === undefined) return setting.help
  const recorded = verb === 'dev' ? setting.recordedDefault : undefined
  return `${setting.help} (${value}${recorded === undefined ? '' : `; recorded networks: ${recorded}`})`
}
