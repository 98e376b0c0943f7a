import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Param } from '../../../../src/api/v2/param.ts'
import * as kinds from '../../../../src/api/v2/param.ts'
import type { Json } from '../../../../src/common/lossless-json.ts'
import { rawAddress } from '../../../../src/ton/address.ts'

/** The value that a parameter called `x` gets from what was sent, or the text with which it is refused. */
const take = <T>(param: Param<T>, sent: Json | undefined, name = 'x'): T | string => {
  try {
    const value = param.read(sent, name)
    param.check?.(value, name)
    return value
  } catch (error) {
    return `refused: ${(error as Error).message}`
  }
}

const RAW = '0:83dfd552e63729b472fcbcc8c45ebcc6691702558b68ec7527e1ba403a0f31a8'
const FRIENDLY = 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N'

describe('int32', () => {
  const seqno = kinds.int32({ optional: true, positive: true })

  test('takes decimal text and JSON integers alike', () => {
    for (const sent of ['5', '+5', '005', 5, 5.0]) expect(take(seqno, sent)).toBe(5)
    expect(take(kinds.int32({}), '-2147483648')).toBe(-2147483648)
  })

  test('may be left out where it is optional, null counting as left out', () => {
    for (const sent of [undefined, null]) expect(take(seqno, sent)).toBeUndefined()
  })

  test('refuses everything else', () => {
    const wrong = ['', ' 5', '5 ', '0x5', '1e3', '5.0', 'abc', '2147483648', '-2147483649', '9'.repeat(90)]
    for (const sent of [...wrong, 5.5, 1e300, 2n ** 40n, true, [], {}, [5]])
      expect(take(seqno, sent, 'seqno')).toBe('refused: failed to parse seqno')
  })

  test('names the bound that is broken', () => {
    for (const sent of ['0', -5]) expect(take(seqno, sent, 'seqno')).toBe('refused: seqno should be positive')
    const ttl = kinds.int32({ nonNegative: true })
    expect(take(ttl, '-1', 'ttl')).toBe('refused: ttl should be non-negative')
    expect(take(ttl, '0')).toBe(0)
  })

  test('says what is missing', () => {
    expect(take(kinds.int32({}), undefined, 'workchain')).toBe('refused: failed to parse workchain')
    const required = kinds.int32({ positive: true, missing: 'seqno should be positive' })
    expect(take(required, undefined, 'seqno')).toBe('refused: seqno should be positive')
  })

  test('gives its default', () => expect(take(kinds.int32({ default: 7 }), undefined)).toBe(7))
})

describe('int64', () => {
  const lt = kinds.int64({ optional: true, nonNegative: true })

  test('keeps every digit of text and of JSON integers', () => {
    for (const sent of ['9223372036854775807', 9223372036854775807n]) expect(take(lt, sent)).toBe(9223372036854775807n)
    expect(take(lt, 53912345000000001n)).toBe(53912345000000001n)
    expect(take(lt, 7)).toBe(7n)
  })

  test('refuses what does not fit', () => {
    for (const sent of ['9223372036854775808', 2n ** 63n, 2 ** 60, '', '1e3'])
      expect(take(lt, sent, 'lt')).toBe('refused: failed to parse lt')
    expect(take(lt, '-1', 'lt')).toBe('refused: lt should be non-negative')
  })
})

describe('a shard', () => {
  test('is a signed decimal', () => {
    for (const sent of ['-9223372036854775808', -9223372036854775808n])
      expect(take(kinds.shard(), sent)).toBe(-(2n ** 63n))
  })

  test('is neither hex nor unsigned', () => {
    for (const sent of ['a000000000000000', '0x8000000000000000', '9223372036854775808', ''])
      expect(take(kinds.shard(), sent, 'shard')).toBe('refused: failed to parse shard')
  })
})

describe('a count', () => {
  const limit = kinds.count({ default: 10, max: 1000 })

  test('has a default and bounds', () => {
    expect(take(limit, undefined)).toBe(10)
    expect(take(limit, '1000')).toBe(1000)
    expect(take(limit, 0, 'limit')).toBe('refused: limit should be positive')
    expect(take(limit, '1001', 'limit')).toBe('refused: limit should be less or equal 1000')
    expect(take(limit, '9223372036854775807', 'limit')).toBe('refused: limit should be less or equal 1000')
    expect(take(limit, '1e3', 'limit')).toBe('refused: failed to parse limit')
  })
})

describe('an address', () => {
  const address = kinds.address({})

  test('is read from every form', () => {
    for (const sent of [RAW, FRIENDLY]) {
      const value = take(address, sent)
      expect(typeof value === 'string' ? value : rawAddress(value)).toBe(RAW)
    }
  })

  test('is refused in the words of spec.md', () => {
    for (const sent of [undefined, null, '']) expect(take(address, sent)).toBe('refused: empty address')
    for (const sent of ['EQabc', 5, {}, [RAW]]) expect(take(address, sent)).toBe('refused: failed to parse address')
    const source = kinds.address({ label: 'source address' })
    expect(take(source, '')).toBe('refused: empty source address')
    expect(take(kinds.address({ optional: true }), '')).toBeUndefined()
  })

  test('has one key for all spellings, unless the answer shows the form', () => {
    const key = (param: Param<ReturnType<typeof address.read>>, sent: string) => param.key(param.read(sent, 'x'))
    expect(key(address, FRIENDLY)).toBe(key(address, RAW))
    const shown = kinds.address({ keepsForm: true })
    const spellings = [RAW, FRIENDLY, 'UQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqEBI']
    expect(new Set(spellings.map((sent) => key(shown, sent))).size).toBe(3)
    expect(
      key(
        shown,
        RAW.replace(/[a-f]/g, (digit) => digit.toUpperCase()),
      ),
    ).toBe(key(shown, RAW))
  })
})

describe('a hash', () => {
  test('counts as left out when empty, where it is optional', () => {
    expect(take(kinds.hash({ optional: true }), '')).toBeUndefined()
    expect(take(kinds.hash({}), '', 'hash')).toBe('refused: empty hash')
    expect(take(kinds.hash({}), undefined, 'hash')).toBe('refused: empty hash')
    expect(take(kinds.hash({ optional: true }), 'zz', 'root_hash')).toBe('refused: failed to parse root_hash')
    expect(take(kinds.hash({}), 5, 'hash')).toBe('refused: failed to parse hash')
  })

  test('has one key for all spellings', () => {
    const hash = kinds.hash({})
    const bytes = Buffer.alloc(32, 0xfb)
    const forms = [bytes.toString('hex'), bytes.toString('base64'), bytes.toString('base64url')]
    expect(new Set(forms.map((form) => hash.key(hash.read(form, 'x')))).size).toBe(1)
  })
})

test('after_hash takes every form of an address and of a hash, dropping the workchain', () => {
  const id = RAW.slice(2)
  const forms = [RAW, `-1:${id}`, FRIENDLY, id, Buffer.from(id, 'hex').toString('base64')]
  for (const form of forms) {
    const value = take(kinds.afterHash({ optional: true }), form)
    expect(Buffer.isBuffer(value) ? value.toString('hex') : value).toBe(id)
  }
  expect(take(kinds.afterHash({ optional: true }), 'junk', 'after_hash')).toBe('refused: failed to parse after_hash')
})

describe('bytes', () => {
  const boc = kinds.bytes({})

  test('are padded base64 of the standard alphabet', () => {
    expect(take(boc, 'AAEC+/8=')).toEqual(Buffer.from([0, 1, 2, 0xfb, 0xff]))
    for (const sent of ['AAEC-_8=', 'AAE', 'AA E', 'A===', '=AAA', 5])
      expect(take(boc, sent, 'boc')).toBe('refused: failed to parse boc')
    expect(take(boc, '', 'boc')).toBe('refused: empty boc')
  })

  test('of a megabyte are read in no time', () => {
    const start = performance.now()
    expect((take(boc, 'AAAA'.repeat(262_144)) as Buffer).length).toBe(786_432)
    expect(take(boc, `${'AAAA'.repeat(262_144)}AAA!`, 'boc')).toBe('refused: failed to parse boc')
    expect(performance.now() - start).toBeLessThan(1000)
  })
})

describe('a yes or no', () => {
  test('has the spellings of contracts/v2.md 2.5', () => {
    for (const sent of ['y', 'yes', 'T', 'TRUE', 'on', '1', true, 1, -1, 2n ** 60n])
      expect(take(kinds.bool(), sent)).toBe(true)
    for (const sent of ['n', 'No', 'f', 'false', 'off', '0', false, 0]) expect(take(kinds.bool(), sent)).toBe(false)
    for (const sent of ['', undefined, null]) expect(take(kinds.bool(), sent)).toBeUndefined()
    for (const sent of ['2', 'maybe', 1.5, []])
      expect(take(kinds.bool(), sent, 'archival')).toBe('refused: failed to parse archival')
  })
})

test('no value makes a kind throw anything but a refusal', () => {
  const all: Param<unknown>[] = [
    kinds.int32({}),
    kinds.int64({}),
    kinds.shard(),
    kinds.count({ default: 1, max: 5 }),
    kinds.address({}),
    kinds.hash({}),
    kinds.afterHash({}),
    kinds.bytes({}),
    kinds.bool(),
  ]
  const json = fc.oneof(
    fc.jsonValue().map((value) => value as Json),
    fc.bigInt(),
    fc.string({ unit: 'binary' }),
    fc.double(),
  )
  fc.assert(
    fc.property(json, fc.constantFrom(...all), (sent, param) => {
      const taken = take(param, sent)
      if (typeof taken === 'string') expect(taken).toMatch(/^refused: (failed to parse|empty|x should be) /)
      else expect(typeof param.key(taken)).toBe('string')
    }),
    { numRuns: 1000 },
  )
})

describe('hashes', () => {
  const libraries = kinds.hashes({ max: 2, description: '' })
  const [a, b, c] = ['aa', 'bb', 'cc'].map((digits) => digits.repeat(32)) as [string, string, string]
  const buffers = (...texts: string[]) => texts.map((text) => Buffer.from(text, 'hex'))

  test('are read from any form, each once', () => {
    const base64 = Buffer.from(a, 'hex').toString('base64')
    expect(take(libraries, [a, base64, a.toUpperCase(), b])).toEqual(buffers(a, b))
    expect(take(libraries, a)).toEqual(buffers(a))
  })

  test('may be left out, as a whole or one by one', () => {
    for (const sent of [undefined, null, [], '', ['']]) expect(take(libraries, sent)).toEqual([])
    expect(take(libraries, ['', b])).toEqual(buffers(b))
  })

  test('are refused with all others when one is none', () => {
    const wrong: Json[] = ['zz', [a, 'zz'], [5], [null], {}, true, [[a, 5]]]
    for (const sent of wrong) expect(take(libraries, sent, 'libraries')).toBe('refused: failed to parse libraries')
  })

  test('are not more than allowed', () =>
    expect(take(libraries, [a, b, c], 'libraries')).toBe('refused: too many libraries requested, 2 maximum'))

  test('are the same question in any order', () => {
    expect(libraries.key(buffers(a, b))).toBe(libraries.key(buffers(b, a)))
    expect(libraries.key(buffers(a))).not.toBe(libraries.key(buffers(b)))
  })
})
