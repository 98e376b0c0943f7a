import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { isTonlithError } from '../../src/common/errors.ts'
import { decode, decodeCall, encode } from '../../src/ton/tl/codec.ts'
import type { Constructor } from '../../src/ton/tl/constructor.ts'
import { decodeAnswer, decodeMessage, decodeRequest, unwrapQuery } from '../../src/ton/tl/lite-api.ts'
import { type BoxedName, CONSTRUCTORS, FUNCTIONS, type LiteServerMethod } from '../../src/ton/tl/schema.ts'

type Plain = Record<string, unknown>
const constructors: Record<string, Constructor> = CONSTRUCTORS
const functions: Record<string, Constructor> = FUNCTIONS

const bytesOf = (minLength: number, maxLength: number) =>
  fc.uint8Array({ minLength, maxLength }).map((bytes) => Buffer.from(bytes))
const scalars: Record<string, fc.Arbitrary<unknown>> = {
  int: fc.integer(),
  '#': fc.nat(),
  long: fc.bigInt({ min: -(1n << 63n), max: (1n << 63n) - 1n }),
  int128: bytesOf(16, 16),
  int256: bytesOf(32, 32),
  bytes: bytesOf(0, 600),
  string: fc.string({ unit: 'binary' }),
  Bool: fc.boolean(),
}

const arbitraryOf = (type: string): fc.Arbitrary<unknown> => {
  if (scalars[type]) return scalars[type]
  if (type.startsWith('vector ')) return fc.array(arbitraryOf(type.slice(7)), { maxLength: 4 })
  if (constructors[type]) return fieldsOf(constructors[type])
  const names = Object.keys(constructors).filter((name) => constructors[name]!.type === type)
  return fc.oneof(...names.map((name) => taggedOf(name, constructors[name]!)))
}
const fieldsOf = ({ fields }: Constructor): fc.Arbitrary<Plain> =>
  fc
    .record(
      Object.fromEntries(
        Object.entries(fields).map(([name, type]) => {
          const inner = type.replace(/^mode\.\d+\?/, '')
          return [name, inner === 'true' ? fc.constant(true) : arbitraryOf(inner)]
        }),
      ),
    )
    .map((value) => {
      const absent = Object.entries(fields).filter(([, type]) => {
        const bit = /^mode\.(\d+)\?/.exec(type)?.[1]
        return bit !== undefined && ((Number(value['mode']) >>> Number(bit)) & 1) === 0
      })
      return Object.fromEntries(Object.entries(value).filter(([name]) => !absent.some(([each]) => each === name)))
    })
const taggedOf = (name: string, entry: Constructor): fc.Arbitrary<Plain> =>
  fieldsOf(entry).map((fields) => ({ _: name, ...fields }))

test('every constructor comes back as it was written', () => {
  for (const [name, entry] of Object.entries(constructors))
    fc.assert(
      fc.property(taggedOf(name, entry), (value) => {
        const bytes = encode(value as Parameters<typeof encode>[0])
        expect(decode(entry.type as BoxedName, bytes) as unknown).toEqual(value)
      }),
      { numRuns: 25 },
    )
})

test('every function comes back as it was written', () => {
  for (const [name, entry] of Object.entries(functions))
    fc.assert(
      fc.property(taggedOf(name, entry), (value) => {
        const bytes = encode(value as Parameters<typeof encode>[0])
        expect(decodeCall(bytes) as unknown).toEqual(value)
      }),
      { numRuns: 25 },
    )
})

const onlyMalformed = (run: () => unknown): void => {
  try {
    run()
  } catch (error) {
    if (!isTonlithError(error, 'malformed') && !isTonlithError(error, 'liteserver')) throw error
  }
}

test('damaged bytes are refused, nothing else', () => {
  const methods = Object.entries(functions).filter(([, { type }]) => type.startsWith('liteServer'))
  for (const [method, { type }] of methods)
    fc.assert(
      fc.property(arbitraryOf(type), fc.nat(), fc.nat(255), fc.nat(), (value, at, byte, cut) => {
        const bytes = Buffer.from(encode(value as Parameters<typeof encode>[0]))
        bytes[at % bytes.length] = byte
        onlyMalformed(() => decodeAnswer(method as LiteServerMethod, bytes))
        onlyMalformed(() => decodeAnswer(method as LiteServerMethod, bytes.subarray(0, cut % bytes.length)))
      }),
      { numRuns: 20 },
    )
})

test('random bytes are refused, nothing else', () => {
  const ids = Object.values({ ...constructors, ...functions }).map(({ id }) => id)
  const started = fc.tuple(fc.constantFrom(...ids), bytesOf(0, 300)).map(([id, rest]) => {
    const head = Buffer.alloc(4)
    head.writeUInt32LE(id)
    return Buffer.concat([head, rest])
  })
  fc.assert(
    fc.property(fc.oneof(bytesOf(0, 100), started), (bytes) => {
      onlyMalformed(() => decodeCall(bytes))
      onlyMalformed(() => decodeMessage(bytes))
      onlyMalformed(() => decodeRequest(bytes))
      expect(() => unwrapQuery(bytes)).not.toThrow()
    }),
    { numRuns: 2000 },
  )
})
