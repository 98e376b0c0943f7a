import { expect, test } from 'bun:test'
import { type Constructor, parseScheme } from '../../../../src/contracts/tlb/syntax.ts'

test('a constructor has a name, a tag, fields and a type', () => {
  expect(parseScheme('// what it is\na#0f8a7ea5 x:uint8 = T; _ = T; b$10 = T;')).toEqual([
    {
      name: 'a',
      tagBits: 32,
      tag: 0x0f8a7ea5,
      fields: [{ kind: 'field', name: 'x', type: { kind: 'name', name: 'uint8', args: [] } }],
      type: 'T',
      args: [],
    },
    { name: '', tagBits: 0, tag: 0, fields: [], type: 'T', args: [] },
    { name: 'b', tagBits: 2, tag: 2, fields: [], type: 'T', args: [] },
  ])
})

test('types are applied, referred to, conditional or computed', () => {
  const [parsed] = parseScheme('t$_ {X:Type} {n:#} { n > 1 } a:(Maybe ^X) b:n.2?(uint (n * 8)) c:^[ d:# ] = T X n;')
  const name = (text: string, ...args: object[]) => ({ kind: 'name', name: text, args })
  expect(parsed!.fields).toEqual([
    { kind: 'parameter', name: 'X' },
    { kind: 'parameter', name: 'n' },
    {
      kind: 'constraint',
      test: { kind: 'operation', operator: '>', left: name('n'), right: { kind: 'number', value: 1 } },
    },
    { kind: 'field', name: 'a', type: name('Maybe', { kind: 'ref', of: name('X') }) },
    {
      kind: 'field',
      name: 'b',
      type: {
        kind: 'conditional',
        test: { kind: 'operation', operator: '.', left: name('n'), right: { kind: 'number', value: 2 } },
        of: name('uint', { kind: 'operation', operator: '*', left: name('n'), right: { kind: 'number', value: 8 } }),
      },
    },
    {
      kind: 'field',
      name: 'c',
      type: { kind: 'ref', of: { kind: 'record', fields: [{ kind: 'field', name: 'd', type: name('uint32') }] } },
    },
  ] as Constructor['fields'])
  expect(parsed!.args).toEqual([name('X'), name('n')] as Constructor['args'])
})

test.each([
  ['a tag must be written out', 'a x:uint8 = T;'],
  ['an end is missing', 'a#01 x:uint8 = T'],
  ['a type is missing', 'a#01 x: = T;'],
  ['a bracket is open', 'a#01 x:(uint 8 = T;'],
  ['a sign that is none', 'a#01 x:uint8 @ = T;'],
])('%s', (_, text) => {
  expect(() => parseScheme(text)).toThrow(SyntaxError)
})
