import { describe, expect, test } from 'bun:test'
import { Address, type CommonMessageInfo, type Message, storeMessage, beginCell as tonCoreCell } from '@ton/core'
import { beginCell } from '../../../../src/ton/builder.ts'
import { parseMessage, parseMessageInfo } from '../../../../src/ton/tlb/message.ts'
import { parseStateInit } from '../../../../src/ton/tlb/state-init.ts'
import { prunedCell } from '../../../support/exotic-cells.ts'
import { failureOf } from '../../../support/failure.ts'
import { fromTonCore } from '../../../support/ton-core.ts'

const A = new Address(0, Buffer.alloc(32, 0xaa))
const B = new Address(-1, Buffer.alloc(32, 0xbb))
const std = ({ workChain, hash }: Address) => ({
  _: 'addr_std' as const,
  anycast: null,
  workchain_id: workChain,
  address: hash,
})
const BODY = tonCoreCell().storeUint(7, 31).storeRef(tonCoreCell().storeUint(1, 9).endCell()).endCell()
const INIT = {
  splitDepth: 5,
  special: { tick: false, tock: true },
  code: tonCoreCell().storeUint(1, 8).endCell(),
  data: tonCoreCell().storeUint(2, 8).endCell(),
}
const EXTERNAL: CommonMessageInfo = { type: 'external-in', dest: A, src: null, importFee: 9n }

const cellOf = (message: Message, forceRef = false) =>
  fromTonCore(tonCoreCell().store(storeMessage(message, { forceRef })).endCell())

describe('CommonMsgInfo', () => {
  test('int_msg_info', () => {
    const info: CommonMessageInfo = {
      type: 'internal',
      ihrDisabled: true,
      bounce: false,
      bounced: true,
      src: A,
      dest: B,
      value: { coins: 2n ** 119n },
      ihrFee: 3n,
      forwardFee: 4n,
      createdLt: 2n ** 63n,
      createdAt: 0xffffffff,
    }
    expect(parseMessageInfo(cellOf({ info, body: BODY }))).toEqual({
      _: 'int_msg_info',
      ihr_disabled: true,
      bounce: false,
      bounced: true,
      src: std(A),
      dest: std(B),
      value: { grams: 2n ** 119n, other: null },
      extra_flags: 3n,
      fwd_fee: 4n,
      created_lt: 2n ** 63n,
      created_at: 0xffffffff,
    })
  })

  test('ext_in_msg_info', () => {
    expect(parseMessageInfo(cellOf({ info: EXTERNAL, body: BODY }))).toEqual({
      _: 'ext_in_msg_info',
      src: { _: 'addr_none' },
      dest: std(A),
      import_fee: 9n,
    })
  })

  test('ext_out_msg_info', () => {
    const info: CommonMessageInfo = { type: 'external-out', src: A, dest: null, createdLt: 5n, createdAt: 6 }
    expect(parseMessageInfo(cellOf({ info, body: BODY }))).toEqual({
      _: 'ext_out_msg_info',
      src: std(A),
      dest: { _: 'addr_none' },
      created_lt: 5n,
      created_at: 6,
    })
  })
})

describe('Message', () => {
  test('gives body and init as cells, wherever they stand', () => {
    for (const init_in_ref of [false, true]) {
      for (const body_in_ref of [false, true]) {
        const builder = tonCoreCell().storeUint(0b10_00, 4).storeAddress(A).storeCoins(0).storeBit(true)
        const init = tonCoreCell()
          .storeBit(true)
          .storeUint(INIT.splitDepth, 5)
          .storeUint(0b1_01, 3)
          .storeMaybeRef(INIT.code)
          .storeMaybeRef(INIT.data)
          .storeBit(false)
        builder.storeBit(init_in_ref)
        if (init_in_ref) builder.storeRef(init.endCell())
        else builder.storeBuilder(init)
        builder.storeBit(body_in_ref)
        if (body_in_ref) builder.storeRef(BODY)
        else builder.storeBuilder(BODY.asBuilder())
        const message = parseMessage(fromTonCore(builder.endCell()))
        expect(message).toMatchObject({ init_in_ref, body_in_ref })
        expect(message.body.hash()).toEqual(BODY.hash())
        expect(message.init?.hash()).toEqual(init.endCell().hash())
        expect(parseStateInit(message.init!)).toMatchObject({
          fixed_prefix_length: 5,
          special: { tick: false, tock: true },
          library: null,
        })
      }
    }
  })

  test('without init', () => {
    for (const forceRef of [false, true]) {
      const message = parseMessage(cellOf({ info: EXTERNAL, body: BODY }, forceRef))
      expect(message).toMatchObject({ init: null, init_in_ref: false, body_in_ref: forceRef })
      expect(message.body.hash()).toEqual(BODY.hash())
    }
  })

  test('does not open the cells of init and body', () => {
    const pruned = prunedCell(1, [Buffer.alloc(32, 1)], [7])
    const cell = beginCell()
      .uint(0b1000, 4)
      .uint(0b100, 3)
      .int(0, 8)
      .uint(0, 256)
      .coins(0n)
      .uint(0b111, 3)
      .ref(pruned)
      .ref(pruned)
      .endCell()
    expect(parseMessage(cell)).toMatchObject({ init: pruned, body: pruned })
  })

  test('refuses data behind a body in a cell of its own', () => {
    const head = () => beginCell().uint(0b1000, 4).uint(0b100, 3).int(0, 8).uint(0, 256).coins(0n).bit(false).bit(true)
    const body = beginCell().endCell()
    expect(failureOf(() => parseMessage(head().ref(body).endCell()))).toBe('none')
    expect(failureOf(() => parseMessage(head().ref(body).bit(false).endCell()))).toBe('malformed')
    expect(failureOf(() => parseMessage(head().endCell()))).toBe('malformed')
  })
})
