import { describe, expect, test } from 'bun:test'
import { type Builder, beginCell } from '../../../../src/ton/builder.ts'
import type { Cell } from '../../../../src/ton/cell.ts'
import { loadOutMsg, outMsg, outMsgEntries, parseOutMsgDescr } from '../../../../src/ton/tlb/out-msg.ts'
import { parseCell } from '../../../../src/ton/tlb/tag.ts'
import { encodeDict } from '../../../support/dict-encoder.ts'
import { prunedCell } from '../../../support/exotic-cells.ts'
import { failureOf } from '../../../support/failure.ts'

const closed = (n: number): Cell => prunedCell(1, [Buffer.alloc(32, n)], [n])
const a = closed(1)
const b = closed(2)
const c = closed(3)
const two = (x: Builder): Builder => x.ref(a).ref(b)

const parse = (tag: string, rest: (builder: Builder) => Builder) =>
  parseCell(rest([...tag].reduce((builder, bit) => builder.bit(bit === '1'), beginCell())).endCell(), loadOutMsg)

describe('OutMsg', () => {
  test('all constructors, with everything closed', () => {
    expect(parse('000', two)).toEqual({ _: 'msg_export_ext', msg: a, transaction: b })
    expect(parse('010', (x) => two(x).ref(c))).toEqual({
      _: 'msg_export_imm',
      out_msg: a,
      transaction: b,
      reimport: c,
    })
    expect(parse('001', two)).toEqual({ _: 'msg_export_new', out_msg: a, transaction: b })
    expect(parse('011', two)).toEqual({ _: 'msg_export_tr', out_msg: a, imported: b })
    expect(parse('1100', (x) => x.ref(a).uint(9, 63))).toEqual({
      _: 'msg_export_deq',
      out_msg: a,
      import_block_lt: 9n,
    })
    const hash = Buffer.alloc(32, 4)
    expect(
      parse('1101', (x) =>
        x
          .bytes(hash)
          .int(-1, 32)
          .uint(2n ** 63n, 64)
          .uint(9, 64),
      ),
    ).toEqual({
      _: 'msg_export_deq_short',
      msg_env_hash: hash,
      next_workchain: -1,
      next_addr_pfx: 2n ** 63n,
      import_block_lt: 9n,
    })
    expect(parse('111', two)).toEqual({ _: 'msg_export_tr_req', out_msg: a, imported: b })
    expect(parse('100', two)).toEqual({ _: 'msg_export_deq_imm', out_msg: a, reimport: b })
    expect(parse('10100', two)).toEqual({ _: 'msg_export_new_defer', out_msg: a, transaction: b })
    expect(parse('10101', two)).toEqual({ _: 'msg_export_deferred_tr', out_msg: a, imported: b })
  })

  test('unknown tags are refused', () => {
    for (const tag of ['10110', '10111']) expect(failureOf(() => parse(tag, two))).toBe('malformed')
  })
})

test('OutMsgDescr is walked and looked up by message hash', () => {
  const root = encodeDict([{ key: '01'.repeat(128), value: (builder) => two(builder.uint(1, 3)) }], 256, {
    label: (fitting) => fitting[0]!,
    extra: (builder) => builder.coins(7n).bit(false),
  })
  const cell = beginCell().bit(true).ref(root).coins(7n).bit(false).endCell()
  const message = { _: 'msg_export_new', out_msg: a, transaction: b } as const
  const hash = Buffer.alloc(32, 0x55)
  expect([...outMsgEntries(cell)]).toEqual([[hash, message]])
  expect(outMsg(cell, hash)).toEqual(message)
  expect(outMsg(cell, Buffer.alloc(32, 0x54))).toBeNull()
  expect(parseOutMsgDescr(cell)).toEqual({ root, extra: { grams: 7n, other: null } })
})
