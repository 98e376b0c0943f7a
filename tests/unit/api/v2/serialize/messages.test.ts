import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Dialect } from '../../../../../src/api/v2/dialect.ts'
import { type WriteMessage, writeExtMessage, writeRawMessage } from '../../../../../src/api/v2/serialize/messages.ts'
import { ByteWriter } from '../../../../../src/common/byte-writer.ts'
import type { Message } from '../../../../../src/model/message.ts'
import { beginCell } from '../../../../../src/ton/builder.ts'
import type { Cell } from '../../../../../src/ton/cell.ts'

const EMPTY = beginCell().endCell()
const ACCOUNT = {
  workchain: 0,
  hash: Buffer.from('83dfd552e63729b472fcbcc8c45ebcc6691702558b68ec7527e1ba403a0f31a8', 'hex'),
}

const message = (some: Partial<Message>): Message => ({
  hash: Buffer.alloc(32, 1),
  source: ACCOUNT,
  destination: undefined,
  value: 0n,
  extra_currencies: [],
  fwd_fee: 0n,
  created_lt: 0n,
  body: EMPTY,
  init: null,
  ...some,
})

const written =
  (write: WriteMessage) =>
  (message: Message, dialect: Dialect): string =>
    new ByteWriter().collect((out) => write(out, message, dialect))
const extMessageJson = written(writeExtMessage)
const rawMessageJson = written(writeRawMessage)

type Shown = Record<string, unknown> & { msg_data: Record<string, unknown> }

const shown = (body: Cell): Shown => JSON.parse(extMessageJson(message({ body }), 'toncenter')) as Shown

const comment = (op: number, text: Uint8Array): Cell => beginCell().uint(op, 32).bytes(text).endCell()

describe('the text of a message', () => {
  test('is the comment', () => {
    const { msg_data, message } = shown(comment(0, Buffer.from('привет "9417"\n')))
    expect(msg_data).toEqual({
      '@type': 'msg.dataText',
      text: Buffer.from('привет "9417"\n').toString('base64'),
    })
    expect(message).toBe('привет "9417"\n')
  })

  test('goes on in the references of its cells', () => {
    const tail = beginCell().bytes(Buffer.from(' and more')).endCell()
    const body = beginCell().uint(0, 32).bytes(Buffer.from('some')).ref(tail).ref(EMPTY).endCell()
    expect(shown(body)['message']).toBe('some and more')
  })

  test('has U+FFFD for bytes that are no UTF-8, which base64 keeps', () => {
    const { msg_data, message } = shown(comment(0, Buffer.from('fffec0c328', 'hex')))
    expect(message).toBe('\ufffd\ufffd\ufffd\ufffd(')
    expect(msg_data['text']).toBe('//7Awyg=')
  })

  test('is left out of an encrypted comment', () => {
    const fields = shown(comment(0x2167da4b, Buffer.from([1, 2, 255])))
    expect(fields.msg_data).toEqual({ '@type': 'msg.dataEncryptedText', text: 'AQL/' })
    expect('message' in fields).toBe(false)
  })

  test('is base64 of the bits and a newline for any other body, unused bits being zero', () => {
    const body = beginCell().uint(0xdeadbeef, 32).uint(0b101, 3).endCell()
    expect(shown(body)['message']).toBe('3q2+76A=\n')
    expect(shown(body).msg_data['@type']).toBe('msg.dataRaw')
  })

  test('is empty for an empty body', () => {
    expect(shown(EMPTY)).toMatchObject({ message: '', msg_data: { body: 'te6cckEBAQEAAgAAAEysuc0=', init_state: '' } })
  })

  test('is base64 for a comment that is no whole bytes, is too short, or runs into an exotic cell', () => {
    const library = beginCell().uint(2, 8).uint(0, 256).endCell(true)
    for (const body of [
      beginCell().uint(0, 32).uint(1, 3).endCell(),
      beginCell().uint(0, 31).endCell(),
      beginCell().uint(0, 32).ref(library).endCell(),
      library,
    ])
      expect(shown(body).msg_data['@type']).toBe('msg.dataRaw')
  })

  test('is what was written, whatever was written', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 28 }), (text) => {
        expect(shown(comment(0, Buffer.from(text)))['message']).toBe(text)
      }),
    )
  })
})

describe('the fields of a message', () => {
  test('are exact beyond 64 bits, in the order of the reference', () => {
    const big = 2n ** 119n + 1n
    const fields = message({ value: big, extra_currencies: [{ id: -17, amount: 2n ** 247n + 1n }], created_lt: big })
    const json = rawMessageJson(fields, 'toncenter')
    expect(json).toContain(`"value":"${big}"`)
    expect(json).toContain(`"extra_currencies":[{"@type":"extraCurrency","id":-17,"amount":"${2n ** 247n + 1n}"}]`)
    expect(Object.keys(JSON.parse(json))).toEqual(
      '@type hash source destination value extra_currencies fwd_fee ihr_fee created_lt body_hash msg_data'.split(' '),
    )
  })

  test('name accounts in the words of the dialect, and no account as the empty text', () => {
    const friendly = 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N'
    const raw = '0:83DFD552E63729B472FCBCC8C45EBCC6691702558B68EC7527E1BA403A0F31A8'
    for (const [dialect, text] of [
      ['toncenter', friendly],
      ['spec', raw],
    ] as const) {
      expect(JSON.parse(extMessageJson(message({}), dialect))).toMatchObject({ source: text, destination: '' })
      expect(JSON.parse(rawMessageJson(message({}), dialect))).toMatchObject({
        source: { '@type': 'accountAddress', account_address: text },
        destination: { '@type': 'accountAddress', account_address: '' },
      })
    }
  })
})
