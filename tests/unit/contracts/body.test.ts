import { expect, test } from 'bun:test'
import { decodeBody, prepareBodies } from '../../../src/contracts/body.ts'
import { opcodeName } from '../../../src/contracts/opcodes.ts'
import { SCHEME_TEXTS } from '../../../src/contracts/schemes.ts'
import { parseScheme } from '../../../src/contracts/tlb/syntax.ts'
import { beginCell } from '../../../src/ton/builder.ts'
import type { Cell } from '../../../src/ton/cell.ts'
import { beginParse } from '../../../src/ton/slice.ts'

const BODIES = new Set(['InternalMsgBody', 'ExternalMsgBody', 'ForwardPayload'])
const constructors = SCHEME_TEXTS.flatMap(parseScheme).filter(({ type }) => BODIES.has(type))

test('the texts define all that they use', () => {
  expect(prepareBodies).not.toThrow()
})

test('every body has an opcode of the table; its first constructor has the name that the table tells', () => {
  const first = new Map<number, string>()
  for (const type of BODIES)
    for (const { name, tag, tagBits, type: of } of constructors) {
      if (of !== type) continue
      expect([name, tagBits]).toEqual([name, 32])
      if (!first.has(tag)) first.set(tag, name)
    }
  for (const [tag, name] of first) expect([tag, opcodeName(tag)?.split(',')[0]]).toEqual([tag, name])
})

test('a body has its integers and cells as they are', () => {
  const order = beginCell().uint(5, 3).endCell()
  const body = beginCell().uint(0xa32c59bf, 32).uint(7, 64).ref(order).endCell()
  expect(decodeBody(body)).toEqual({ '@type': 'multisig_execute_internal', query_id: 7n, order })
})

const signed = (build: (builder: ReturnType<typeof beginCell>) => ReturnType<typeof beginCell>): Cell =>
  build(beginCell().bytes(Buffer.alloc(64, 0xee))).endCell()
const message = beginCell().uint(0b0110, 4).uint(0, 4).coins(5n).bit(false).coins(0n).coins(0n).uint(0, 98).endCell()

test.each([
  ['wallet_signed_v1', signed((b) => b.uint(1, 32).uint(3, 8).ref(message))],
  ['wallet_signed_v2', signed((b) => b.uint(1, 32).uint(2, 32).uint(3, 8).ref(message).uint(3, 8).ref(message))],
  ['wallet_signed_v3', signed((b) => b.uint(1, 32).uint(2, 32).uint(3, 32).uint(3, 8).ref(message))],
  ['wallet_signed_v4', signed((b) => b.uint(1, 32).uint(2, 32).uint(3, 32).uint(0, 8).uint(3, 8).ref(message))],
])('%s is known by its layout', (name, body) => {
  expect(decodeBody(body)?.['@type']).toBe(name)
})

test('a layout that leaves something, or holds no message, is none', () => {
  expect(decodeBody(signed((b) => b.uint(1, 32).uint(3, 9).ref(message)))).toBeUndefined()
  const junk = beginCell().uint(3, 7).endCell()
  expect(decodeBody(signed((b) => b.uint(1, 32).uint(2, 32).uint(3, 32).uint(3, 8).ref(junk)))).toBeUndefined()
})

test('a wallet v5 is asked for actions of both kinds, told in the order of their execution', () => {
  const empty = beginCell().endCell()
  const send = (mode: number, previous: Cell) =>
    beginCell().ref(previous).uint(0x0ec3c86d, 32).uint(mode, 8).ref(message).endCell()
  const last = beginCell().uint(4, 8).bit(true).endCell()
  const body = beginCell()
    .uint(0x7369676e, 32)
    .uint(1, 32)
    .uint(2, 32)
    .uint(3, 32)
    .bit(true)
    .ref(send(2, send(1, empty)))
    .bit(true)
    .uint(3, 8)
    .uint(0, 2)
    .ref(last)
    .bytes(Buffer.alloc(64, 0xee))
    .endCell()
  expect(decodeBody(body)).toMatchObject({
    '@type': 'w5_external_signed_request',
    msg_seqno: 3n,
    inner: {
      out_actions: { value: [{ mode: 1n }, { mode: 2n }] },
      other_actions: [
        { '@type': 'delete_extension', addr: { '@type': 'addr_none' } },
        { '@type': 'set_signature_allowed', allowed: true },
      ],
    },
  })
})

test('a body under a small opcode is known where its fields are all that is there', () => {
  const excess = () => beginCell().uint(0x0000081e, 32).uint(7, 64)
  expect(decodeBody(excess().endCell())).toEqual({ '@type': 'evaa_idle_excess', query_id: 7n })
  expect(decodeBody(excess().bit(true).endCell())).toBeUndefined()
  expect(decodeBody(excess().ref(message).endCell())).toBeUndefined()
})

test('constructors of one opcode are told apart by what is there', () => {
  const head = beginCell().uint(0x0000011f, 32).uint(1, 64).uint(0b100, 3).uint(0, 8).bytes(Buffer.alloc(32, 9))
  const short = head.uint(5, 256).uint(6, 64).endCell()
  const long = beginCell().slice(beginParse(short)).uint(8, 64).ref(beginCell().endCell()).endCell()
  expect(Object.keys(decodeBody(short)!)).toEqual(['@type', 'query_id', 'owner_address', 'asset_id', 'amount'])
  expect(decodeBody(long)).toMatchObject({ '@type': 'evaa_supply_fail', amount: 6n, forward_ton_amount: 8n })
})
