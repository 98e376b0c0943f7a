import { describe, expect, test } from 'bun:test'
import { type Builder, beginCell } from '../../../../src/ton/builder.ts'
import { beginParse } from '../../../../src/ton/slice.ts'
import { loadIntermediateAddress } from '../../../../src/ton/tlb/intermediate-address.ts'
import { parseMsgEnvelope } from '../../../../src/ton/tlb/msg-envelope.ts'
import { prunedCell } from '../../../support/exotic-cells.ts'
import { failureOf } from '../../../support/failure.ts'

const ID = Buffer.alloc(32, 8)
const MSG = prunedCell(1, [ID], [2])
const envelope = (tag: number): Builder =>
  beginCell().uint(tag, 4).bit(false).uint(96, 7).bit(false).uint(0, 7).coins(3n).ref(MSG)
const HEAD = {
  cur_addr: { _: 'interm_addr_regular', use_dest_bits: 96 },
  next_addr: { _: 'interm_addr_regular', use_dest_bits: 0 },
  fwd_fee_remaining: 3n,
  msg: MSG,
} as const

describe('MsgEnvelope', () => {
  test('of the first form', () => {
    expect(parseMsgEnvelope(envelope(4).endCell())).toEqual({
      _: 'msg_envelope',
      ...HEAD,
      emitted_lt: null,
      metadata: null,
    })
  })

  test('of the second form', () => {
    expect(parseMsgEnvelope(envelope(5).bit(false).bit(false).endCell())).toEqual({
      _: 'msg_envelope_v2',
      ...HEAD,
      emitted_lt: null,
      metadata: null,
    })
    const metadata = envelope(5)
      .bit(true)
      .uint(5, 64)
      .bit(true)
      .uint(0, 4)
      .uint(6, 32)
      .uint(0b100, 3)
      .int(-1, 8)
      .bytes(ID)
    expect(parseMsgEnvelope(metadata.uint(7, 64).endCell())).toEqual({
      _: 'msg_envelope_v2',
      ...HEAD,
      emitted_lt: 5n,
      metadata: {
        depth: 6,
        initiator_addr: { _: 'addr_std', anycast: null, workchain_id: -1, address: ID },
        initiator_lt: 7n,
      },
    })
  })

  test('of another tag, and metadata of another tag, is refused', () => {
    expect(failureOf(() => parseMsgEnvelope(envelope(6).endCell()))).toBe('malformed')
    expect(failureOf(() => parseMsgEnvelope(envelope(5).bit(false).bit(true).uint(1, 4).endCell()))).toBe('malformed')
  })
})

test('loadIntermediateAddress', () => {
  const read = (build: (b: Builder) => Builder) => loadIntermediateAddress(beginParse(build(beginCell()).endCell()))
  expect(read((b) => b.uint(0b10, 2).int(-1, 8).uint(5, 64))).toEqual({
    _: 'interm_addr_simple',
    workchain_id: -1,
    addr_pfx: 5n,
  })
  expect(read((b) => b.uint(0b11, 2).int(-300, 32).uint(5, 64))).toEqual({
    _: 'interm_addr_ext',
    workchain_id: -300,
    addr_pfx: 5n,
  })
  expect(failureOf(() => read((b) => b.bit(false).uint(97, 7)))).toBe('malformed')
})
