import { expect, test } from 'bun:test'
import { crc32 } from 'node:zlib'
import type { Constructor } from '../../../../src/ton/tl/constructor.ts'
import { CONSTRUCTORS, FUNCTIONS } from '../../../../src/ton/tl/schema.ts'

const entries: [string, Constructor][] = [...Object.entries(CONSTRUCTORS), ...Object.entries(FUNCTIONS)]

/** The combinator's text whose CRC32 (IEEE) is its id, unless the id is explicit: no `;`, no brackets, single spaces. */
const canonicalText = (name: string, { fields, type }: Constructor): string =>
  [name, ...Object.entries(fields).map(([field, fieldType]) => `${field}:${fieldType}`), '=', type].join(' ')

test('an id is the CRC32 of the combinator, unless it is explicit', () => {
  const wrong = entries.filter(([name, entry]) => !entry.explicit && crc32(canonicalText(name, entry)) !== entry.id)
  expect(wrong.map(([name]) => name)).toEqual([])
})

test('three ids are explicit, and differ from the CRC32', () => {
  const explicit = entries.filter(([, entry]) => entry.explicit)
  expect(explicit.map(([name, { id }]) => `${name}#${id.toString(16).padStart(8, '0')}`)).toEqual([
    'liteServer.transactionId#b12f65af',
    'liteServer.signatureSet.ordinary#f644a6e6',
    'liteServer.getValidatorStats#091a58bc',
  ])
  expect(explicit.filter(([name, entry]) => crc32(canonicalText(name, entry)) === entry.id)).toEqual([])
})

test('no two ids and no two names are equal', () => {
  expect(new Set(entries.map(([, { id }]) => id)).size).toBe(entries.length)
  expect(new Set(entries.map(([name]) => name)).size).toBe(entries.length)
})

test('the text of a combinator has no brackets', () => {
  expect(canonicalText('liteServer.transactionList', CONSTRUCTORS['liteServer.transactionList'])).toBe(
    'liteServer.transactionList ids:vector tonNode.blockIdExt transactions:bytes = liteServer.TransactionList',
  )
})
