import { expect, test } from 'bun:test'
import { helpText } from '../../../src/cli/help.ts'
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
