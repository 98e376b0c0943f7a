import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { emulateTrace } from '../../src/chain/emulate-trace.ts'
import { createPendingTraces, type PendingTraces } from '../../src/chain/pending-traces.ts'
import { systemClock } from '../../src/common/clock.ts'
import { rawAddress } from '../../src/ton/address.ts'
import { cellToBoc } from '../../src/ton/boc-writer.ts'
import { normalizedMessageHash } from '../../src/ton/message-hash.ts'
import { type OpenApi, schemaCheck } from '../support/answer-schema.ts'
import { type RecordedExternal, recordedExternals } from '../support/recorded-externals.ts'
import { recordedTraces } from '../support/recorded-tree.ts'
import { startV3Gateway, type V3Gateway } from '../support/v3-gateway.ts'

/** Pending traces, the status of messages and emulation over the recorded network, whose index ends before its head. */

const LAST = 200

let gateway: V3Gateway
let pending: PendingTraces
/** Indexed, and after what is indexed. */
let old: RecordedExternal
let fresh: RecordedExternal
beforeAll(async () => {
  pending = createPendingTraces({
    clock: systemClock,
    start: async (each) => {
      const signal = AbortSignal.timeout(20_000)
      const seqno = (each.hash.equals(fresh.message.hash()) ? fresh : old).block.mc_seqno - 1
      pending.show(
        each,
        await emulateTrace(gateway.chain, { message: each.message, ignore_chksig: false, seqno, signal }),
      )
    },
  })
  gateway = await startV3Gateway({ seqnos: Array.from({ length: LAST }, (_, i) => i + 1), pending })
  const traces = recordedTraces()
  const all = Array.from(recordedExternals()).filter(({ transaction }) => traces.deed(transaction).next.length === 1)
  old = all.find(({ block }) => block.mc_seqno > 100 && block.mc_seqno < 150)!
  fresh = all.find(({ block }) => block.mc_seqno > LAST)!
}, 60_000)
afterAll(() => gateway.stop())

const hashOf = ({ message }: RecordedExternal): string => message.hash().toString('hex')

const checked = async (method: string, query: string) => {
  const answer = await gateway.get(`${method}?${query}`)
  const document = (await gateway.get('openapi.json')).json as unknown as OpenApi
  expect(schemaCheck(document)(`/api/v3/${method}`, 'get', answer.status, answer.json)).toEqual([])
  return answer
}

describe('pending traces', () => {
  test('are there until the index has them', async () => {
    pending.add(fresh.message)
    pending.add(old.message)
    for (const { message } of [fresh, old]) await pending.byHash(message.hash())!.ready
    const { json } = await checked('pendingTraces', `ext_msg_hash=${hashOf(fresh)},${hashOf(old)}`)
    const traces = json.traces as { trace_id: null; external_hash: string; transactions: Record<string, object> }[]
    expect(traces.length).toBe(1)
    expect(traces[0]).toMatchObject({
      trace_id: null,
      external_hash: fresh.message.hash().toString('base64'),
      actions: [{ trace_id: null, type: 'ton_transfer', success: true, finality: 'pending' }],
    })
    const transactions = Object.values(traces[0]!.transactions)
    expect(transactions.length).toBe(2)
    for (const each of transactions) expect(each).toMatchObject({ emulated: true, finality: 'pending' })
  })

  test('are found by the normalised hash and by account', async () => {
    const norm = normalizedMessageHash(fresh.message).toString('hex')
    const account = rawAddress(fresh.address)
    for (const query of [`ext_msg_hash=${norm}`, `account=${account}`])
      expect(((await checked('pendingTraces', query)).json.traces as object[]).length).toBe(1)
    const { json } = await checked('pendingActions', `account=${account}&include_transactions=true`)
    const [action, ...others] = json.actions as { transactions: string[]; transactions_full: { hash: string }[] }[]
    expect(others).toEqual([])
    expect(action!.transactions_full.map(({ hash }) => hash).sort()).toEqual(action!.transactions.toSorted())
  })

  test('give the transactions of an account that have not happened', async () => {
    const { json } = await checked('pendingTransactions', `account=${rawAddress(fresh.address)}`)
    const [transaction, ...others] = json.transactions as { trace_external_hash: string; block_ref: object }[]
    expect(others).toEqual([])
    expect(transaction!.trace_external_hash).toBe(fresh.message.hash().toString('base64'))
    const done = await checked('pendingTransactions', `account=${rawAddress(old.address)}`)
    const ofOld = old.message.hash().toString('base64')
    expect(JSON.stringify(done.json.transactions)).not.toContain(ofOld)
    expect((await gateway.get(`pendingTransactions?account=0:${'00'.repeat(32)}`)).status).toBe(404)
  })

  test('need a selector', async () => {
    expect(await gateway.get('pendingTraces')).toMatchObject({
      status: 422,
      json: { error: 'account or ext_msg_hash should be specified' },
    })
    expect((await gateway.get('pendingTransactions')).json.error).toBe('at least 1 account address required')
  })
})

describe('messageStatus', () => {
  const statusOf = async (hash: string) => (await checked('messageStatus', `msg_hash=${encodeURIComponent(hash)}`)).json

  test('of an indexed message, by both hashes', async () => {
    for (const hash of [old.message.hash(), normalizedMessageHash(old.message)])
      for (const text of [hash.toString('hex'), hash.toString('base64')])
        expect(await statusOf(text)).toMatchObject({
          status: 'finalised',
          transaction_hash: old.transaction.hash().toString('base64'),
          trace_id: old.transaction.hash().toString('base64'),
          mc_block_seqno: old.block.mc_seqno,
          failure: null,
        })
  })

  test('of one that was sent', async () => {
    pending.add(fresh.message)
    expect(await statusOf(hashOf(fresh))).toMatchObject({ status: 'pending', transaction_hash: null, failure: null })
    const waiting = pending.byHash(fresh.message.hash())!
    await waiting.ready
    waiting.included = { cell: fresh.transaction, at: systemClock.monotonic() }
    expect(await statusOf(hashOf(fresh))).toMatchObject({
      status: 'included',
      transaction_hash: fresh.transaction.hash().toString('base64'),
    })
    const failure = { phase: 'delivery', code: 133, reason: 'it came too late' } as const
    pending.end(waiting, failure)
    expect(await statusOf(hashOf(fresh))).toMatchObject({ status: 'failed', failure })
    expect((await gateway.get(`pendingTraces?ext_msg_hash=${hashOf(fresh)}`)).json.traces).toEqual([])
  })

  test('of an unknown one', async () => {
    expect(await statusOf('11'.repeat(32))).toMatchObject({ status: 'unknown', msg_hash: null })
    expect((await gateway.get('messageStatus')).status).toBe(422)
  })
})

describe('emulateTrace', () => {
  const ask = (body: object) =>
    gateway.ask('/api/emulate/v1/emulateTrace', { method: 'POST', body: JSON.stringify(body) })
  const bocOf = ({ message }: RecordedExternal): string => cellToBoc(message).toString('base64')

  test('shows what a message would do', async () => {
    const answer = await ask({
      boc: bocOf(fresh),
      mc_block_seqno: fresh.block.mc_seqno - 1,
      with_actions: true,
      include_code_data: true,
      include_address_book: true,
      include_metadata: true,
    })
    expect(answer.status).toBe(200)
    const document = (await gateway.get('openapi.json')).json as unknown as OpenApi
    expect(schemaCheck(document)('/api/emulate/v1/emulateTrace', 'post', 200, answer.json)).toEqual([])
    expect(answer.json).toMatchObject({ mc_block_seqno: fresh.block.mc_seqno - 1, is_incomplete: false })
    expect(Object.keys(answer.json.transactions as object).length).toBe(2)
    expect(Object.keys(answer.json.code_cells as object).length).toBeGreaterThan(0)
  })

  test('says why there is none', async () => {
    const seqno = old.block.mc_seqno + 5
    const refused = await ask({ boc: bocOf(old), mc_block_seqno: seqno })
    expect(refused.status).toBe(500)
    expect(refused.json.error).toContain('not accepted, exit code')
    for (const body of [{}, { boc: '!' }, { boc: 'AAAA' }, { boc: bocOf(old), mc_block_seqno: 'x' }]) {
      const { status, json } = await ask(body)
      expect(status).toBe(400)
      expect(json.error).toStartWith('invalid request: ')
    }
    expect((await gateway.ask('/api/emulate/v1/emulateTrace')).status).toBe(405)
  })
})
