import { expect, test } from 'bun:test'
import { type BodyObject, bodyJson, decodedPayload } from '../../../src/contracts/body-json.ts'
import { cellToBoc, serializeBoc } from '../../../src/ton/boc-writer.ts'
import { beginCell } from '../../../src/ton/builder.ts'
import type { Cell } from '../../../src/ton/cell.ts'
import { beginParse } from '../../../src/ton/slice.ts'

const ADDRESS = { '@type': 'addr_std', anycast: { '@type': 'nothing_from_maybe' }, workchain_id: '-1' }
const account = (builder: ReturnType<typeof beginCell>, byte: number) =>
  builder.uint(0b100, 3).int(-1, 8).bytes(Buffer.alloc(32, byte))
const shown = (byte: number) => ({ ...ADDRESS, address: Buffer.alloc(32, byte).toString('hex').toUpperCase() })

const comment = (text: string | Buffer, bits = 0, tail?: Cell): Cell => {
  const builder = beginCell().uint(0, 32).bytes(Buffer.from(text)).uint(0, bits)
  return (tail ? builder.ref(tail) : builder).endCell()
}

test('a comment is text, also over several cells and with bytes that are none', () => {
  const tail = beginCell().bytes(Buffer.from('wörld')).endCell()
  expect(bodyJson(comment('hello, ', 0, tail))).toEqual({ '@type': 'text_comment', text: 'hello, wörld' })
  expect(bodyJson(comment(''))).toEqual({ '@type': 'text_comment', text: '' })
  expect(bodyJson(comment(Buffer.of(0x41, 0xff)))).toEqual({ '@type': 'text_comment', text: 'A\ufffd' })
})

test('a comment in a message has its kind twice', () => {
  expect(JSON.stringify(decodedPayload(comment('hi')))).toBe(
    '{"@type":"text_comment","comment":"hi","type":"text_comment"}',
  )
})

test('bits that are no whole bytes and one cell in a chain many times are no comment', () => {
  expect(bodyJson(comment('x', 1))).toBeNull()
  expect(bodyJson(beginCell().uint(0, 31).endCell())).toBeNull()
  let tail = beginCell().bytes(Buffer.alloc(120)).endCell()
  for (let i = 0; i < 600; i++) tail = beginCell().bytes(Buffer.alloc(120)).ref(tail).endCell()
  expect(bodyJson(beginCell().uint(0, 32).ref(tail).endCell())).toBeNull()
})

test('an encrypted comment is told as its bytes', () => {
  const body = beginCell()
    .uint(0x2167da4b, 32)
    .bytes(Buffer.of(1, 2, 0xab))
    .endCell()
  expect(bodyJson(body)).toEqual({ '@type': 'encrypted_text_comment', cipher_text: '0102AB' })
})

test('an empty body is told as such; an unknown one is null', () => {
  expect(bodyJson(beginCell().endCell())).toEqual({ '@type': 'empty_cell' })
  expect(bodyJson(beginCell().uint(0x12345678, 32).endCell())).toBeNull()
})

const transfer = (build: (builder: ReturnType<typeof beginCell>) => ReturnType<typeof beginCell>): Cell => {
  const head = beginCell().uint(0x0f8a7ea5, 32).uint(18446744073709551615n, 64).coins(1000n)
  return build(account(account(head, 1), 2)).endCell()
}
const told = (custom: BodyObject, forward: BodyObject): BodyObject => ({
  '@type': 'jetton_transfer',
  query_id: '18446744073709551615',
  amount: { '@type': 'var_uint', len: '2', value: '1000' },
  destination: shown(1),
  response_destination: shown(2),
  custom_payload: custom,
  forward_ton_amount: { '@type': 'var_uint', len: '0', value: '0' },
  forward_payload: forward,
})
const NOTHING = { '@type': 'nothing_from_maybe' }

test('payloads are decoded where they stand; unknown ones stay cells', () => {
  const unknown = beginCell().uint(0x12345678, 32).endCell()
  expect(
    bodyJson(
      transfer((b) =>
        b
          .bit(false)
          .coins(0n)
          .bit(false)
          .slice(beginParse(comment('x'))),
      ),
    ),
  ).toEqual(told(NOTHING, { '@type': 'first_from_either', value: { '@type': 'text_comment', text: 'x' } }))
  expect(bodyJson(transfer((b) => b.bit(true).ref(unknown).coins(0n).bit(true).ref(comment('y'))))).toEqual(
    told(
      { '@type': 'something_from_maybe', value: serializeBoc([unknown], { crc: false }).toString('base64') },
      { '@type': 'second_from_either', value: { '@type': 'text_comment', text: 'y' } },
    ),
  )
})

test('a body that is cut off is unknown; what stands behind one is left out', () => {
  expect(bodyJson(transfer((b) => b.bit(false)))).toBeNull()
  const excess = beginCell().uint(0xd53276db, 32).uint(7, 64).uint(5, 9).ref(comment('')).endCell()
  expect(bodyJson(excess)).toEqual({ '@type': 'excess', query_id: '7' })
})

test('bodies in bodies are decoded down to a bound', () => {
  let body = comment('end')
  for (let i = 0; i < 30; i++) {
    const inner = body
    body = transfer((b) => b.bit(false).coins(0n).bit(true).ref(inner))
  }
  const text = JSON.stringify(bodyJson(body))
  expect(text.split('jetton_transfer').length - 1).toBe(10)
  expect(text.length).toBeLessThan(20_000)
})

test('what would be told at great length is not told', () => {
  let wide = beginCell().uint(1, 8).endCell()
  for (let i = 0; i < 400; i++) wide = beginCell().uint(i, 1000).ref(wide).endCell()
  expect(cellToBoc(wide).length).toBeGreaterThan(50_000)
  let body = transfer((b) => b.bit(true).ref(wide).coins(0n).bit(true).ref(wide))
  for (let i = 0; i < 9; i++) {
    const inner = body
    body = transfer((b) => b.bit(true).ref(wide).coins(0n).bit(true).ref(inner))
  }
  expect(JSON.stringify(bodyJson(body))?.length ?? 0).toBeLessThan(1 << 21)
})

const request = (messages: readonly Cell[]): Cell => {
  let list = beginCell().endCell()
  for (const message of messages) list = beginCell().ref(list).uint(0x0ec3c86d, 32).uint(3, 8).ref(message).endCell()
  const head = beginCell().uint(0x7369676e, 32).uint(1, 32).uint(2, 32).uint(3, 32).bit(true).ref(list)
  return head.bit(false).bytes(Buffer.alloc(64)).endCell()
}
const message = (body: Cell): Cell => {
  const head = beginCell().uint(0b0110, 4).uint(0, 4).coins(5n).bit(false).coins(0n).coins(0n)
  return head.uint(0, 96).bit(false).bit(true).ref(body).endCell()
}
const numbers = Array.from({ length: 255 }, (_, i) => i)

test('as many messages as a wallet sends at once are told, with all that they hold', () => {
  const payload = (i: number) => comment(`number ${i}`)
  const sent = numbers.map((i) => message(transfer((b) => b.bit(false).coins(1n).bit(true).ref(payload(i)))))
  const text = JSON.stringify(bodyJson(request(sent)))
  expect(text.split('jetton_transfer').length - 1).toBe(255)
  for (const i of numbers) expect(text).toContain(`number ${i}"`)
  const unknown = numbers.map((i) => beginCell().uint(0x12345678, 32).ref(beginCell().uint(i, 32).endCell()).endCell())
  const told = JSON.stringify(bodyJson(request(unknown.map(message))))
  for (const cell of unknown) expect(told).toContain(serializeBoc([cell], { crc: false }).toString('base64'))
})

test('little that stands for much work is not told', () => {
  let tail = beginCell().bytes(Buffer.alloc(120, 65)).endCell()
  for (let i = 0; i < 500; i++) tail = beginCell().bytes(Buffer.alloc(120, 65)).ref(tail).endCell()
  const long = message(comment('', 0, tail))
  expect(bodyJson(request([long, long]))).not.toBeNull()
  expect(bodyJson(request(numbers.map(() => long)))).toBeNull()

  let entries = beginCell().uint(0, 2).uint(7, 32).endCell()
  for (let i = 0; i < 11; i++) entries = beginCell().uint(0, 2).ref(entries).ref(entries).endCell()
  const root = beginCell().uint(0b10, 2).uint(20, 6).uint(0, 20).ref(entries).ref(entries).endCell()
  const settle = beginCell().uint(0x66f6f069, 32).bit(true).bytes(Buffer.alloc(64)).uint(1, 32).uint(0, 128)
  expect(bodyJson(settle.bit(true).ref(root).endCell())).toBeNull()

  let fill = beginCell().uint(0x99b49842, 32).endCell()
  for (let i = 0; i < 12; i++) {
    const failing = () => beginCell().uint(0, 2).bit(true).uint(0b01, 2).uint(511, 9)
    const twice = failing().uint(0, 50).slice(beginParse(failing().endCell()))
    fill = beginCell().uint(0x99b49842, 32).slice(beginParse(twice.endCell())).ref(fill).endCell()
  }
  expect(bodyJson(request(numbers.map(() => message(fill))))).toBeNull()
})
