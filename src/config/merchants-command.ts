import { actionNamed, readActionLine } from './action-line.ts'
import { plainText } from './plain-text.ts'
import { UsageError } from './usage-error.ts'

/** What a merchant is given or changed to; an empty text takes away what is there. */
export type MerchantFields = { name?: string; wallet?: string; webhook?: string }

/** What `tonlith merchants` is asked to do. `network` tells merchants of one name apart. */
export type MerchantsAction =
  | { action: 'list' }
  | { action: 'add'; name: string; network?: string; fields: Omit<MerchantFields, 'name'> }
  | { action: 'set'; name: string; network?: string; fields: MerchantFields }
  | { action: 'rotate'; name: string; network?: string }
  | { action: 'add-key'; name: string; network?: string; key: string }
  /** Without a key the merchant as a whole. */
  | { action: 'revoke'; name: string; network?: string; key?: string }

/** The action, and the flags of settings beside it. */
export type MerchantsCommand = { action: MerchantsAction; flags: ReadonlyMap<string, string> }

/** The words and flags of each action. */
const ACTIONS = {
  add: { words: ['NAME'], flags: ['network', 'wallet', 'webhook'] },
  list: { words: [], flags: [] },
  set: { words: ['NAME'], flags: ['network', 'name', 'wallet', 'webhook'] },
  rotate: { words: ['NAME'], flags: ['network'] },
  'add-key': { words: ['NAME', 'KEY'], flags: ['network'] },
  revoke: { words: ['NAME'], flags: ['network', 'key'] },
} as const satisfies Record<string, { words: readonly string[]; flags: readonly string[] }>

/** The settings that say where merchants are kept and of which network they are. */
const SETTING_FLAGS = ['data', 'config']

export const MERCHANTS_HELP = [
  'tonlith merchants add NAME [--network mainnet|testnet|dev] [--wallet ADDRESS] [--webhook URL]',
  '    makes a merchant and prints its API key and the secret of its webhooks, once',
  'tonlith merchants list',
  '    prints all merchants and the names of their keys, without secrets',
  'tonlith merchants set NAME [--name NEW_NAME] [--wallet ADDRESS] [--webhook URL]',
  '    an empty text takes the wallet or the webhook away: --webhook=',
  'tonlith merchants rotate NAME',
  '    prints a new secret for its webhooks, once; they are signed with the old one, too, for a day',
  'tonlith merchants add-key NAME KEY',
  '    prints a further API key, once; KEY is what it is called',
  'tonlith merchants revoke NAME [--key KEY]',
  '    disables the merchant, or revokes one of its keys',
  '',
  'Each takes --data DIR and --config FILE as serve does, and --network where two networks have a merchant of that name.',
  'A server that runs on the same data folder follows at once.',
].join('\n')

/**
 * Understands what stands behind `tonlith merchants`.
 * @throws UsageError for an unknown action or flag, a missing name or value, or a word too many
 */
export const parseMerchantsCommand = ([word, ...args]: readonly string[]): MerchantsCommand => {
  const name = actionNamed('tonlith merchants', ACTIONS, word)
  const { words: wanted, flags: own } = ACTIONS[name]
  const verb = `tonlith merchants ${name}`
  const { words, given } = readActionLine(verb, args, { flags: [...own, ...SETTING_FLAGS], mostWords: wanted.length })
  if (words.length < wanted.length) throw new UsageError(`${verb} needs ${wanted.join(' and ')}`)
  const flags = new Map([...given].filter(([flag]) => SETTING_FLAGS.includes(flag)))
  const fields = Object.fromEntries([...given].filter(([flag]) => !flags.has(flag)))
  return { action: actionOf(name, words, fields), flags }
}

const actionOf = (
  action: keyof typeof ACTIONS,
  [first = '', second = '']: readonly string[],
  { network, key, ...fields }: Record<string, string>,
): MerchantsAction => {
  if (action === 'list') return { action }
  const name = plainText('the name of a merchant', first)
  const of = { name, ...(network !== undefined && { network }) }
  if (fields['name'] !== undefined) plainText('--name', fields['name'])
  switch (action) {
    case 'add':
      return { action, ...of, fields }
    case 'set':
      if (Object.keys(fields).length === 0)
        throw new UsageError('tonlith merchants set needs what to change: --name, --wallet or --webhook')
      return { action, ...of, fields }
    case 'rotate':
      return { action, ...of }
    case 'add-key':
      return { action, ...of, key: plainText('the name of a key', second) }
    case 'revoke':
      return { action, ...of, ...(key !== undefined && { key }) }
  }
}
