import { expect, test } from 'bun:test'
import { compileSchemes } from '../../../../src/contracts/tlb/compile.ts'
import { parseScheme } from '../../../../src/contracts/tlb/syntax.ts'
import { createBudget, type Value } from '../../../../src/contracts/tlb/values.ts'
import { type Builder, beginCell } from '../../../../src/ton/builder.ts'
import { beginParse } from '../../../../src/ton/slice.ts'
import { failureOf } from '../../../support/failure.ts'

const BASE = `
  no$0 {X:Type} = Maybe X;
  yes$1 {X:Type} value:X = Maybe X;
  var_uint$_ {n:#} len:(#< n) value:(uint (len * 8)) = VarUInteger n;
`
const compiled = (text: string) => compileSchemes(parseScheme(BASE + text), () => ({}))

/** What the first constructor of T reads of what `build` writes; undefined where it does not fit or leaves something. */
const read = (text: string, build: (builder: Builder) => Builder): Value => {
  const [first] = compiled(text).constructors('T')
  const slice = beginParse(build(beginCell()).endCell())
  if (slice.preloadUint(first!.tagBits) !== first!.tag) return undefined
  const value = first!.read(slice.skip(first!.tagBits), createBudget())
  slice.expectEnd()
  return value
}

test('integers, booleans and runs of bits', () => {
  const text = 't#a a:uint5 b:int7 c:(## 9) d:# e:(#<= 5) f:(#< 8) g:Bool h:bits12 i:uint256 = T;'
  const value = read(text, (b) =>
    b
      .uint(0xa, 4)
      .uint(31, 5)
      .int(-3, 7)
      .uint(300, 9)
      .uint(7, 32)
      .uint(5, 3)
      .uint(7, 3)
      .bit(true)
      .uint(0xabc, 12)
      .uint((1n << 256n) - 1n, 256),
  )
  expect(value).toEqual({
    '@type': 't',
    a: 31n,
    b: -3n,
    c: 300n,
    d: 7n,
    e: 5n,
    f: 7n,
    g: true,
    h: { bytes: Buffer.from('abc0', 'hex'), length: 12 },
    i: (1n << 256n) - 1n,
  })
  expect(failureOf(() => read(text, (b) => b.uint(0xa, 4).uint(0, 53).uint(6, 3)))).toBe('malformed')
})

test('parameterised types are read for what they are applied to', () => {
  const text = 't$_ a:(Maybe (VarUInteger 16)) b:(Maybe (Maybe uint3)) c:(Maybe ^Cell) = T;'
  const leaf = beginCell().uint(1, 1).endCell()
  expect(read(text, (b) => b.bit(true).coins(300n).bit(true).bit(false).bit(true).ref(leaf))).toEqual({
    '@type': 't',
    a: { '@type': 'yes', value: { '@type': 'var_uint', len: 2n, value: 300n } },
    b: { '@type': 'yes', value: { '@type': 'no' } },
    c: { '@type': 'yes', value: leaf },
  })
})

test('conditional fields, constraints and records in line or in a reference', () => {
  const text = `t$_ flags:uint2 { flags <= 2 } a:flags.0?uint8 b:flags.1?uint8 in_line:[ _:uint4 ] ^[ far:uint8 ] = T;`
  const far = beginCell().uint(9, 8).endCell()
  expect(read(text, (b) => b.uint(2, 2).uint(5, 8).uint(1, 4).ref(far))).toEqual({
    '@type': 't',
    flags: 2n,
    b: 5n,
    in_line: { '': 1n },
    '': { far: 9n },
  })
  expect(failureOf(() => read(text, (b) => b.uint(3, 2).uint(5, 20).ref(far)))).toBe('malformed')
})

test('of several constructors the first one that fits counts', () => {
  const text = `
    t$_ body:X = T;
    long#01 a:uint32 b:^Cell = X;
    short#01 a:uint8 = X;
    other#02 = X;
    _ rest:Cell = X;
  `
  expect(read(text, (b) => b.uint(1, 8).uint(7, 8))).toEqual({ '@type': 't', body: { '@type': 'short', a: 7n } })
  expect(read(text, (b) => b.uint(2, 8))).toEqual({ '@type': 't', body: { '@type': 'other' } })
  const rest = beginCell().uint(0x3ff, 16).endCell()
  expect(read(text, (b) => b.uint(0x3ff, 16))).toEqual({ '@type': 't', body: { rest } })
})

test('types can hold themselves; a reference must be read to its end', () => {
  const text = `
    t$_ list:List = T;
    nil$0 = List;
    cons$1 head:uint8 tail:^List = List;
  `
  const nil = beginCell().bit(false).endCell()
  const one = beginCell().bit(true).uint(1, 8).ref(nil).endCell()
  expect(read(text, (b) => b.bit(true).uint(2, 8).ref(one))).toEqual({
    '@type': 't',
    list: {
      '@type': 'cons',
      head: 2n,
      tail: { '@type': 'cons', head: 1n, tail: { '@type': 'nil' } },
    },
  })
  const long = beginCell().uint(0, 2).endCell()
  expect(failureOf(() => read(text, (b) => b.bit(true).uint(2, 8).ref(long)))).toBe('malformed')
})

test('lists without an end and trees that share their branches are given up', () => {
  const text = `
    t$_ list:List = T;
    leaf$0 = List;
    both$1 left:^List right:^List = List;
  `
  let tree = beginCell().bit(false).endCell()
  for (let i = 0; i < 60; i++) {
    tree = beginCell().bit(true).ref(tree).ref(tree).endCell()
  }
  expect(failureOf(() => read(text, (b) => b.bit(true).ref(tree).ref(tree)))).toBe('malformed')
  let chain = beginCell().bit(false).endCell()
  for (let i = 0; i < 900; i++) {
    chain = beginCell().bit(true).ref(chain).ref(beginCell().bit(false).endCell()).endCell()
  }
  expect(failureOf(() => read(text, (b) => b.bit(true).ref(chain).ref(chain)))).toBe('malformed')
})

test('a dictionary is told as its entries in the order of their keys', () => {
  const value = read('t$_ d:(HashmapE 8 uint8) = T;', (b) => {
    const leaf = beginCell().uint(0b10, 2).uint(8, 4).uint(200, 8).uint(7, 8).endCell()
    return b.bit(true).ref(leaf)
  })
  expect(value).toEqual({
    '@type': 't',
    d: { '@type': 'hashmap_root', entries: [{ key: { bytes: Buffer.of(200), length: 8 }, value: 7n }] },
  })
  expect(read('t$_ d:(HashmapE 8 uint8) = T;', (b) => b.bit(false))).toEqual({
    '@type': 't',
    d: { '@type': 'hashmap_empty' },
  })
})

test('a type that nothing defines is found when all is made ready', () => {
  expect(() => compiled('t$_ a:uint8 b:^Missing = T; u$_ a:(Maybe T) = U;').prepare()).not.toThrow()
  expect(() => compiled('t$_ a:uint8 b:^Missing = T;').constructors('T')).not.toThrow()
  const schemes = compiled('t$_ a:uint8 b:^Missing = T;')
  schemes.constructors('T')
  expect(() => schemes.prepare()).toThrow('nothing defines Missing')
})
