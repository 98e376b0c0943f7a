import { expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseJson } from '../../src/common/lossless-json.ts'
import { accountsToKnow, classify } from '../../src/indexer/classify.ts'
import { type Address, rawAddress } from '../../src/ton/address.ts'
import { actionRow } from '../support/action-row.ts'
import { type ExpectedAction, unfulfilled } from '../support/expected-action.ts'
import { readMainnetTrace } from '../support/mainnet-trace.ts'

/** Traces of the public network, with the actions that another classifier found in them. */

const data = process.env['TONLITH_CHAIN_DATA']

interface Case {
  name: string
  trace_file: string
  expected_actions: ExpectedAction[]
}

/** Families of which every case passes. */
const COMPLETE = ['ton-transfers', 'jetton-transfer', 'jetton-mints', 'nft']

const familiesIn = (folder: string): [family: string, cases: Case[]][] =>
  readdirSync(join(folder, 'cases'))
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => [
      name.replace(/\.json$/, ''),
      (parseJson(readFileSync(join(folder, 'cases', name), 'utf8')) as unknown as Case[]).filter(({ trace_file }) =>
        existsSync(join(folder, trace_file)),
      ),
    ])

/** What of a case's actions is missing or different. */
const failuresOf = (folder: string, { trace_file, expected_actions }: Case): string[] => {
  const { trace, facts } = readMainnetTrace(join(folder, trace_file))
  const known = new Set(accountsToKnow(trace).map(rawAddress))
  const asked = (address: Address) => (known.has(rawAddress(address)) ? facts(address) : {})
  const rows = classify(trace, asked).actions.map(actionRow)
  return expected_actions.flatMap((expected) => unfulfilled(expected, rows))
}

test('every recorded case gives the actions that are expected', () => {
  if (!data) return console.log('TONLITH_CHAIN_DATA is not set: no traces of public networks are classified')
  const folder = join(data, 'traces')
  const broken: string[] = []
  const totals = { passed: 0, all: 0 }
  const lines = familiesIn(folder).map(([family, cases]) => {
    const failed = cases
      .map((one) => ({ name: one.name, failures: failuresOf(folder, one) }))
      .filter(({ failures }) => failures.length > 0)
    for (const { name, failures } of failed) {
      if (COMPLETE.includes(family)) broken.push(...failures.map((line) => `${family}, ${name}: ${line}`))
    }
    totals.all += cases.length
    totals.passed += cases.length - failed.length
    return `  ${family} ${cases.length - failed.length}/${cases.length}`
  })
  console.log(
    ['actions of recorded traces, passed of total:', ...lines, `  all ${totals.passed}/${totals.all}`].join('\n'),
  )
  expect(broken).toEqual([])
  expect(totals.all).toBeGreaterThan(0)
})
