import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { jsonMembers } from '../../../src/common/json-members.ts'

const of = (text: string, maxDepth = 32) => [...(jsonMembers(text, maxDepth) ?? [])]

describe('members of a JSON object', () => {
  test('keep the text of their values, without white space between tokens', () => {
    expect(of(' { "a" : 1.10 , "b":[ 1e2 , -0, { "c" : " : , } " } ],"d":\n"\\u00e9\\"\\\\" ,"e":null} ')).toEqual([
      ['a', '1.10'],
      ['b', '[1e2,-0,{"c":" : , } "}]'],
      ['d', '"\\u00e9\\"\\\\"'],
      ['e', 'null'],
    ])
    expect(of('{}')).toEqual([])
  })

  test('keep every digit, and turn what no double reaches into text', () => {
    const long = '1'.repeat(400)
    expect(of(`{"a":12345678901234567890.12345678901234567890,"b":[1e400,-1E999,1e-999],"c":${long}}`)).toEqual([
      ['a', '12345678901234567890.12345678901234567890'],
      ['b', '["1e400","-1E999",1e-999]'],
      ['c', `"${long}"`],
    ])
  })

  test('have each name once, with the last value, whatever the name means elsewhere', () => {
    expect(of('{"__proto__":{"a":1},"a":1,"\\u0061":2,"":3,"constructor":4}')).toEqual([
      ['__proto__', '{"a":1}'],
      ['a', '2'],
      ['', '3'],
      ['constructor', '4'],
    ])
  })

  test('are none of other values, and of what nests too deeply', () => {
    for (const text of ['[]', 'null', '1', '"{}"']) expect(jsonMembers(text, 32)).toBeUndefined()
    expect(of('{"a":[[1]]}', 3)).toEqual([['a', '[[1]]']])
    expect(jsonMembers('{"a":[[1]]}', 2)).toBeUndefined()
    for (const text of ['', '{', '{"a":1,}', "{'a':1}", '{"a":"\n"}', '<html>', '{"a":NaN}', `${'{"a":'.repeat(5000)}`])
      expect(() => jsonMembers(text, 32)).toThrow()
  })

  test('together are the object, for any object', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 5 })),
        fc.constantFrom(undefined, 2),
        (value, space) => {
          const parsed = of(JSON.stringify(value, null, space)).map(([name, text]) => [name, JSON.parse(text)])
          expect(JSON.stringify(Object.fromEntries(parsed))).toBe(JSON.stringify(value))
        },
      ),
    )
  })
})
