import { describe, expect, test } from 'bun:test'
import { beginCell } from '../../../../src/ton/builder.ts'
import { parseBlock, parseMerkleUpdate } from '../../../../src/ton/tlb/block.ts'
import { parseBlockExtra } from '../../../../src/ton/tlb/block-extra.ts'
import { prunedCell, updateCell } from '../../../support/exotic-cells.ts'
import { failureOf } from '../../../support/failure.ts'

const CLOSED = [1, 2, 3, 4].map((n) => prunedCell(1, [Buffer.alloc(32, n)], [n]))
const [a, b, c, d] = CLOSED as [
  (typeof CLOSED)[number],
  (typeof CLOSED)[number],
  (typeof CLOSED)[number],
  (typeof CLOSED)[number],
]
const SEED = Buffer.alloc(32, 8)
const CREATOR = Buffer.alloc(32, 9)

test('Block is read with all of its parts closed', () => {
  const cell = (tag: number) => beginCell().uint(tag, 32).int(-239, 32).ref(a).ref(b).ref(c).ref(d).endCell()
  expect(parseBlock(cell(0x11ef55aa))).toEqual({ global_id: -239, info: a, value_flow: b, state_update: c, extra: d })
  expect(failureOf(() => parseBlock(cell(0x11ef55ab)))).toBe('malformed')
})

describe('BlockExtra', () => {
  const head = (tag: number) => beginCell().uint(tag, 32).ref(a).ref(b).ref(c).bytes(SEED).bytes(CREATOR)
  const parts = { in_msg_descr: a, out_msg_descr: b, account_blocks: c, rand_seed: SEED, created_by: CREATOR }

  test('is read with all of its parts closed', () => {
    expect(parseBlockExtra(head(0x4a33f6fd).maybeRef(d).endCell())).toEqual({ ...parts, custom: d, wc_custom: null })
    expect(parseBlockExtra(head(0x4a33f6fd).bit(false).endCell()).custom).toBeNull()
  })

  test('of the experimental form has one more optional cell', () => {
    const cell = head(0x4a33f6fb).bit(false).maybeRef(d).endCell()
    expect(parseBlockExtra(cell)).toEqual({ ...parts, custom: null, wc_custom: d })
  })

  test('of another tag is refused', () => {
    expect(failureOf(() => parseBlockExtra(head(0x4a33f6fc).bit(false).endCell()))).toBe('malformed')
  })
})

test('parseMerkleUpdate', () => {
  const from = beginCell().uint(1, 8).endCell()
  const to = beginCell().ref(from).endCell()
  expect(parseMerkleUpdate(updateCell(from, to))).toEqual({
    old_hash: from.hash(),
    new_hash: to.hash(),
    old_depth: 0,
    new_depth: 1,
    old: from,
    new: to,
  })
  expect(failureOf(() => parseMerkleUpdate(to))).toBe('malformed')
})
