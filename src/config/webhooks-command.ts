import { actionNamed, readActionLine } from './action-line.ts'
import { plainText } from './plain-text.ts'
import { UsageError } from './usage-error.ts'

/** Whose events; `network` tells merchants of one name apart. */
export type OfMerchant = { merchant: string; network?: string }

/** What `tonlith webhooks` is asked to do. */
export type WebhooksAction =
  | { action: 'list'; of: OfMerchant; state?: string; limit: number }
  | { action: 'show'; event: string }
  | { action: 'resend'; event: string }
  /** All that are exhausted or ignored. */
  | { action: 'resend-exhausted'; of: OfMerchant }
  | { action: 'test'; of: OfMerchant; status?: string }

/** The action, and the flags of settings beside it. */
export type WebhooksCommand = { action: WebhooksAction; flags: ReadonlyMap<string, string> }

/** The word and flags of each action. */
const ACTIONS = {
  list: { word: 'MERCHANT', flags: ['network', 'state', 'limit'] },
  show: { word: 'EVENT', flags: [] },
  resend: { word: 'EVENT', flags: [] },
  'resend-exhausted': { word: 'MERCHANT', flags: ['network'] },
  test: { word: 'MERCHANT', flags: ['network', 'status'] },
} as const satisfies Record<string, { word: string; flags: readonly string[] }>

/** The settings that say where merchants are kept. */
const SETTING_FLAGS = ['data', 'config']
const DEFAULT_LIMIT = 50
const MAX_LIMIT = 1_000

export const WEBHOOKS_HELP = [
  'tonlith webhooks list MERCHANT [--state waiting|delivered|exhausted|ignored] [--limit N]',
  '    prints its events and how their delivery stands, the newest first',
  'tonlith webhooks show EVENT',
  '    prints the body of an event and each attempt to deliver it',
  'tonlith webhooks resend EVENT',
  '    has it sent again, whatever became of it before, with all its retries',
  'tonlith webhooks resend-exhausted MERCHANT',
  '    has all sent again whose last retry failed, and those that were ignored when they were made: there was no URL to use',
  'tonlith webhooks test MERCHANT [--status success|failed]',
  '    has an event sent, once, about a transfer that nobody made',
  '',
  'Each takes --data DIR and --config FILE as serve does, and --network where two networks have a merchant of that name.',
  'A server that runs on the same data folder sends what is due within a second.',
].join('\n')

const limitOf = (text: string | undefined): number => {
  if (text === undefined) return DEFAULT_LIMIT
  const limit = Number(text)
  if (!/^\d{1,4}$/.test(text) || limit < 1 || limit > MAX_LIMIT)
    throw new UsageError(`--limit must be a whole number from 1 to ${MAX_LIMIT}`)
  return limit
}

/**
 * Understands what stands behind `tonlith webhooks`.
 * @throws UsageError for an unknown action or flag, a missing name or value, or a word too many
 */
export const parseWebhooksCommand = ([first, ...args]: readonly string[]): WebhooksCommand => {
  const name = actionNamed('tonlith webhooks', ACTIONS, first)
  const verb = `tonlith webhooks ${name}`
  const { word, flags: own } = ACTIONS[name]
  const { words, given } = readActionLine(verb, args, { flags: [...own, ...SETTING_FLAGS], mostWords: 1 })
  if (words[0] === undefined) throw new UsageError(`${verb} needs ${word}`)
  const flags = new Map([...given].filter(([flag]) => SETTING_FLAGS.includes(flag)))
  return { action: actionOf(name, words[0], given), flags }
}

const actionOf = (action: keyof typeof ACTIONS, word: string, given: ReadonlyMap<string, string>): WebhooksAction => {
  if (action === 'show' || action === 'resend') return { action, event: word }
  const network = given.get('network')
  const of = { merchant: plainText('the name of a merchant', word), ...(network !== undefined && { network }) }
  const state = given.get('state')
  const status = given.get('status')
  switch (action) {
    case 'list':
      return { action, of, limit: limitOf(given.get('limit')), ...(state !== undefined && { state }) }
    case 'resend-exhausted':
      return { action, of }
    case 'test':
      return { action, of, ...(status !== undefined && { status }) }
  }
}
