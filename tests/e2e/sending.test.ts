import { afterEach, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { createChain } from '../../src/chain/chain.ts'
import { createPool } from '../../src/liteserver/pool.ts'
import { createTrust } from '../../src/liteserver/trust.ts'
import { rawAddress } from '../../src/ton/address.ts'
import { cellToBoc } from '../../src/ton/boc-writer.ts'
import { beginCell } from '../../src/ton/builder.ts'
import type { Cell } from '../../src/ton/cell.ts'
import { externalMessage } from '../../src/ton/external-message.ts'
import { normalizedMessageHash } from '../../src/ton/message-hash.ts'
import { encode } from '../../src/ton/tl/codec.ts'
import { decodeRequest, encodeError } from '../../src/ton/tl/lite-api.ts'
import { gatewayOver } from '../support/archive-gateway.ts'
import { createFakeChain, fakeBlock } from '../support/fake-chain.ts'
import { type Reply, startFakeLiteserver } from '../support/fake-liteserver.ts'

/** Messages through the whole gateway to liteservers that answer as told. */

const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0).reverse()) end()
})

const ACCEPTED = encode({ _: 'liteServer.sendMsgStatus', status: 1 })
const REFUSED_TEXT =
  'cannot apply external message to current state : External message was not accepted: cannot run message on account: ' +
  'inbound external message rejected by transaction 61724718B27461A162B0635EA851BC115822C795EAF06C19E4A4CBC301EB9ADA:\n' +
  'exitcode=35, steps=31, gas_used=0\nVM Log (truncated):\n... execute CHKSIGNU\nexecute THROWIFNOT 35\n'
const REFUSED = encodeError(-701, REFUSED_TEXT)

/** A gateway over as many liteservers as there are scripts; each script answers the messages that its server is sent. */
const start = async (...scripts: ((body: Buffer) => Reply | Promise<Reply>)[]) => {
  const bodies: Buffer[] = []
  const servers = scripts.map((script) => {
    const chain = createFakeChain()
    const server = startFakeLiteserver({
      reply: (call, wait) => {
        if (call._ !== 'liteServer.sendMessage') return chain.reply(call, wait)
        bodies.push(call.body)
        return script(call.body)
      },
    })
    ends.push(server.kill)
    return server
  })
  const zeroState = fakeBlock(0)
  const pool = createPool({
    liteservers: servers.map(({ host, port, key }) => ({ host, port, key })),
    timeoutMs: 1_000,
  })
  ends.push(pool.stop)
  pool.start()
  while (pool.status().some(({ state }) => state !== 'online')) await Bun.sleep(2)
  const trust = createTrust({ level: 'none', zeroState, initBlock: zeroState })
  const fetch = gatewayOver(createChain({ pool, trust, zeroState }))
  const call = async (method: string, body: object, base = '/api/v2/') => {
    const response = await fetch(
      new Request(`http://localhost${base}${method}`, { method: 'POST', body: JSON.stringify(body) }),
    )
    return { status: response.status, answer: (await response.json()) as Record<string, unknown> }
  }
  return { call, fetch, servers, bodies }
}

const accept = (): Reply => ACCEPTED
const refuse = (): Reply => REFUSED

const ADDRESS = { workchain: 0, hash: Buffer.alloc(32, 0xab) }
const bodyOf = (n: number): Cell => beginCell().uint(n, 32).endCell()
const messageOf = (n: number): Cell => externalMessage({ dest: ADDRESS, body: bodyOf(n), init: undefined })
const base64 = (cell: Cell): string => cellToBoc(cell).toString('base64')
const bocOf = (n: number): { boc: string } => ({ boc: base64(messageOf(n)) })

describe('a message that the network accepts', () => {
  test('is answered with ok, and its bytes arrive as they were sent', async () => {
    const { call, bodies } = await start(accept)
    const { status, answer } = await call('sendBoc', bocOf(1))
    expect([status, answer['ok'], answer['result']]).toEqual([200, true, { '@type': 'ok' }])
    expect(bodies.map((body) => body.toString('base64'))).toEqual([bocOf(1).boc])
  })

  test('is answered with its hashes', async () => {
    const { call } = await start(accept)
    for (const [i, method] of ['sendBocReturnHash', 'sendBocReturnHashNoError'].entries()) {
      const { status, answer } = await call(method, bocOf(i))
      expect(status).toBe(200)
      expect(answer['result']).toEqual({
        '@type': 'raw.extMessageInfo',
        hash: messageOf(i).hash().toString('base64'),
        hash_norm: normalizedMessageHash(messageOf(i)).toString('base64'),
      })
    }
  })

  test('can come through JSON-RPC, in both dialects', async () => {
    const { call, bodies } = await start(accept)
    for (const [i, base] of ['/api/v2/', '/ton/api/v2/'].entries()) {
      const { answer } = await call('jsonRPC', { jsonrpc: '2.0', id: '1', method: 'sendBoc', params: bocOf(i) }, base)
      expect(answer).toMatchObject({ ok: true, result: { '@type': 'ok' }, id: '1', jsonrpc: '2.0' })
    }
    expect(bodies).toHaveLength(2)
  })

  test('is not sent again when it comes again', async () => {
    const { call, bodies } = await start(accept)
    await call('sendBoc', bocOf(1))
    const again = await call('sendBocReturnHash', bocOf(1))
    expect(again.status).toBe(200)
    expect(again.answer['result']).toMatchObject({ hash: messageOf(1).hash().toString('base64') })
    await call('sendBoc', bocOf(2))
    expect(bodies).toHaveLength(2)
  })

  test('is sent once when it comes many times at once', async () => {
    const gate = Promise.withResolvers<Reply>()
    const { call, bodies } = await start(() => gate.promise)
    const all = Array.from({ length: 20 }, () => call('sendBoc', bocOf(1)))
    while (bodies.length === 0) await Bun.sleep(2)
    gate.resolve(ACCEPTED)
    for (const { status } of await Promise.all(all)) expect(status).toBe(200)
    expect(bodies).toHaveLength(1)
  })

  test('can be built here, from bags or from cell objects', async () => {
    const { call, bodies } = await start(accept)
    const code = beginCell().uint(1, 8).endCell()
    const data = beginCell().uint(2, 8).ref(code).endCell()
    const address = rawAddress(ADDRESS)
    const object = (cell: Cell): object => ({
      data: {
        b64: Buffer.from(cell.bytes.subarray(cell.start, cell.start + ((cell.bits + 7) >> 3))).toString('base64'),
        len: cell.bits,
      },
      refs: Array.from({ length: cell.refCount }, (_, i) => object(cell.ref(i))),
    })
    const calls: [string, object, Cell][] = [
      ['sendQuery', { address, body: base64(bodyOf(1)) }, messageOf(1)],
      ['sendQuery', { address, body: base64(bodyOf(2)), init_code: '', init_data: '' }, messageOf(2)],
      ['sendQuery', { address, body: base64(bodyOf(3)), init_code: base64(code), init_data: '' }, messageOf(3)],
      [
        'sendQuery',
        { address, body: base64(bodyOf(4)), init_code: base64(code), init_data: base64(data) },
        externalMessage({ dest: ADDRESS, body: bodyOf(4), init: { code, data } }),
      ],
      ['sendQuerySimple', { address, body: object(bodyOf(5)) }, messageOf(5)],
      [
        'sendQuerySimple',
        { address, body: object(bodyOf(6)), init_code: object(code), init_data: object(data) },
        externalMessage({ dest: ADDRESS, body: bodyOf(6), init: { code, data } }),
      ],
      ['sendCellSimple', { cell: object(messageOf(7)) }, messageOf(7)],
    ]
    for (const [method, body, message] of calls) {
      const { status, answer } = await call(method, body)
      expect([status, answer['result']]).toEqual([200, { '@type': 'ok' }])
      expect(bodies.at(-1)).toEqual(cellToBoc(message))
    }
  })

  test('counts as accepted when the liteserver has it already', async () => {
    const { call } = await start(() => encodeError(0, 'cannot send external message : duplicate message'))
    expect((await call('sendBoc', bocOf(1))).status).toBe(200)
  })
})

describe('a message that the network refuses', () => {
  test('is answered with the words of the liteserver, whole', async () => {
    const { call } = await start(refuse)
    const { status, answer } = await call('sendBoc', bocOf(1))
    expect([status, answer['ok'], answer['code']]).toEqual([500, false, 500])
    expect(answer['error']).toBe(`LITE_SERVER_UNKNOWN: ${REFUSED_TEXT}`)
    const hidden = await call('sendBocReturnHashNoError', bocOf(1))
    expect(hidden).toMatchObject({ status: 400, answer: { ok: false, code: 400, error: answer['error'] } })
  })

  test('is asked about once, of one liteserver', async () => {
    const { call, bodies } = await start(refuse, refuse, refuse)
    await call('sendBoc', bocOf(1))
    expect(bodies).toHaveLength(1)
  })

  test('is tried again when it comes again', async () => {
    let tries = 0
    const { call } = await start(() => (++tries === 1 ? REFUSED : ACCEPTED))
    expect((await call('sendBoc', bocOf(1))).status).toBe(500)
    expect((await call('sendBoc', bocOf(1))).status).toBe(200)
    expect((await call('sendBoc', bocOf(1))).status).toBe(200)
    expect(tries).toBe(2)
  })

  test('for want of an account is told so', async () => {
    const text = 'cannot apply external message to current state : Failed to unpack account state'
    const { call } = await start(() => encodeError(0, text))
    const { answer } = await call('sendBoc', bocOf(1))
    expect(answer['error']).toBe(`LITE_SERVER_UNKNOWN: ${text} (ACCOUNT_UNINIT: the account does not exist)`)
  })
})

describe('a message whose fate is not known', () => {
  test('is not sent again when the connection breaks after it has left', async () => {
    const { call, bodies } = await start(
      () => 'reset',
      () => 'reset',
    )
    expect(await call('sendBoc', bocOf(1))).toMatchObject({
      status: 503,
      answer: { error: 'LITE_SERVER_NETWORK connection lost' },
    })
    expect(bodies).toHaveLength(1)
  })

  test('is not sent again when nobody answers, and can be sent again then', async () => {
    let isSilent = true
    const { call, bodies } = await start(
      () => (isSilent ? 'silence' : ACCEPTED),
      () => (isSilent ? 'silence' : ACCEPTED),
    )
    expect(await call('sendBoc', bocOf(1))).toMatchObject({
      status: 504,
      answer: { error: 'LITE_SERVER_NETWORK timeout' },
    })
    expect(bodies).toHaveLength(1)
    isSilent = false
    expect((await call('sendBoc', bocOf(1))).status).toBe(200)
    expect(bodies).toHaveLength(2)
  })
})

describe('a message that a liar was given', () => {
  const LIES: readonly [string, Reply][] = [
    ['an answer to another question', encode({ _: 'liteServer.currentTime', now: 1 })],
    ['bytes behind the answer', Buffer.concat([ACCEPTED, Buffer.alloc(4)])],
    ['half of the answer', ACCEPTED.subarray(0, 4)],
    ['no bytes', Buffer.alloc(0)],
    ['a status that is none', encode({ _: 'liteServer.sendMsgStatus', status: 0 })],
    ['another status', encode({ _: 'liteServer.sendMsgStatus', status: 2 })],
  ]

  test.each(LIES)('%s: an error, not sent elsewhere, and not remembered as sent', async (_, lie) => {
    let isLying = true
    const { call, bodies } = await start(
      () => (isLying ? lie : ACCEPTED),
      () => (isLying ? lie : ACCEPTED),
    )
    expect(await call('sendBocReturnHash', bocOf(1))).toMatchObject({ status: 500, answer: { ok: false, code: 500 } })
    expect(bodies).toHaveLength(1)
    isLying = false
    expect((await call('sendBocReturnHash', bocOf(1))).status).toBe(200)
    expect(bodies).toHaveLength(2)
  })

  test('who says to have taken it can be believed or not, but says nothing of its hashes', async () => {
    const { call } = await start(accept)
    const { answer } = await call('sendBocReturnHash', bocOf(3))
    const hash = messageOf(3).hash().toString('base64')
    expect(answer['result']).toMatchObject({ hash, hash_norm: normalizedMessageHash(messageOf(3)).toString('base64') })
  })
})

interface RecordedSend {
  note: string
  request: Buffer
  answer: Buffer
  refusal: string | undefined
}

/** What the recorded node answered to messages good and bad. */
const recordedSends = (): RecordedSend[] => {
  const packed = readFileSync(new URL('../fixtures/chain/golden.jsonl.zst', import.meta.url))
  const lines = Bun.zstdDecompressSync(packed).toString().trimEnd().split('\n')
  return lines
    .map((line) => JSON.parse(line) as Record<string, string> & { error?: { message: string } })
    .filter(({ method }) => method === 'sendMessage')
    .map(({ note, req, resp, error }) => {
      const { call } = decodeRequest(Buffer.from(req!, 'base64'))
      if (call._ !== 'liteServer.sendMessage') throw new Error('another question')
      return { note: note!, request: call.body, answer: Buffer.from(resp!, 'base64'), refusal: error?.message }
    })
}

describe('a message that was sent to the recorded node', () => {
  /** What is wrong with the bytes themselves, whatever the state. */
  const UNUSABLE = /external message (is not a valid bag|must begin with|is too deep|too large)/

  test('is refused at once when nothing could make the node take it, else answered as the node did', async () => {
    const sends = recordedSends()
    expect(sends.length).toBeGreaterThan(15)
    for (const { request, answer, refusal } of sends) {
      const { call, bodies } = await start(() => answer)
      const got = await call('sendBoc', { boc: request.toString('base64') })
      if (refusal && UNUSABLE.test(refusal)) {
        expect(got.status).toBe(422)
        expect(bodies).toEqual([])
        continue
      }
      expect(bodies).toEqual([request])
      const isAccepted = !refusal || refusal.endsWith(': duplicate message')
      expect(got.status).toBe(isAccepted ? 200 : 500)
      if (!isAccepted) expect(got.answer['error']).toStartWith(`LITE_SERVER_UNKNOWN: ${refusal}`)
    }
  })
})

describe('what is no message', () => {
  test('never reaches a liteserver', async () => {
    const { call, bodies } = await start(accept)
    const bad = [
      {},
      { boc: '' },
      { boc: null },
      { boc: 5 },
      { boc: [bocOf(1).boc] },
      { boc: 'AAAA' },
      { boc: '!!' },
      { boc: bocOf(1).boc.slice(0, -4) },
      { boc: `${bocOf(1).boc}AAAA` },
      { boc: '-_-_' },
      { boc: base64(beginCell().uint(0, 400).endCell()) },
    ]
    for (const body of bad)
      for (const method of ['sendBoc', 'sendBocReturnHash', 'sendBocReturnHashNoError'])
        expect(await call(method, body)).toMatchObject({ status: 422, answer: { ok: false, code: 422 } })
    expect(bodies).toHaveLength(0)
  })

  test('is no GET', async () => {
    const { fetch } = await start(accept)
    const methods = ['sendBoc', 'sendBocReturnHash', 'sendQuery', 'sendQuerySimple', 'sendCellSimple', 'estimateFee']
    for (const method of methods) {
      const response = await fetch(new Request(`http://localhost/api/v2/${method}?boc=AAAA`))
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST, OPTIONS'])
      expect(await response.json()).toMatchObject({ ok: false, code: 405 })
    }
  })
})
