import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { cellToBoc } from '../../../src/ton/boc-writer.ts'
import { normalizedMessageHash } from '../../../src/ton/message-hash.ts'
import { actionQuestions, inListOrder, type ListedAction } from '../../support/action-questions.ts'
import { type OpenApi, schemaCheck } from '../../support/answer-schema.ts'
import { type RecordedExternal, recordedExternals } from '../../support/recorded-externals.ts'
import { type AnsweredStep, answeredSteps, scenarioText } from '../../support/scenario-actions.ts'
import { until } from '../../support/until.ts'
import { ALL_SEQNOS, everyRow, startV3Gateway, type V3Gateway } from '../../support/v3-gateway.ts'

/**
 * What the steps of the recorded scenario did, as a person read it and found it to be what their names say.
 * `bun tests/support/scenario-actions.ts` writes it anew: read what changed.
 */

setDefaultTimeout(120_000)

let gateway: V3Gateway
let steps: AnsweredStep[]
/** All of the list, by the end of their trace. */
let all: ListedAction[]
beforeAll(async () => {
  gateway = await startV3Gateway({ seqnos: ALL_SEQNOS, detects: true })
  steps = await answeredSteps(gateway)
  all = await everyRow(gateway, 'actions?sort=asc&include_accounts=true', 'actions')
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

/** A message that comes again and is refused again has the same actions in each of its traces. */
const idsOf = (actions: readonly Pick<ListedAction, 'action_id' | 'trace_id'>[]): string[] =>
  actions.map(({ action_id, trace_id }) => `${action_id} ${trace_id}`)

describe('the list of actions', () => {
  test('has those of every trace', async () => {
    type Trace = { trace_id: string; actions: ListedAction[] }
    const traces = await everyRow<Trace>(gateway, 'traces?include_actions=true&limit=1000', 'traces')
    const told = new Map(traces.map(({ trace_id, actions }) => [trace_id, actions]))
    const listed = Map.groupBy(all, ({ trace_id }) => trace_id)
    for (const [trace_id, actions] of told) {
      const found = (listed.get(trace_id) ?? []).map(({ accounts: _, ...action }) => action)
      const byId = (a: { action_id: string }, b: { action_id: string }) => (a.action_id < b.action_id ? -1 : 1)
      expect(found.sort(byId) as object[]).toEqual(actions.toSorted(byId))
    }
    expect(all.length).toBe(traces.reduce((sum, { actions }) => sum + actions.length, 0))
    expect(all.length).toBeGreaterThan(2000)
  })

  test('is in the order of the wire, both ways, and by time where that is filtered', async () => {
    expect(all.toSorted(inListOrder)).toEqual(all)
    const back = await gateway.get('actions?include_accounts=true&limit=500')
    expect(back.json['actions']).toEqual(all.slice(-500).toReversed())
    const since = all.at(-500)!.trace_end_utime
    const timed = (await gateway.get(`actions?sort=asc&limit=1000&start_utime=${since}`)).json[
      'actions'
    ] as ListedAction[]
    const times = timed.map(({ trace_end_utime }) => trace_end_utime)
    expect(times).toEqual(times.toSorted((a, b) => a - b))
    const wanted = all.filter(({ trace_end_utime }) => trace_end_utime >= since)
    expect(idsOf(timed).sort()).toEqual(idsOf(wanted).sort())
  })

  test('is paged by cursor and by offset', async () => {
    const pages: ListedAction[] = []
    for (let cursor: string | null = ''; cursor !== null && pages.length < 300; ) {
      const answer = await gateway.get(`actions?sort=asc&limit=37${cursor && `&cursor=${cursor}`}`)
      pages.push(...(answer.json['actions'] as ListedAction[]))
      cursor = answer.headers.get('x-next-cursor')
    }
    expect(idsOf(pages)).toEqual(idsOf(all.slice(0, pages.length)))
    const { json } = await gateway.get('actions?sort=asc&limit=5&offset=123')
    expect(idsOf(json['actions'] as ListedAction[])).toEqual(idsOf(all.slice(123, 128)))
  })

  test('holds to every filter at once', async () => {
    let found = 0
    await fc.assert(
      fc.asyncProperty(actionQuestions(all), async ({ query, holds }) => {
        const { status, text, json } = await gateway.get(`actions?sort=asc&limit=1000&${query}`)
        if (status !== 200) throw new Error(`${query}: ${text}`)
        const wanted = idsOf(all.filter(holds))
        const given = idsOf(json['actions'] as ListedAction[])
        const told = new Set(given)
        const left = wanted.filter((id) => !told.has(id)).length
        expect([query, given.length, left]).toEqual([
          query,
          Math.min(wanted.length, 1000),
          wanted.length - given.length,
        ])
        found += wanted.length
      }),
      { numRuns: 50 },
    )
    expect(found).toBeGreaterThan(50)
  })

  test('is found by messages: their transaction, by either hash', async () => {
    const { trace } = steps.find(({ name }) => name === 'nft sale: buy for 10 TON')!
    const root = trace.transactions_order[0]!
    const external = recordedExternals().find(({ transaction }) => transaction.hash().toString('base64') === root)!
    for (const hash of [external.message.hash(), normalizedMessageHash(external.message)]) {
      const { json } = await gateway.get(`actions?sort=asc&msg_hash=${hash.toString('hex')}`)
      expect(idsOf(json['actions'] as ListedAction[])).toEqual(
        idsOf(all.filter(({ transactions }) => transactions.includes(root))),
      )
    }
  })

  test('gives the transactions of an action, all of them', async () => {
    const most = all.reduce((one, other) => (other.transactions.length > one.transactions.length ? other : one))
    const query = `include_transactions=true&action_id=${encodeURIComponent(most.action_id)}`
    const answer = await gateway.get(`actions?${query}&trace_id=${encodeURIComponent(most.trace_id)}`)
    const document = (await gateway.get('openapi.json')).json as unknown as OpenApi
    expect(schemaCheck(document)('/api/v3/actions', 'get', answer.status, answer.json)).toEqual([])
    const [action] = answer.json['actions'] as ListedAction[]
    const full = action!.transactions_full!
    expect(full.map(({ hash }) => hash).sort()).toEqual(most.transactions.toSorted())
    expect(full.map(({ lt }) => BigInt(lt))).toEqual(full.map(({ lt }) => BigInt(lt)).sort((a, b) => (a < b ? -1 : 1)))
    const manyQuery = 'actions?limit=200&include_transactions=true'
    for (const each of (await gateway.get(manyQuery)).json['actions'] as ListedAction[])
      expect(each.transactions_full!.length).toBe(each.transactions.length)
  })

  test('shows who does not know a type its parts', async () => {
    const { trace } = steps.find(({ name }) => name === 'nft sale: buy for 10 TON')!
    const root = encodeURIComponent(trace.transactions_order[0]!)
    const types = async (more: string, headers = {}): Promise<string[]> => {
      const { json } = await gateway.get(`actions?trace_id=${root}${more}`, headers)
      return (json['actions'] as ListedAction[]).map(({ type }) => type)
    }
    expect(await types('')).toContain('nft_purchase')
    expect(await types('&supported_action_types=v1')).toContain('nft_transfer')
    expect(await types('', { 'X-Actions-Version': 'v1' })).not.toContain('nft_purchase')
    expect(await types('&supported_action_types=v1&action_type=nft_purchase')).toEqual(['nft_purchase'])
    expect(await types('&action_type=nft_transfer')).toEqual([])
  })

  test('refuses what it cannot answer', async () => {
    for (const name of ['action_type', 'exclude_action_type']) {
      const { status, json } = await gateway.get(`actions?${name}=ton_transfer,a-b`)
      expect([status, json['error']]).toEqual([422, `${name} contains invalid characters`])
    }
    expect((await gateway.get('actions?mc_seqno=99999')).status).toBe(404)
    expect((await gateway.get('actions?limit=1001')).status).toBe(422)
    expect((await gateway.get('actions?action_type=,')).status).toBe(200)
  })
})

/** What differs, and why. */
const ELSE_EMULATED = new Set([
  // Three accounts that the first masterchain blocks do not have a shard block for yet.
  'faucet: fund the highload wallet v3, the masterchain wallet, the highload v2',
  // The emulator refuses a message with a currency that the account does not have.
  'extra currency: unknown currency 777',
  // That the item is a name is told once its auction has ended, which this message does.
  'dns: set the wallet record',
])

/** What an emulation tells; on a busy machine the time of one answer may end before the trace does. */
const emulated = ({ ask }: V3Gateway, { message, block }: RecordedExternal): Promise<ListedAction[]> => {
  const body = { boc: cellToBoc(message).toString('base64'), mc_block_seqno: block.mc_seqno - 1, with_actions: true }
  return until(async () => {
    const { json } = await ask('/api/emulate/v1/emulateTrace', { method: 'POST', body: JSON.stringify(body) })
    return json['is_incomplete'] === false ? (json['actions'] as ListedAction[]) : undefined
  }, 'a whole trace')
}

const externalsByRoot = (): Map<string, RecordedExternal> =>
  new Map(Array.from(recordedExternals(), (each) => [each.transaction.hash().toString('base64'), each]))

test('wallets of jettons that come into being in an emulation are known', async () => {
  const { trace } = steps.find(({ name }) => name === 'jetton: mint J1, J2 and J3 to ju1')!
  const external = externalsByRoot().get(trace.transactions_order[0]!)!
  const before = await startV3Gateway({
    seqnos: ALL_SEQNOS.filter((seqno) => seqno < external.block.mc_seqno),
    detects: true,
  })
  const assets = (actions: readonly { type: string; details: object }[]) =>
    actions.filter(({ type }) => type === 'jetton_mint').map(({ details }) => JSON.stringify(details))
  const made = assets(await emulated(before, external))
  expect(made.length).toBe(3)
  expect(made.sort()).toEqual(assets(trace.actions).sort())
  await before.stop()
})

test('without an index, an emulation tells the same actions, by what accounts are in it', async () => {
  const bare = await startV3Gateway({ seqnos: [] })
  const externals = externalsByRoot()
  const kinds = (actions: readonly { type: string; success: boolean }[]): string[] =>
    actions.map(({ type, success }) => `${success ? '+' : '-'}${type}`).sort()
  const compared = new Set<string>()
  for (const { name, trace } of steps) {
    const external = externals.get(trace.transactions_order[0]!)
    const isFamiliar = compared.has(kinds(trace.actions).join(' '))
    if (!external || isFamiliar || trace.transactions_order.length > 60 || ELSE_EMULATED.has(name)) continue
    compared.add(kinds(trace.actions).join(' '))
    expect([name, kinds(await emulated(bare, external))]).toEqual([name, kinds(trace.actions)])
  }
  expect(compared.size).toBeGreaterThan(40)
  await bare.stop()
})
