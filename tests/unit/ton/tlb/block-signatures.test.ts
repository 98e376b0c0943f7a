import { describe, expect, test } from 'bun:test'
import { type Builder, beginCell } from '../../../../src/ton/builder.ts'
import type { Cell } from '../../../../src/ton/cell.ts'
import { parseBlockProof, parseBlockSignatures } from '../../../../src/ton/tlb/block-signatures.ts'
import { failureOf } from '../../../support/failure.ts'

const NODE = Buffer.alloc(32, 1)
const SIGNATURE = Buffer.alloc(64, 2)
const SESSION = Buffer.alloc(32, 3)

/** HashmapE 16 with the one key 0. */
const signatures = (tag = 5, key = 0): Cell =>
  beginCell().uint(0b10, 2).uint(16, 5).uint(key, 16).bytes(NODE).uint(tag, 4).bytes(SIGNATURE).endCell()

const head = (tag: number, count = 1, list: Cell | null = signatures()): Builder =>
  beginCell().uint(tag, 8).uint(0xfffffffe, 32).uint(12, 32).uint(count, 32).uint(99n, 64).maybeRef(list)

const simplex = (data: Cell): Cell => head(0x12).bytes(SESSION).uint(8, 32).ref(data).endCell()
const text = (bytes: Buffer, next?: Cell): Cell => {
  const builder = beginCell().bytes(bytes)
  return (next ? builder.ref(next) : builder).endCell()
}

const common = {
  validator_list_hash_short: 0xfffffffe,
  catchain_seqno: 12,
  sig_count: 1,
  sig_weight: 99n,
  signatures: [{ node_id_short: NODE, sign: SIGNATURE }],
}

describe('parseBlockSignatures', () => {
  test('block_signatures_ordinary', () => {
    expect(parseBlockSignatures(head(0x11).endCell())).toEqual({ _: 'block_signatures_ordinary', ...common })
  })

  test('block_signatures_simplex: the candidate may run over several cells', () => {
    const parsed = parseBlockSignatures(simplex(text(Buffer.from('candi'), text(Buffer.from('date')))))
    expect(parsed).toEqual({
      _: 'block_signatures_simplex',
      ...common,
      session_id: SESSION,
      slot: 8,
      candidate_data: Buffer.from('candidate'),
    })
  })

  test.each([
    ['another tag', head(0x10).endCell()],
    ['another count', head(0x11, 2).endCell()],
    ['no signatures', head(0x11, 1, null).endCell()],
    ['an unknown signature', head(0x11, 1, signatures(15)).endCell()],
    ['a signature that is not the first', head(0x11, 1, signatures(5, 1)).endCell()],
    ['more data', head(0x11).bit(true).endCell()],
    ['a candidate that is no string', simplex(beginCell().uint(1, 7).endCell())],
    ['a candidate of two strings', simplex(beginCell().ref(text(NODE)).ref(text(NODE)).endCell())],
  ])('%s is malformed', (_, cell) => {
    expect(failureOf(() => parseBlockSignatures(cell))).toBe('malformed')
  })

  test('a candidate without end is refused', () => {
    let cell = text(NODE)
    for (let i = 0; i < 100; i++) cell = text(NODE, cell)
    expect(failureOf(() => parseBlockSignatures(simplex(cell)))).toBe('limit')
  })
})

describe('parseBlockProof', () => {
  const id = (prefix: bigint): Builder =>
    beginCell().uint(0xc3, 8).uint(0, 8).int(-1, 32).uint(prefix, 64).uint(7, 32).bytes(NODE).bytes(SESSION)
  const root = text(NODE)

  test('the id, the proof and the signatures', () => {
    const cell = id(0n).ref(root).maybeRef(head(0x11).endCell()).endCell()
    expect(parseBlockProof(cell)).toEqual({
      proof_for: { workchain: -1, shard: -(1n << 63n), seqno: 7, root_hash: NODE, file_hash: SESSION },
      root,
      signatures: { _: 'block_signatures_ordinary', ...common },
    })
    expect(parseBlockProof(id(0n).ref(root).maybeRef(null).endCell()).signatures).toBeNull()
  })

  test('a shard with bits behind its prefix, or more data, is malformed', () => {
    expect(failureOf(() => parseBlockProof(id(1n).ref(root).maybeRef(null).endCell()))).toBe('malformed')
    expect(failureOf(() => parseBlockProof(id(0n).ref(root).maybeRef(null).bit(true).endCell()))).toBe('malformed')
  })
})
