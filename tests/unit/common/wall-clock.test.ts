import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const SRC = new URL('../../../src/', import.meta.url).pathname

/**
 * Who may ask for the time of day, which an administrator or NTP can turn back or on by hours. Whatever waits, measures or
 * limits goes by a clock that only runs forward.
 */
const ALLOWED: Record<string, string> = {
  'common/clock.ts': 'is the clock',
  'common/metrics.ts': 'tells when the process began',
  'api/v2/call.ts': 'the time of an answer, as the reference tells it',
  'api/v2/methods/blocks.ts': 'the time of an answer, as the reference tells it',
  'cli/index-accounts-verb.ts': 'notes when an account was chosen',
  'cli/keys.ts': 'notes when a key was made',
  'cli/merchants.ts': 'notes when a merchant was made',
  'cli/webhooks.ts': 'notes when something was asked for',
  'cli/token-documents.ts': 'times that outlive the process; one that is too far away counts as over',
  'indexer/metadata/fetcher.ts': 'times that outlive the process; one that is too far away counts as over',
  'liteserver/examine.ts': 'compares it with that of a liteserver',
  'payments/webhooks/log-retention.ts': 'the age of what outlives the process',
  'payments/webhooks/outbox.ts': 'times that outlive the process; one that is too far away counts as over',
  'payments/webhooks/send.ts': 'the time that is signed',
  'payments/consume.ts': 'tells when an event was made',
  'devnet/answer.ts': 'the time that a liteserver tells',
  'devnet/network.ts': 'the time of a new genesis',
  'devnet/network-control.ts': "the chain's own clock, which never goes back",
}

const WALL_CLOCK = /\bDate\.now\(|\bnew Date\(\)|\bclock\.now\(/

test('nobody waits, measures or limits by the time of day', () => {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
  const found = files.filter((file) => WALL_CLOCK.test(readFileSync(join(SRC, file), 'utf8')))
  expect(found.sort()).toEqual(Object.keys(ALLOWED).sort())
})
