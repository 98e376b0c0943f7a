import { readActionLine } from './action-line.ts'
import { UsageError } from './usage-error.ts'

/** Where a backup goes, whether the index is in it, and the flags of settings beside that. */
export type BackupCommand = { to: string; withIndex: boolean; flags: ReadonlyMap<string, string> }

const WITH_INDEX = '--with-index'
/** The settings that say what is backed up. */
const SETTING_FLAGS = ['data', 'config']

export const BACKUP_HELP = [
  'tonlith backup DIR [--with-index]',
  '    copies what cannot be had from the chain again into a new folder: API keys, chosen accounts, merchants, transfers,',
  '    webhooks and their secrets, the trusted key blocks, and tonlith.toml where it is in the data folder; with the index',
  '    where that is asked for. It is as all of it is at this moment, also while a server runs. To restore it, put the',
  '    folder in the place of the data folder, or run with --data DIR.',
  '',
  '--with-index copies the network of tonlith dev, too: its chain and index (tonlith dev --data DIR goes on with the copy).',
  'It takes --data DIR and --config FILE as serve does. Not in it: snapshots of that network, and what is fetched again',
  '(metadata of tokens).',
].join('\n')

/**
 * Understands what stands behind `tonlith backup`.
 * @throws UsageError for an unknown flag, a missing folder or value, or a word too many
 */
export const parseBackupCommand = (args: readonly string[]): BackupCommand => {
  const others = args.filter((arg) => arg !== WITH_INDEX)
  const { words, given } = readActionLine('tonlith backup', others, { flags: SETTING_FLAGS, mostWords: 1 })
  const [to] = words
  if (to === undefined) throw new UsageError('tonlith backup needs a word more: tonlith backup DIR')
  return { to, withIndex: others.length < args.length, flags: given }
}
