import { describe, expect, test } from 'bun:test'
import { type Builder, beginCell } from '../../../../src/ton/builder.ts'
import { beginParse } from '../../../../src/ton/slice.ts'
import { inMsg, inMsgEntries, loadInMsg, parseInMsg, parseInMsgDescr } from '../../../../src/ton/tlb/in-msg.ts'
import { encodeDict } from '../../../support/dict-encoder.ts'
import { prunedCell } from '../../../support/exotic-cells.ts'
import { failureOf } from '../../../support/failure.ts'

const [a, b, c] = [1, 2, 3].map((n) => prunedCell(1, [Buffer.alloc(32, n)], [n])) as [
  ReturnType<typeof prunedCell>,
  ReturnType<typeof prunedCell>,
  ReturnType<typeof prunedCell>,
]

const parse = (tag: string, rest: (builder: Builder) => Builder) =>
  parseInMsg(rest([...tag].reduce((builder, bit) => builder.bit(bit === '1'), beginCell())).endCell())

describe('InMsg', () => {
  test('all constructors, with everything closed', () => {
    expect(parse('000', (x) => x.ref(a).ref(b))).toEqual({ _: 'msg_import_ext', msg: a, transaction: b })
    expect(parse('010', (x) => x.ref(a).ref(b).coins(4n).ref(c))).toEqual({
      _: 'msg_import_ihr',
      msg: a,
      transaction: b,
      ihr_fee: 4n,
      proof_created: c,
    })
    const fee = (x: Builder): Builder => x.ref(a).ref(b).coins(4n)
    expect(parse('011', fee)).toEqual({ _: 'msg_import_imm', in_msg: a, transaction: b, fwd_fee: 4n })
    expect(parse('100', fee)).toEqual({ _: 'msg_import_fin', in_msg: a, transaction: b, fwd_fee: 4n })
    expect(parse('101', fee)).toEqual({ _: 'msg_import_tr', in_msg: a, out_msg: b, transit_fee: 4n })
    expect(parse('110', (x) => x.ref(a).uint(5, 64).coins(4n))).toEqual({
      _: 'msg_discard_fin',
      in_msg: a,
      transaction_id: 5n,
      fwd_fee: 4n,
    })
    expect(parse('111', (x) => x.ref(a).uint(5, 64).coins(4n).ref(b))).toEqual({
      _: 'msg_discard_tr',
      in_msg: a,
      transaction_id: 5n,
      fwd_fee: 4n,
      proof_delivered: b,
    })
    expect(parse('00100', fee)).toEqual({ _: 'msg_import_deferred_fin', in_msg: a, transaction: b, fwd_fee: 4n })
    expect(parse('00101', (x) => x.ref(a).ref(b))).toEqual({ _: 'msg_import_deferred_tr', in_msg: a, out_msg: b })
  })

  test('unknown tags are refused', () => {
    for (const tag of ['00110', '00111']) expect(failureOf(() => parse(tag, (x) => x.ref(a).ref(b)))).toBe('malformed')
    expect(failureOf(() => loadInMsg(beginParse(beginCell().uint(0, 2).endCell())))).toBe('malformed')
  })
})

describe('InMsgDescr', () => {
  const keys = [3n, 2n ** 255n + 1n]
  const root = encodeDict(
    keys.map((key) => ({
      key: key.toString(2).padStart(256, '0'),
      value: (builder: Builder) => builder.uint(0, 3).ref(a).ref(b),
    })),
    256,
    {
      label: (fitting) => fitting[0]!,
      extra: (builder, entries) => builder.coins(BigInt(entries.length)).coins(7n).bit(false),
    },
  )
  const cell = beginCell().bit(true).ref(root).coins(2n).coins(7n).bit(false).endCell()
  const hashOf = (key: bigint): Buffer => Buffer.from(key.toString(16).padStart(64, '0'), 'hex')

  test('is walked and looked up by message hash', () => {
    const message = { _: 'msg_import_ext', msg: a, transaction: b } as const
    expect([...inMsgEntries(cell)]).toEqual(keys.map((key) => [hashOf(key), message]))
    expect(inMsg(cell, hashOf(keys[1]!))).toEqual(message)
    expect(inMsg(cell, hashOf(4n))).toBeNull()
    expect(parseInMsgDescr(cell)).toEqual({
      root,
      extra: { fees_collected: 2n, value_imported: { grams: 7n, other: null } },
    })
  })

  test('may be empty', () => {
    const empty = beginCell().bit(false).coins(0n).coins(0n).bit(false).endCell()
    expect([...inMsgEntries(empty)]).toEqual([])
    expect(inMsg(empty, hashOf(3n))).toBeNull()
  })
})
