import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { isTonlithError } from '../../../../src/common/errors.ts'
import { encode } from '../../../../src/ton/tl/codec.ts'
import {
  decodeAnswer,
  decodeMessage,
  decodeRequest,
  encodeAdnlAnswer,
  encodeAdnlQuery,
  encodeAnswer,
  encodeError,
  encodeQuery,
  isLiteRequest,
  unwrapQuery,
} from '../../../../src/ton/tl/lite-api.ts'

interface Recorded {
  method: string
  note: string
  req: string
  resp: string
  error: { code: number; message: string } | null
}

const recorded = gunzipSync(readFileSync(new URL('../../../fixtures/tl/golden.jsonl.gz', import.meta.url)))
  .toString()
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Recorded)

/** The node sends an account state where it is asked to run a method in a workchain that it does not know. */
const isNodeQuirk = (method: string, answer: Buffer): boolean =>
  method === 'runSmcMethod' && answer.readUInt32LE(0) === 0x7079c751

describe('questions and answers that a node recorded', () => {
  test('every question that parses is written back to the byte', () => {
    for (const { method, note, req } of recorded.filter(({ method }) => method !== '(raw)')) {
      const bytes = Buffer.from(req, 'base64')
      if (note === 'count -1') continue
      const { wait, call } = decodeRequest(bytes)
      if (!isLiteRequest(call)) throw new Error(`${call._} is no question`)
      expect(call._).toBe(`liteServer.${method}` as typeof call._)
      expect(unwrapQuery(encodeQuery(call, wait))).toEqual(bytes)
    }
  })

  test('every answer is written back to the byte, every error keeps code and text', () => {
    for (const { method, req, resp, error } of recorded.filter(({ method }) => method !== '(raw)')) {
      const bytes = Buffer.from(resp, 'base64')
      if (isNodeQuirk(method, bytes)) continue
      const name = `liteServer.${method}` as Parameters<typeof decodeAnswer>[0]
      if (!error) {
        expect(encodeAnswer(decodeAnswer(name, bytes))).toEqual(bytes)
        continue
      }
      try {
        decodeAnswer(name, bytes)
        throw new Error(`${req} did not throw`)
      } catch (thrown) {
        if (!isTonlithError(thrown, 'liteserver')) throw thrown
        expect({ code: thrown.code, message: thrown.message }).toEqual(error)
        expect(encodeError(thrown.code!, thrown.message)).toEqual(bytes)
      }
    }
  })

  test('questions that do not parse get the words of the node', () => {
    const raw = recorded.filter(({ method, note }) => method === '(raw)' || note === 'count -1')
    expect(raw.length).toBe(13)
    for (const { req, resp } of raw) {
      const bytes = Buffer.from(req, 'base64')
      let answer: Buffer
      try {
        const { call } = decodeRequest(bytes)
        answer = isLiteRequest(call) ? Buffer.from('answered') : encodeError(621, 'unknown query')
      } catch (error) {
        answer = encodeError(0, (error as Error).message)
      }
      expect(answer).toEqual(Buffer.from(resp, 'base64'))
    }
  })
})

describe('envelopes', () => {
  test('what is not wrapped has no question in it', () => {
    for (const hex of ['', '345aad16', 'deadbeef', 'df068c790434', 'df068c790000000000000000'])
      expect(unwrapQuery(Buffer.from(hex, 'hex'))).toBeUndefined()
  })

  test('queryPrefix wraps too', () => {
    expect(unwrapQuery(Buffer.from('86e6d372345aad16', 'hex'))).toEqual(Buffer.from('345aad16', 'hex'))
  })

  test('the wait prefix stands before the question', () => {
    const bytes = encodeQuery({ _: 'liteServer.getTime' }, { seqno: 7, timeout_ms: 9 })
    expect(bytes.toString('hex')).toBe('df068c791092b8eaba0700000009000000345aad16000000')
    expect(decodeRequest(unwrapQuery(bytes)!)).toEqual({
      wait: { seqno: 7, timeout_ms: 9 },
      call: { _: 'liteServer.getTime' },
    })
  })

  test('messages of a connection', () => {
    const query_id = Buffer.alloc(32, 1)
    const query = Buffer.from('question')
    expect(decodeMessage(encodeAdnlQuery(query_id, query))).toEqual({ _: 'adnl.message.query', query_id, query })
    expect(decodeMessage(encodeAdnlAnswer(query_id, query))).toEqual({
      _: 'adnl.message.answer',
      query_id,
      answer: query,
    })
    for (const _ of ['tcp.ping', 'tcp.pong'] as const)
      expect(decodeMessage(encode({ _, random_id: -3n }))).toEqual({ _, random_id: -3n })
    expect(() => decodeMessage(Buffer.alloc(0))).toThrow('Not enough data to read at 0')
    expect(() => decodeMessage(Buffer.alloc(8))).toThrow('Unknown constructor found 0x00000000 at 4')
  })
})
