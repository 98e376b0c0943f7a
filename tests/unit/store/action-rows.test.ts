import { expect, test } from 'bun:test'
import { decodeActions, encodeActions } from '../../../src/store/action-rows.ts'
import { typeNumber } from '../../../src/store/action-types.ts'

const ID = Buffer.alloc(8, 1)

test('a row of actions is read as it was written, however large', () => {
  const accounts = Array.from({ length: 3000 }, (_, i) => 1_000_000 + i)
  const row = {
    listed: accounts.slice(0, 1000),
    actions: Array.from({ length: 3000 }, (_, i) => ({
      id: Buffer.alloc(8, i),
      type: typeNumber(i % 2 ? 'jetton_swap' : 'ton_transfer'),
      ancestors: i % 3 ? [] : [typeNumber('nft_purchase'), typeNumber('dns_purchase')],
      transactions: i % 5 ? [i, i + 1] : [],
      accounts: [accounts[i]!],
    })),
  }
  expect(decodeActions(encodeActions(row))).toEqual(row)
})

test('an action of two accounts that have its transactions takes few bytes', () => {
  const action = { id: ID, type: typeNumber('ton_transfer'), ancestors: [], transactions: [0, 1], accounts: [] }
  expect(encodeActions({ listed: [], actions: [action] })).toHaveLength(16)
})

test('a row that is cut short is none', () => {
  const action = { id: ID, type: typeNumber('unknown'), ancestors: [], transactions: [0], accounts: [7] }
  const bytes = encodeActions({ listed: [7], actions: [action] })
  for (let size = 0; size < bytes.length; size++)
    expect(() => decodeActions(bytes.subarray(0, size))).toThrow('a row of actions is cut short')
})
