import { expect, test } from 'bun:test'
import { parseWebhooksCommand } from '../../../src/config/webhooks-command.ts'

const parse = (line: string) => {
  const { action, flags } = parseWebhooksCommand(line.split(' '))
  return { ...action, ...(flags.size > 0 && { flags: Object.fromEntries(flags) }) }
}

test('webhooks are listed, shown, sent again and tested', () => {
  expect(parse('list shop')).toEqual({ action: 'list', of: { merchant: 'shop' }, limit: 50 })
  expect(parse('list shop --state exhausted --limit 5 --network dev --data x')).toEqual({
    action: 'list',
    of: { merchant: 'shop', network: 'dev' },
    state: 'exhausted',
    limit: 5,
    flags: { data: 'x' },
  })
  expect(parse('show E')).toEqual({ action: 'show', event: 'E' })
  expect(parse('resend E')).toEqual({ action: 'resend', event: 'E' })
  expect(parse('resend-exhausted shop')).toEqual({ action: 'resend-exhausted', of: { merchant: 'shop' } })
  expect(parse('test shop --status failed')).toEqual({ action: 'test', of: { merchant: 'shop' }, status: 'failed' })
})

test('what is not understood is refused', () => {
  for (const [line, words] of [
    ['', 'tonlith webhooks does not know'],
    ['send', 'does not know send: list, show, resend, resend-exhausted, test'],
    ['resend', 'tonlith webhooks resend needs EVENT'],
    ['test', 'tonlith webhooks test needs MERCHANT'],
    ['resend E F', 'does not take the word F'],
    ['resend E --network dev', 'has no flag --network'],
    ['list shop --limit 0', '--limit must be a whole number from 1 to 1000'],
  ] as const)
    expect(() => parse(line)).toThrow(words)
})
