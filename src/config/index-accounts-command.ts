import { actionNamed, readActionLine } from './action-line.ts'
import { UsageError } from './usage-error.ts'

/** What `tonlith index accounts` is asked to do; `addresses` and those in `file` are as they were given. */
export type AccountsAction =
  | { action: 'list' }
  | { action: 'add' | 'remove'; addresses: readonly string[]; file: string | undefined }

/** The flags of each action, and how many addresses it takes. */
const ACTIONS = {
  list: { mostWords: 0, flags: [] },
  add: { mostWords: Number.POSITIVE_INFINITY, flags: ['file'] },
  remove: { mostWords: Number.POSITIVE_INFINITY, flags: ['file'] },
} as const satisfies Record<string, { mostWords: number; flags: readonly string[] }>

/**
 * Understands what stands behind `tonlith index accounts`; `others` are flags that may stand beside.
 * @throws UsageError for an unknown action or flag, a missing word or value, or a word too many
 */
export const parseAccountsAction = (
  [word, ...args]: readonly string[],
  others: readonly string[],
): { action: AccountsAction; given: ReadonlyMap<string, string> } => {
  const action = actionNamed('tonlith index accounts', ACTIONS, word)
  const { mostWords, flags } = ACTIONS[action]
  const verb = `tonlith index accounts ${action}`
  const { words, given } = readActionLine(verb, args, { flags: [...flags, ...others], mostWords })
  if (action === 'list') return { action: { action }, given }
  const file = given.get('file')
  if (words.length === 0 && file === undefined)
    throw new UsageError(`${verb} needs accounts: ${verb} ADDRESS..., or --file FILE`)
  return { action: { action, addresses: words, file }, given }
}
