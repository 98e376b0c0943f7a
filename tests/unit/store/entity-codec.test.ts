import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { isTonlithError, TonlithError } from '../../../src/common/errors.ts'
import { addressIdOf } from '../../../src/store/addresses.ts'
import { decodeEntity, ENTITY_KINDS, encodeEntity } from '../../../src/store/entity-codec.ts'
import type { Address } from '../../../src/ton/address.ts'
import { someDetected } from '../../support/entity-arbitrary.ts'

/** Interned addresses without a store. */
const memoryIds = () => {
  const known: (Address | null)[] = [null]
  const nameOf = (address: Address | null): string =>
    address ? `${address.workchain}:${address.hash.toString('hex')}` : ''
  const find = (address: Address | null): number | undefined => {
    const id = known.findIndex((one) => nameOf(one) === nameOf(address))
    return id < 0 ? undefined : id
  }
  return {
    find,
    intern: (address: Address | null): number => find(address) ?? known.push(address) - 1,
    of: (id: number): Address => {
      const address = known[id]
      if (!address) throw new TonlithError('malformed', 'no address has this id')
      return address
    },
  }
}

test('rows are read as they were written, to the last bit', () => {
  fc.assert(
    fc.property(someDetected, ({ address: _, entities, ...state }) => {
      const ids = memoryIds()
      for (const entity of entities) {
        const bytes = encodeEntity({ ...state, entity }, ids)
        expect(decodeEntity(entity._, bytes, ids)).toEqual({ ...state, entity })
        expect(encodeEntity(decodeEntity(entity._, bytes, ids), ids)).toEqual(bytes)
      }
    }),
    { numRuns: 300 },
  )
})

const kindOf = (error: unknown): string | undefined => (isTonlithError(error) ? error.kind : undefined)

test('a row that is cut, longer or changed is read as another one, or malformed', () => {
  fc.assert(
    fc.property(someDetected, fc.nat(), fc.nat(255), ({ address: _, entities, ...state }, at, byte) => {
      const ids = memoryIds()
      for (const entity of entities) {
        const bytes = encodeEntity({ ...state, entity }, ids)
        const cut = bytes.subarray(0, at % bytes.length)
        const long = Buffer.concat([bytes, Buffer.of(byte)])
        for (const broken of [cut, long]) expect(() => decodeEntity(entity._, broken, ids)).toThrow(TonlithError)
        const changed = Buffer.from(bytes)
        changed[at % bytes.length] = byte
        try {
          decodeEntity(entity._, changed, ids)
        } catch (error) {
          expect(kindOf(error)).toBe('malformed')
        }
      }
    }),
    { numRuns: 300 },
  )
})

test('random bytes end as malformed or as a row, whatever they promise', () => {
  fc.assert(
    fc.property(fc.constantFrom(...ENTITY_KINDS), fc.uint8Array({ maxLength: 200 }), (kind, bytes) => {
      try {
        decodeEntity(kind, Buffer.from(bytes), memoryIds())
      } catch (error) {
        expect(kindOf(error)).toBe('malformed')
      }
    }),
    { numRuns: 2_000 },
  )
})

test('an address that a row names has an id', () => {
  const ids = memoryIds()
  const address = { workchain: 0, hash: Buffer.alloc(32, 7) }
  expect(() => addressIdOf(ids)(address)).toThrow('without an id')
  const id = ids.intern(address)
  expect(addressIdOf(ids)(address)).toBe(id)
})
