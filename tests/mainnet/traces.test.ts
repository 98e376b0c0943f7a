import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { failuresOf, recordedCases } from '../support/recorded-cases.ts'

/** Traces of the public network, with the actions that another classifier found in them. */

const data = process.env['TONLITH_CHAIN_DATA']

/** Families of which every case passes. */
const COMPLETE = [
  'cocoon',
  'coffee',
  'layerzero',
  'dedust-liquidities',
  'evaa',
  'tonco',
  'jetton-mints',
  'jetton-transfer',
  'jvault',
  'nft',
  'ton-transfers',
  'tonstakers',
  'vesting',
  'stonfi-swaps',
  'stonfi-v2-swaps',
  'tgbtc',
  'ethena',
]

test('every recorded case gives the actions that are expected', () => {
  if (!data) return console.log('TONLITH_CHAIN_DATA is not set: no traces of public networks are classified')
  const folder = join(data, 'traces')
  const broken: string[] = []
  const totals = { passed: 0, all: 0 }
  const lines = recordedCases(folder).map(([family, cases]) => {
    const failed = cases
      .map((recorded) => ({ name: recorded.name, failures: failuresOf(folder, recorded) }))
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
