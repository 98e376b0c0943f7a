import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type AnsweredStep, answeredSteps, scenarioText } from '../../support/scenario-actions.ts'
import { ALL_SEQNOS, startV3Gateway, type V3Gateway } from '../../support/v3-gateway.ts'

/**
 * What the steps of the recorded scenario did, as a person read it and found it to be what their names say.
 * `bun tests/support/scenario-actions.ts` writes it anew: read what changed.
 */

setDefaultTimeout(120_000)

let gateway: V3Gateway
let steps: AnsweredStep[]
beforeAll(async () => {
  gateway = await startV3Gateway({ seqnos: ALL_SEQNOS, detects: true })
  steps = await answeredSteps(gateway)
}, 600_000)
afterAll(() => gateway.stop())

const byName = (name: string): AnsweredStep['trace'] => steps.find((step) => step.name === name)!.trace

test('every step did what its name says', () => {
  expect(scenarioText(steps)).toBe(readFileSync(join(import.meta.dir, 'scenario-actions.txt'), 'utf8').trimEnd())
})

test('every transaction is part of some action', () => {
  for (const { name, trace } of steps) {
    const told = new Set(trace.actions.flatMap(({ transactions }) => transactions))
    expect([name, trace.transactions_order.filter((hash) => !told.has(hash))]).toEqual([name, []])
    expect([name, trace.trace_info.classification_state]).toEqual([name, 'ok'])
  }
})

test('who does not know a type sees its parts', async () => {
  const types = (trace: AnsweredStep['trace']): string[] => trace.actions.map(({ type }) => type)
  const name = 'nft sale: buy for 10 TON'
  expect(types(byName(name))).toContain('nft_purchase')
  const asV1 = (await answeredSteps(gateway, '&supported_action_types=v1')).find((step) => step.name === name)!.trace
  expect(types(asV1)).toContain('nft_transfer')
  expect(types(asV1)).not.toContain('nft_purchase')
  const root = encodeURIComponent(asV1.transactions_order[0]!)
  const byHeader = await gateway.get(`traces?trace_id=${root}&include_actions=true`, { 'X-Actions-Version': 'v1' })
  expect((byHeader.json['traces'] as AnsweredStep['trace'][])[0]!.actions).toEqual(asV1.actions)
})

test('the address book knows every address in the details, also those that are no side of a message', async () => {
  const { actions, transactions_order } = byName('jetton: J1 transfer, text comment in a ref (Either right)')
  const { json } = await gateway.get(
    `events?trace_id=${encodeURIComponent(transactions_order[0]!)}&include_actions=true`,
  )
  const addresses = JSON.stringify(actions).match(/-?\d+:[0-9A-F]{64}/g)!
  expect(Object.keys(json['address_book'] as object)).toEqual(expect.arrayContaining(addresses))
  expect(Object.keys(json['metadata'] as object)).toContain(actions[0]!.details['asset'] as string)
})

test('what has no details says so, and stands there as a row', () => {
  const [action] = byName('config: custom param -100 := text').actions
  expect(action).toMatchObject({
    type: 'unknown',
    success: true,
    details: { error: "unsupported action type: 'unknown'" },
    raw_action: { Type: 'unknown', ActionId: action!.action_id, Source: null, Success: true },
  })
})

test('without actions a trace has none', async () => {
  const { json } = await gateway.get('traces?limit=3')
  for (const trace of json['traces'] as AnsweredStep['trace'][]) {
    expect(trace.actions).toBeUndefined()
    expect(trace.trace_info.classification_state).toBe('unclassified')
  }
})
