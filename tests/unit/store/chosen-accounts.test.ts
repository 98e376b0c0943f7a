import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addKey, listKeys, openKeyStore } from '../../../src/store/api-keys.ts'
import {
  addChosen,
  type ChosenStore,
  chosenRevision,
  listChosen,
  openChosenStore,
  removeChosen,
} from '../../../src/store/chosen-accounts.ts'
import type { Address } from '../../../src/ton/address.ts'
import { failureOf } from '../../support/failure.ts'

let data: string
let store: ChosenStore
beforeEach(async () => {
  data = mkdtempSync(join(tmpdir(), 'tonlith-chosen-'))
  store = await openChosenStore(data)
})
afterEach(async () => {
  await store.close()
  rmSync(data, { recursive: true, force: true })
})

const account = (byte: number, workchain = 0): Address => ({ workchain, hash: Buffer.alloc(32, byte) })
const raw = (byte: number, workchain = 0): string => `${workchain}:${Buffer.alloc(32, byte).toString('hex')}`

test('nothing is chosen at first', () => {
  expect(chosenRevision(store)).toBe(0)
  expect(listChosen(store)).toEqual([])
})

test('accounts are added once, in the order of addresses, and stay as they were', () => {
  expect(addChosen(store, [account(2), account(1, -1), account(2)], 100)).toBe(2)
  expect(addChosen(store, [account(2), account(1)], 200)).toBe(1)
  expect(listChosen(store)).toEqual([
    { address: raw(1, -1), since: 100 },
    { address: raw(1), since: 200 },
    { address: raw(2), since: 100 },
  ])
})

test('the revision rises when the list changes and only then', () => {
  addChosen(store, [account(1)], 100)
  expect(chosenRevision(store)).toBe(1)
  addChosen(store, [account(1)], 200)
  addChosen(store, [], 200)
  expect(removeChosen(store, [])).toBe(0)
  expect(chosenRevision(store)).toBe(1)
  removeChosen(store, [account(1)])
  expect(chosenRevision(store)).toBe(2)
})

test('accounts are removed together or not at all', () => {
  addChosen(store, [account(1), account(2), account(3)], 100)
  expect(failureOf(() => removeChosen(store, [account(1), account(9)]))).toBe('notFound')
  expect(() => removeChosen(store, [account(9)])).toThrow(
    `${raw(9)} is not in the list; tonlith index accounts list tells what is`,
  )
  expect(listChosen(store)).toHaveLength(3)
  expect(chosenRevision(store)).toBe(1)
  expect(removeChosen(store, [account(1), account(3), account(1)])).toBe(2)
  expect(listChosen(store).map(({ address }) => address)).toEqual([raw(2)])
})

test('it is beside the API keys of the same folder, and stays', async () => {
  const keys = await openKeyStore(data)
  addKey(keys, 'secret', { name: 'shop', owner: 'shop', network: 'dev', plan: 'free', created: 1, revoked: null })
  addChosen(store, [account(1)], 100)
  await store.close()
  expect(listKeys(keys)).toHaveLength(1)
  await keys.close()
  store = await openChosenStore(data, true)
  expect(listChosen(store)).toEqual([{ address: raw(1), since: 100 }])
})
