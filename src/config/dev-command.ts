import { parseCoins } from '../common/coins-text.ts'
import { actionNamed, readActionLine } from './action-line.ts'
import { UsageError } from './usage-error.ts'

/** What the network of a running `tonlith dev` is asked to do. Addresses are as they were given. */
export type DevAction =
  | { action: 'status' }
  /** `amount` in nano-units. */
  | { action: 'faucet'; address: string; amount: bigint }
  | { action: 'mine'; blocks: number }
  /** Unix seconds to go to, or seconds to go on by; neither of them only asks. */
  | { action: 'time'; now?: number; advance?: number }
  /** `shard` in 16 hexadecimal digits. */
  | { action: 'split' | 'merge'; shard: string }
  | { action: 'config'; param: number; file: string }
  | { action: 'snapshot' | 'restore'; name: string }
  | { action: 'load'; file: string }

/** The action, and the flags of settings beside it. */
export type DevCommand = { action: DevAction; flags: ReadonlyMap<string, string> }

/** The words of each action; those in brackets may be left out. */
const ACTIONS = {
  status: [],
  faucet: ['ADDRESS', 'AMOUNT'],
  mine: ['[N]'],
  time: ['now|+SECONDS|UNIX'],
  split: ['SHARD'],
  merge: ['SHARD'],
  config: ['PARAM', 'FILE'],
  snapshot: ['NAME'],
  restore: ['NAME'],
  load: ['FILE'],
} as const satisfies Record<DevAction['action'], readonly string[]>

/** The settings that say where `tonlith dev` listens. */
const SETTING_FLAGS = ['listen', 'data', 'config']

const MAX_BLOCKS = 10_000
const MAX_TIME = 2 ** 31 - 1

export const DEV_HELP = [
  'With a word behind it, it asks the tonlith dev that runs (--listen tells where, if not at 127.0.0.1:8081):',
  '',
  'tonlith dev status',
  '    prints its head, clock, shards and wallets',
  'tonlith dev faucet ADDRESS AMOUNT',
  '    pays an amount of TON (up to nine decimals) and waits until it has arrived',
  'tonlith dev mine [N]',
  '    makes N masterchain blocks, 1 unless told, at once',
  'tonlith dev time now|+SECONDS|UNIX',
  '    prints the clock, moves it on, or sets it to a later time; block times never go back',
  'tonlith dev split SHARD, tonlith dev merge SHARD',
  '    splits a shard (16 hexadecimal digits), or merges it with its sibling',
  'tonlith dev config PARAM FILE',
  '    changes a parameter of the configuration to the cell in a file (bag of cells: binary, hex or base64)',
  'tonlith dev load FILE',
  '    puts accounts from a file into the chain',
  'tonlith dev snapshot NAME, tonlith dev restore NAME',
  '    keeps the chain as it is now under a name, and goes back to that',
].join('\n')

/** True where `word` stands where an action of `dev` does: it is not a flag. */
export const isDevAction = (word: string | undefined): word is string => word !== undefined && !word.startsWith('-')

const wholeNumber = (what: string, text: string, least: number, most: number): number => {
  const value = Number(text)
  if (!/^\d+$/.test(text) || value < least || value > most)
    throw new UsageError(`${what} must be a whole number from ${least} to ${most}, not ${text}`)
  return value
}

const timeAction = (text: string): DevAction => {
  if (text === 'now') return { action: 'time' }
  if (text.startsWith('+')) return { action: 'time', advance: wholeNumber('SECONDS', text.slice(1), 1, MAX_TIME) }
  return { action: 'time', now: wholeNumber('UNIX', text, 1, MAX_TIME) }
}

const faucetAction = (address: string, text: string): DevAction => {
  const amount = parseCoins(text)
  if (!amount) throw new UsageError(`AMOUNT must be TON with up to nine decimals, such as 1.5, not ${text}`)
  return { action: 'faucet', address, amount }
}

const shardOf = (text: string): string => {
  if (!/^[0-9a-fA-F]{16}$/.test(text))
    throw new UsageError(`SHARD must be 16 hexadecimal digits, such as 4000000000000000, not ${text}`)
  return text.toLowerCase()
}

const nameOf = (text: string): string => {
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(text))
    throw new UsageError(`NAME must be 1 to 64 letters, digits, "_", "-" or ".", not ${text}`)
  return text
}

const paramOf = (text: string): number => {
  if (!/^-?\d{1,10}$/.test(text) || Math.abs(Number(text)) > 2 ** 31 - 1)
    throw new UsageError(`PARAM must be the number of a parameter, not ${text}`)
  return Number(text)
}

const actionOf = (action: DevAction['action'], [first = '', second = '']: readonly string[]): DevAction => {
  switch (action) {
    case 'status':
      return { action }
    case 'faucet':
      return faucetAction(first, second)
    case 'mine':
      return { action, blocks: first === '' ? 1 : wholeNumber('N', first, 1, MAX_BLOCKS) }
    case 'time':
      return timeAction(first)
    case 'split':
    case 'merge':
      return { action, shard: shardOf(first) }
    case 'config':
      return { action, param: paramOf(first), file: second }
    case 'snapshot':
    case 'restore':
      return { action, name: nameOf(first) }
    case 'load':
      return { action, file: first }
  }
}

/**
 * Understands what stands behind `tonlith dev` when that is a word.
 * @throws UsageError for an unknown action or flag, a missing or bad word, or a word too many
 */
export const parseDevCommand = ([word, ...args]: readonly string[]): DevCommand => {
  const action = actionNamed('tonlith dev', ACTIONS, word)
  const expected: readonly string[] = ACTIONS[action]
  const verb = `tonlith dev ${action}`
  const { words, given } = readActionLine(verb, args, { flags: SETTING_FLAGS, mostWords: expected.length })
  const missing = expected.find((name, place) => !name.startsWith('[') && (words[place] ?? '') === '')
  if (missing !== undefined) throw new UsageError(`${verb} needs ${missing}: ${verb} ${expected.join(' ')}`)
  return { action: actionOf(action, words), flags: given }
}
