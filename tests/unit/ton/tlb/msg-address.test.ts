import { describe, expect, test } from 'bun:test'
import { Address, beginCell as tonCoreCell } from '@ton/core'
import fc from 'fast-check'
import { beginCell } from '../../../../src/ton/builder.ts'
import { beginParse } from '../../../../src/ton/slice.ts'
import {
  accountOf,
  loadMsgAddress,
  loadMsgAddressExt,
  loadMsgAddressInt,
  type MsgAddressInt,
  storeMsgAddressInt,
} from '../../../../src/ton/tlb/msg-address.ts'
import { failureOf } from '../../../support/failure.ts'
import { fromTonCore } from '../../../support/ton-core.ts'

const read = (address: MsgAddressInt): MsgAddressInt =>
  loadMsgAddressInt(beginParse(storeMsgAddressInt(beginCell(), address).endCell()))

const bitString = (length: number) =>
  fc.uint8Array({ minLength: (length + 7) >> 3, maxLength: (length + 7) >> 3 }).map((bytes) => {
    const copy = Buffer.from(bytes)
    if (length & 7) copy[length >> 3]! &= (255 << (8 - (length & 7))) & 255
    return { bytes: copy, length }
  })

const anycast = fc.option(
  fc.integer({ min: 1, max: 30 }).chain((depth) => bitString(depth).map((rewrite_pfx) => ({ depth, rewrite_pfx }))),
)
const std: fc.Arbitrary<MsgAddressInt> = fc.record({
  _: fc.constant('addr_std' as const),
  anycast,
  workchain_id: fc.integer({ min: -128, max: 127 }),
  address: fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes)),
})
const variable: fc.Arbitrary<MsgAddressInt> = fc.nat(511).chain((addr_len) =>
  fc.record({
    _: fc.constant('addr_var' as const),
    anycast,
    addr_len: fc.constant(addr_len),
    workchain_id: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
    address: bitString(addr_len),
  }),
)

describe('MsgAddress', () => {
  test('internal addresses of both forms are read as they were written', () => {
    fc.assert(fc.property(fc.oneof(std, variable), (address) => expect(read(address)).toEqual(address)))
  })

  test('what @ton/core writes is the same account', () => {
    const address = new Address(-1, Buffer.alloc(32, 0x5c))
    const cell = fromTonCore(tonCoreCell().storeAddress(address).endCell())
    expect(accountOf(loadMsgAddress(beginParse(cell)))).toEqual({ workchain: -1, hash: address.hash })
  })

  test('external addresses may be empty or of any length', () => {
    expect(loadMsgAddressExt(beginParse(beginCell().uint(0, 2).endCell()))).toEqual({ _: 'addr_none' })
    const cell = beginCell().uint(1, 2).uint(11, 9).uint(0b10110011101, 11).endCell()
    expect(loadMsgAddressExt(beginParse(cell))).toEqual({
      _: 'addr_extern',
      len: 11,
      external_address: { bytes: Buffer.from([0b10110011, 0b10100000]), length: 11 },
    })
  })

  test('the other sort is refused', () => {
    const none = beginCell().uint(0, 2).endCell()
    expect(failureOf(() => loadMsgAddressInt(beginParse(none)))).toBe('malformed')
    const internal = beginCell().uint(0b100, 3).int(0, 8).uint(0, 256).endCell()
    expect(failureOf(() => loadMsgAddressExt(beginParse(internal)))).toBe('malformed')
  })

  test('anycast of depth 0 or above 30 is refused', () => {
    for (const depth of [0, 31]) {
      const cell = beginCell().uint(0b101, 3).uint(depth, 5).uint(0, 31).int(0, 8).uint(0, 256).endCell()
      expect(failureOf(() => loadMsgAddress(beginParse(cell)))).toBe('malformed')
    }
  })
})

describe('accountOf', () => {
  test('replaces exactly the first bits of the id by the anycast prefix', () => {
    fc.assert(
      fc.property(std, (address) => {
        const { hash } = accountOf(address)!
        const bits = (bytes: Buffer): string =>
          BigInt(`0x${bytes.toString('hex')}`)
            .toString(2)
            .padStart(256, '0')
        if (address._ !== 'addr_std') return
        const depth = address.anycast?.depth ?? 0
        const prefix = address.anycast ? `0x${address.anycast.rewrite_pfx.bytes.toString('hex')}` : '0x0'
        const prefixBits = BigInt(prefix)
          .toString(2)
          .padStart((address.anycast?.rewrite_pfx.bytes.length ?? 0) * 8, '0')
          .slice(0, depth)
        expect(bits(hash)).toBe(prefixBits + bits(address.address).slice(depth))
      }),
    )
  })

  test('knows 256-bit addresses of the variable form, and no others', () => {
    const bytes = Buffer.alloc(32, 9)
    const at = (length: number): MsgAddressInt => ({
      _: 'addr_var',
      anycast: null,
      addr_len: length,
      workchain_id: 1000,
      address: { bytes, length },
    })
    expect(accountOf(at(256))).toEqual({ workchain: 1000, hash: bytes })
    expect(accountOf(at(255))).toBeNull()
    expect(accountOf({ _: 'addr_none' })).toBeNull()
  })
})
