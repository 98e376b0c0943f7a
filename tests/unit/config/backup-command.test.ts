import { expect, test } from 'bun:test'
import { parseBackupCommand } from '../../../src/config/backup-command.ts'
import { UsageError } from '../../../src/config/usage-error.ts'

test('a folder, the index where it is asked for, and the settings that say what is copied', () => {
  expect(parseBackupCommand(['copy'])).toEqual({ to: 'copy', withIndex: false, flags: new Map() })
  expect(parseBackupCommand(['--with-index', '--data', 'there', 'copy'])).toEqual({
    to: 'copy',
    withIndex: true,
    flags: new Map([['data', 'there']]),
  })
})

test('what is missing, unknown or too much is told', () => {
  for (const [args, text] of [
    [[], 'tonlith backup needs a word more: tonlith backup DIR'],
    [['a', 'b'], 'tonlith backup does not take the word b'],
    [['a', '--fast'], 'tonlith backup has no flag --fast'],
    [['a', '--data'], '--data needs a value'],
  ] as const)
    expect(() => parseBackupCommand(args)).toThrow(new UsageError(text))
})
