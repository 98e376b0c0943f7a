import { expect, test } from 'bun:test'
import { helpText } from '../../../src/cli/help.ts'
import { parseIndexCommand } from '../../../src/config/index-command.ts'
import { parseKeysCommand } from '../../../src/config/keys-command.ts'
import { parseMerchantsCommand } from '../../../src/config/merchants-command.ts'
import { flagOf, settingsOf, VERBS } from '../../../src/config.ts'

test('the program names every verb', () => {
  for (const verb of VERBS) expect(helpText(undefined)).toMatch(new RegExp(`^ {2}${verb} `, 'm'))
})

test.each(['serve', 'dev'] as const)('%s names each of its flags and no other', (verb) => {
  const text = helpText(verb)
  const flags = [...text.matchAll(/^ {2}(--[a-z0-9-]+) /gm)].map((match) => match[1])
  expect(flags).toEqual(settingsOf(verb).flatMap((setting) => flagOf(setting) ?? []))
  expect(text).toContain('TONLITH_API_KEY KEY')
})

/** The actions that a verb tells of when it is given none. */
const actionsOf = (parse: (args: string[]) => unknown, ...before: string[]): string[] => {
  try {
    parse(before)
  } catch (error) {
    return (error as Error).message.replace(/.*: /, '').split(', ')
  }
  return []
}

test('the verbs with actions show each of theirs', () => {
  const lines = [
    ...actionsOf(parseKeysCommand).map((action) => ['keys', action]),
    ...actionsOf(parseMerchantsCommand).map((action) => ['merchants', action]),
    ...actionsOf(parseIndexCommand).map((action) => ['index', action]),
    ...actionsOf(parseIndexCommand, 'accounts').map((action) => ['index', 'accounts', action]),
  ]
  expect(lines.length).toBeGreaterThan(12)
  for (const line of lines)
    expect(helpText(line[0] as 'keys' | 'merchants' | 'index')).toMatch(
      new RegExp(`^tonlith ${line.join(' ')}\\b`, 'm'),
    )
})
