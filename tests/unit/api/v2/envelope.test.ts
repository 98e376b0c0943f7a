import { describe, expect, test } from 'bun:test'
import { echoedExtra, failureText, generatedExtra, NO_EXTRA, successText } from '../../../../src/api/v2/envelope.ts'

describe('an envelope', () => {
  test('has its keys in the order of the reference', () => {
    expect(successText('{"x":1}', '"e"')).toBe('{"ok":true,"result":{"x":1},"@extra":"e"}')
    expect(failureText(422, 'empty "address"', NO_EXTRA)).toBe(
      '{"ok":false,"error":"empty \\"address\\"","code":422,"@extra":"_"}',
    )
  })

  test('gives a JSON-RPC caller the id back, exactly', () => {
    const id = (sent: string | number | bigint | boolean | null) =>
      successText('1', '"e"', { id: sent }).split('"id":')[1]
    expect(successText('1', '"e"', {})).toBe('{"ok":true,"result":1,"@extra":"e","jsonrpc":"2.0"}')
    expect(id('a"b')).toBe('"a\\"b"}')
    expect(id(7)).toBe('7}')
    expect(id(2n ** 80n)).toBe(`${2n ** 80n}}`)
    expect(id(null)).toBe('null}')
    expect(id(Number.POSITIVE_INFINITY)).toBe('null}')
    expect(id(true)).toBe('true}')
  })
})

describe('@extra', () => {
  test('comes back as the text that was sent', () => {
    expect(echoedExtra('abc')).toBe('"abc"')
    expect(echoedExtra('')).toBe('""')
    expect(echoedExtra('a"\n')).toBe('"a\\"\\n"')
    expect(echoedExtra(7)).toBe('"7"')
    expect(echoedExtra(2n ** 70n)).toBe(`"${2n ** 70n}"`)
    expect(echoedExtra(true)).toBe('"true"')
    for (const sent of [undefined, null, {}, []]) expect(echoedExtra(sent)).toBeUndefined()
  })

  test('is made up where none was sent', () => {
    expect(generatedExtra(1_752_766_109_900, 12.48149, false)).toBe('"1752766109:_:12.481"')
    expect(generatedExtra(1_752_766_109_000, 0.05, true)).toBe('"1752766109:_:0.050:c"')
    expect(generatedExtra(1_752_766_109_000, 0, false)).toBe('"1752766109:_:0.000"')
    expect(generatedExtra(1_752_766_109_000, 0.0071, false)).toBe('"1752766109:_:0.007"')
    expect(generatedExtra(1_752_766_109_000, 9999.9996, false)).toBe('"1752766109:_:10000.000"')
  })
})
