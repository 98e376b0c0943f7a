import { actionNamed, readActionLine } from './action-line.ts'
import { type AccountsAction, parseAccountsAction } from './index-accounts-command.ts'
import { UsageError } from './usage-error.ts'

/** What `tonlith index` is asked to do. Seqnos are those of masterchain blocks. */
export type IndexAction =
  | { action: 'info' }
  | { action: 'verify'; from: number | undefined; to: number | undefined; archive: string | undefined }
  | { action: 'audit'; sample: number | 'all'; seed: number | undefined; archive: string | undefined }
  | { action: 'export' | 'import' | 'backup'; path: string }
  | { action: 'compact' }
  | { action: 'accounts'; of: AccountsAction }

/** The action, and the flags of settings beside it. */
export type IndexCommand = { action: IndexAction; flags: ReadonlyMap<string, string> }

/** The flags of each action, and the word that it takes; `accounts` has actions of its own. */
const ACTIONS = {
  accounts: undefined,
  info: { word: undefined, flags: [] },
  verify: { word: undefined, flags: ['from', 'to', 'archive', 'live', 'seed'] },
  export: { word: 'FILE', flags: [] },
  import: { word: 'FILE', flags: [] },
  backup: { word: 'DIR', flags: [] },
  compact: { word: undefined, flags: [] },
} as const satisfies Record<string, { word: string | undefined; flags: readonly string[] } | undefined>

/** The settings that say where the index is, and whom to ask about the chain. */
const SETTING_FLAGS = ['data', 'config', 'network', 'global-config', 'trust']

const MAX_SEQNO = 2 ** 31 - 1
const MAX_SEED = 2 ** 32 - 1
const MAX_SAMPLE = 1_000_000

export const INDEX_HELP = [
  'tonlith index info',
  '    prints what is indexed, what is missing, and what it takes on the disk',
  'tonlith index verify [--from SEQNO] [--to SEQNO] [--archive DIR|embedded]',
  '    reads the indexed masterchain blocks of a stretch anew, from the liteservers (or from a recording: the embedded',
  '    one is taken for an index of that), and compares each row; exit code 1 when one differs',
  'tonlith index verify --live N|all [--seed NUMBER] [--archive DIR|embedded]',
  '    compares N accounts and N rows of each kind of token, domain, sale, multisig and vesting (or all of them) with what',
  '    the liteservers and the get-methods of these contracts say at the newest indexed block; a server may go on meanwhile',
  'tonlith index export FILE',
  'tonlith index import FILE',
  '    writes all rows to a file, and reads them into an index that is empty',
  'tonlith index backup DIR',
  '    copies the index as it is at this moment, while it may be in use',
  'tonlith index compact',
  '    gives free space inside the file back to the disk; not while the index is in use',
  'tonlith index accounts list',
  'tonlith index accounts add [ADDRESS...] [--file FILE]',
  'tonlith index accounts remove [ADDRESS...] [--file FILE]',
  '    shows and changes which accounts an index is about that is not about all of them: a running server follows within a',
  '    second; FILE has one account a line',
  '',
  'Each takes --data DIR, --config FILE, --network, --global-config and --trust as serve does. The index of the recorded',
  'network of tonlith dev is in the folder recorded of the data folder: --data data/recorded.',
].join('\n')

const toNumber = (flag: string, text: string | undefined, least = 1, most = MAX_SEQNO): number | undefined => {
  if (text === undefined) return undefined
  const number = Number(text)
  if (!/^\d+$/.test(text) || number < least || number > most)
    throw new UsageError(`--${flag} must be a whole number from ${least} to ${most}`)
  return number
}

/**
 * Understands what stands behind `tonlith index`.
 * @throws UsageError for an unknown action or flag, a missing word or value, or a word too many
 */
export const parseIndexCommand = ([first, ...args]: readonly string[]): IndexCommand => {
  const name = actionNamed('tonlith index', ACTIONS, first)
  if (name === 'accounts') {
    const { action, given } = parseAccountsAction(args, SETTING_FLAGS)
    return { action: { action: name, of: action }, flags: settingsOf(given) }
  }
  const { word, flags: own } = ACTIONS[name]
  const verb = `tonlith index ${name}`
  const line = { flags: [...own, ...SETTING_FLAGS], mostWords: word === undefined ? 0 : 1 }
  const { words, given } = readActionLine(verb, args, line)
  if (word !== undefined && words[0] === undefined) throw new UsageError(`${verb} needs a word more: ${verb} ${word}`)
  return { action: actionOf(name, words[0] ?? '', given), flags: settingsOf(given) }
}

const settingsOf = (given: ReadonlyMap<string, string>): ReadonlyMap<string, string> =>
  new Map(
    [...given]
      .filter(([flag]) => SETTING_FLAGS.includes(flag))
      .map(([flag, value]) => [flag.replaceAll('-', '_'), value]),
  )

const auditOf = (given: ReadonlyMap<string, string>): IndexAction => {
  for (const flag of ['from', 'to']) if (given.has(flag)) throw new UsageError(`--${flag} does not go with --live`)
  const live = given.get('live')!
  const seed = toNumber('seed', given.get('seed'), 0, MAX_SEED)
  if (live === 'all' && seed !== undefined) throw new UsageError('--seed does not go with --live all')
  if (live !== 'all' && !/^\d+$/.test(live))
    throw new UsageError(`--live must be all or a whole number from 1 to ${MAX_SAMPLE}`)
  const sample = live === 'all' ? live : toNumber('live', live, 1, MAX_SAMPLE)!
  return { action: 'audit', sample, seed, archive: given.get('archive') }
}

const actionOf = (
  action: Exclude<keyof typeof ACTIONS, 'accounts'>,
  path: string,
  given: ReadonlyMap<string, string>,
): IndexAction => {
  if (action === 'info' || action === 'compact') return { action }
  if (action !== 'verify') return { action, path }
  if (given.has('live')) return auditOf(given)
  if (given.has('seed')) throw new UsageError('--seed goes with --live')
  const [from, to] = [toNumber('from', given.get('from')), toNumber('to', given.get('to'))]
  if (from !== undefined && to !== undefined && from > to) throw new UsageError('--from is beyond --to')
  return { action, from, to, archive: given.get('archive') }
}
