import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { Address, beginCell as beginTonCell, loadMessageRelaxed, loadOutList, storeStateInit } from '@ton/core'
import { emulateTrace } from '../../src/chain/emulate-trace.ts'
import { createPendingTraces, type PendingTraces } from '../../src/chain/pending-traces.ts'
import { systemClock } from '../../src/common/clock.ts'
import { decodeBody } from '../../src/contracts/body.ts'
import { rawAddress } from '../../src/ton/address.ts'
import { cellToBoc } from '../../src/ton/boc-writer.ts'
import type { Cell } from '../../src/ton/cell.ts'
import { normalizedMessageHash } from '../../src/ton/message-hash.ts'
import { parseMessage } from '../../src/ton/tlb/message.ts'
import { type OpenApi, schemaCheck } from '../support/answer-schema.ts'
import { type RecordedExternal, recordedExternals } from '../support/recorded-externals.ts'
import { recordedTraces } from '../support/recorded-tree.ts'
import { toTonCore } from '../support/ton-core.ts'
import { until } from '../support/until.ts'
import { startV3Gateway, type V3Answer, type V3Gateway } from '../support/v3-gateway.ts'

/** Pending traces, the status of messages and emulation over the recorded network, whose index ends before its head. */

setDefaultTimeout(60_000)

/** Within a trace of three transactions. */
const LAST = 187

let gateway: V3Gateway
let pending: PendingTraces
/** Indexed, and after what is indexed. */
let old: RecordedExternal
let fresh: RecordedExternal
/** The index has the beginning of what it did. */
let going: RecordedExternal
beforeAll(async () => {
  pending = createPendingTraces({
    clock: systemClock,
    start: async (each) => {
      const signal = AbortSignal.timeout(20_000)
      const seqno = [fresh, old, going].find(({ message }) => message.hash().equals(each.hash))!.block.mc_seqno - 1
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
  going = Array.from(recordedExternals()).find(({ message, block }) => block.mc_seqno <= LAST && isGoing(message))!
}, 60_000)
afterAll(() => gateway.stop())

const isGoing = (message: Cell): boolean => {
  const query = { msg_hashes: [normalizedMessageHash(message)] }
  return gateway.reader.traces(query, { limit: 1, offset: 0, sort: 'asc' }).records[0]?.state === 'pending'
}

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

  test('tell what a trace does until it has done it', async () => {
    pending.add(going.message)
    await pending.byHash(going.message.hash())!.ready
    const query = `ext_msg_hash=${hashOf(going)}`
    expect((await checked('pendingTraces', query)).json.traces).toEqual([])
    const { json } = await checked('traces', `msg_hash=${hashOf(going)}`)
    expect(json.traces).toMatchObject([{ trace_info: { trace_state: 'pending' }, is_incomplete: true }])
    expect((await checked('actions', `msg_hash=${hashOf(going)}`)).json.actions).toEqual([])
    const { actions } = (await checked('pendingActions', query)).json as { actions: { finality: string }[] }
    expect(actions.map(({ finality }) => finality)).toContain('pending')
    expect((await checked('pendingActions', `ext_msg_hash=${hashOf(old)}`)).json.actions).toEqual([])
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
      for (const text of [hash.toString('hex'), hash.toString('base64'), hash.toString('base64url')])
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
    const badInit = beginTonCell()
      .storeUint(0b10, 2)
      .storeUint(0, 2)
      .storeAddress(new Address(0, Buffer.alloc(32)))
    const odd = badInit.storeCoins(0).storeUint(0b11, 2).storeRef(beginTonCell().storeUint(255, 8)).storeBit(0)
    for (const cell of [beginTonCell().endCell(), odd.endCell()]) {
      const { status, json } = await ask({ boc: cell.toBoc().toString('base64') })
      expect([status, json.error]).toEqual([400, expect.stringContaining('boc holds no message')])
    }
    expect((await gateway.ask('/api/emulate/v1/emulateTrace')).status).toBe(405)
  })
})

describe('emulateTonConnect', () => {
  const ask = (body: object, headers: Record<string, string> = {}) =>
    gateway.ask('/api/emulate/v1/emulateTonConnect', { method: 'POST', headers, body: JSON.stringify(body) })

  const KINDS = new Set(['wallet_signed_v3', 'wallet_signed_v4', 'w5_external_signed_request'])

  /** What a recorded external asked its wallet for, as TON Connect would. */
  const requestOf = ({ message, address, block }: RecordedExternal, isRaw: boolean) => {
    const body = toTonCore(parseMessage(message).body)
    const isV5 = body.refs.length === 1 && body.refs[0]!.refs.length === 2
    const sent = isV5
      ? loadOutList(body.refs[0]!.beginParse()).flatMap((each) => (each.type === 'sendMsg' ? [each.outMsg] : []))
      : body.refs.map((ref) => loadMessageRelaxed(ref.beginParse()))
    const messages = sent.map(({ info, init, body: payload }) => {
      if (info.type !== 'internal') throw new Error('a wallet that speaks outward')
      return {
        address: isRaw ? info.dest.toRawString() : info.dest.toString({ bounceable: info.bounce }),
        amount: info.value.coins.toString(),
        payload: payload.toBoc().toString('base64'),
        stateInit: init && beginTonCell().store(storeStateInit(init)).endCell().toBoc().toString('base64'),
        extra_currency: null,
      }
    })
    return { from: rawAddress(address), messages, valid_until: null, mc_block_seqno: block.mc_seqno - 1 }
  }

  /** Without amounts: the forms in which messages are written decide fees. */
  const done = ({ transactions }: Record<string, unknown>): string[] =>
    Object.values(transactions as Record<string, Record<string, unknown>>)
      .map(({ account, out_msgs, description }) => {
        const sent = (out_msgs as { destination: string; opcode: string }[]).map((each) => [
          each.destination,
          each.opcode,
        ])
        return JSON.stringify([account, sent, (description as { aborted: boolean }).aborted])
      })
      .sort()

  /** On a busy machine the time of one answer may end before the trace does. */
  const whole = (name: string, answer: () => Promise<V3Answer>): Promise<V3Answer> =>
    until(async () => {
      const given = await answer()
      if (given.status !== 200 && given.status !== 504) throw new Error(`${name}: ${given.text}`)
      return given.json['is_incomplete'] === false ? given : undefined
    }, 'a whole trace')

  test('does what the signed message of the same wallet does', async () => {
    const traces = recordedTraces()
    const check = schemaCheck((await gateway.get('openapi.json')).json as unknown as OpenApi)
    const asked = new Set<string>()
    for (const external of recordedExternals()) {
      const { message, transaction, block } = external
      const { body, init } = parseMessage(message)
      const kind = String(decodeBody(body)?.['@type'])
      if (init || !KINDS.has(kind)) continue
      const { next } = traces.deed(transaction)
      const name = `${kind} ${next.length > 1}`
      if (asked.has(name) || next.length === 0 || next.length > 4) continue
      asked.add(name)
      const answer = await whole(name, () => ask({ ...requestOf(external, false), with_actions: true }))
      expect(check('/api/emulate/v1/emulateTonConnect', 'post', 200, answer.json)).toEqual([])
      const sent = JSON.stringify({
        boc: cellToBoc(message).toString('base64'),
        mc_block_seqno: block.mc_seqno - 1,
      })
      const path = '/api/emulate/v1/emulateTrace'
      const signed = await whole(name, () => gateway.ask(path, { method: 'POST', body: sent }))
      expect(done(answer.json)).toEqual(done(signed.json))
    }
    expect(new Set(Array.from(asked, (name) => name.split(' ')[0]))).toEqual(KINDS)
  })

  test('a raw address bounces, and the header tells what actions are known', async () => {
    const request = requestOf(fresh, true)
    const { json } = await ask({ ...request, with_actions: true }, { 'X-Actions-Version': 'v1' })
    const { tx_hash } = json.trace as { tx_hash: string }
    const root = (json.transactions as Record<string, { out_msgs: { bounce: boolean }[] }>)[tx_hash]
    expect(root!.out_msgs[0]!.bounce).toBeTrue()
    expect((json.actions as object[]).length).toBeGreaterThan(0)
  })

  test('says what it cannot do', async () => {
    const good = requestOf(fresh, false)
    const [message] = good.messages
    const bad: [object, string][] = [
      [{}, 'empty from address'],
      [{ ...good, messages: [] }, 'messages array cannot be empty'],
      [{ ...good, messages: Array.from({ length: 5 }, () => message) }, 'more than 4 messages'],
      [{ ...good, messages: ['x'] }, 'messages[0] should be an object'],
      [{ ...good, messages: [{ ...message, amount: '-1' }] }, 'messages[0].amount'],
      [{ ...good, messages: [{ ...message, amount: '1.5' }] }, 'messages[0].amount'],
      [{ ...good, messages: [{ ...message, payload: 'AAAA' }] }, 'messages[0].payload'],
      [{ ...good, messages: [{ ...message, address: 'x' }] }, 'address'],
      [{ ...good, messages: [{ ...message, address: `900:${'00'.repeat(32)}` }] }, 'workchain 900'],
      [{ ...good, messages: [{ ...message, extra_currency: { x: '1' } }] }, 'extra_currency'],
      [{ ...good, valid_until: 'soon' }, 'valid_until'],
    ]
    for (const [body, words] of bad) {
      const { status, json } = await ask(body)
      expect([status, json.error]).toEqual([400, expect.stringContaining(words)])
    }
    const absent = await ask({ ...good, from: `0:${'0123'.repeat(16)}` })
    expect(absent).toMatchObject({
      status: 404,
      json: { error: 'Failed to fetch account state: Account not found in accounts_dict' },
    })
    const elector = await ask({ ...good, from: `-1:${'33'.repeat(32)}` })
    expect(elector).toMatchObject({ status: 409, json: { error: 'Account is not a known wallet' } })
    const late = await ask({ ...good, valid_until: 1 })
    expect(late.status).toBe(500)
    expect(late.json.error).toContain('not accepted, exit code')
  })
})
