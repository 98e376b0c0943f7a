import { actionNamed, readActionLine } from './action-line.ts'
import { plainText } from './plain-text.ts'
import { UsageError } from './usage-error.ts'

/** What `tonlith keys` is asked to do. */
export type KeysAction =
  | { action: 'list' }
  | { action: 'add'; name: string; owner?: string; network?: string; plan?: string }
  | { action: 'revoke'; name: string }
  | { action: 'set'; name: string; changes: { name?: string; owner?: string; plan?: string } }

/** The action, and the flags of settings beside it. */
export type KeysCommand = { action: KeysAction; flags: ReadonlyMap<string, string> }

/** The flags of each action, and whether it takes the name of a key. */
const ACTIONS = {
  add: { named: true, flags: ['owner', 'network', 'plan'] },
  list: { named: false, flags: [] },
  revoke: { named: true, flags: [] },
  set: { named: true, flags: ['name', 'owner', 'plan'] },
} as const satisfies Record<string, { named: boolean; flags: readonly string[] }>

/** The settings that say where keys are kept and which plans there are. */
const SETTING_FLAGS = ['data', 'config']

export const KEYS_HELP = [
  'tonlith keys add NAME [--owner OWNER] [--network mainnet|testnet|dev] [--plan PLAN]',
  '    makes a key and prints its secret, once; the owner is NAME unless told, the plan the first one of the settings; no other',
  '    valid key may have that name, on whatever network',
  'tonlith keys list',
  '    prints all keys, without their secrets',
  'tonlith keys set NAME [--name NEW_NAME] [--owner OWNER] [--plan PLAN]',
  'tonlith keys revoke NAME',
  '',
  'Each takes --data DIR and --config FILE as serve does. A server that runs on the same data folder follows at once.',
].join('\n')

/**
 * Understands what stands behind `tonlith keys`.
 * @throws UsageError for an unknown action or flag, a missing name or value, or a word too many
 */
export const parseKeysCommand = ([word, ...args]: readonly string[]): KeysCommand => {
  const name = actionNamed('tonlith keys', ACTIONS, word)
  const { named, flags: own } = ACTIONS[name]
  const verb = `tonlith keys ${name}`
  const { words, given } = readActionLine(verb, args, { flags: [...own, ...SETTING_FLAGS], mostWords: named ? 1 : 0 })
  if (named && words[0] === undefined) throw new UsageError(`${verb} needs the name of a key: ${verb} NAME`)
  const flags = new Map([...given].filter(([flag]) => SETTING_FLAGS.includes(flag)))
  const fields = Object.fromEntries(
    [...given].filter(([flag]) => !flags.has(flag)).map(([flag, value]) => [flag, plainText(`--${flag}`, value)]),
  )
  const key = named ? plainText('the name of a key', words[0]!) : ''
  return { action: actionOf(name, key, fields), flags }
}

const actionOf = (action: keyof typeof ACTIONS, name: string, fields: Record<string, string>): KeysAction => {
  if (action === 'list') return { action }
  if (action === 'add') return { ...fields, action, name }
  if (action === 'revoke') return { action, name }
  if (Object.keys(fields).length === 0)
    throw new UsageError('tonlith keys set needs what to change: --name, --owner or --plan')
  return { action, name, changes: fields }
}
