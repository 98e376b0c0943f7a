import { defaultOf, envOf, flagOf, type Setting } from '../../src/config.ts'

/** The settings as the README shows them: a Markdown table. Run this file to print it. */
export const settingsTable = (settings: readonly Setting[]): string =>
  [
    '| setting | flag | environment | verbs | default | what it says |',
    '|---|---|---|---|---|---|',
    ...settings.map((setting) => row(setting)),
  ].join('\n')

const row = (setting: Setting): string => {
  const flag = flagOf(setting)
  const cells = [
    `\`${setting.key}\``,
    flag === undefined ? 'none: a secret' : `\`${flag} ${setting.kind.form}\``.replaceAll('|', '\\|'),
    `\`${envOf(setting)}\``,
    setting.verbs.join(', '),
    defaults(setting),
    setting.help +
      (setting.inFile === false ? '; not in the file of settings' : '') +
      (setting.live ? '; read again at SIGHUP' : ''),
  ]
  return `| ${cells.join(' | ')} |`
}

const defaults = (setting: Setting): string => {
  const recorded = setting.recordedDefault
  return commonDefaults(setting) + (recorded === undefined ? '' : `, \`${recorded}\` (dev over a recorded network)`)
}

const commonDefaults = (setting: Setting): string => {
  const values = new Set(setting.verbs.map((verb) => defaultOf(setting, verb)).filter((value) => value !== undefined))
  if (values.size < 2) return [...values].map((value) => `\`${value}\``).join('')
  return setting.verbs.map((verb) => `\`${defaultOf(setting, verb)}\` (${verb})`).join(', ')
}

if (import.meta.main) {
  const { SETTINGS } = await import('../../src/config.ts')
  console.log(settingsTable(SETTINGS))
}
