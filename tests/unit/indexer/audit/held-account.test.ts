import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'
import { type HeldAccount, readHeldAccounts } from '../../../../src/indexer/audit/held-account.ts'
import { joinTraces } from '../../../../src/indexer/trace.ts'
import { noteScope } from '../../../../src/store/index-scope.ts'
import { allAccounts } from '../../../../src/store/queries/samples.ts'
import { writeBatch } from '../../../../src/store/write.ts'
import { writeEntities } from '../../../../src/store/write-entities.ts'
import { rawAddress } from '../../../../src/ton/address.ts'
import { account } from '../../../support/fake-contracts.ts'
import { recordedBatch } from '../../../support/recorded-batches.ts'
import { recordedChain } from '../../../support/recorded-chain.ts'
import { completedBatch } from '../../../support/recorded-index.ts'
import { type TemporaryIndex, temporaryIndex } from '../../../support/temporary-index.ts'

setDefaultTimeout(60_000)

const chain = recordedChain()
let temporary: TemporaryIndex
beforeEach(async () => {
  temporary = await temporaryIndex()
})
afterEach(() => temporary.remove())

const write = (seqno: number): void => {
  const { index } = temporary
  writeBatch(index, completedBatch(index, chain, recordedBatch(chain, seqno)), joinTraces)
}
const heldAccounts = (): HeldAccount[] => {
  const { index } = temporary
  return readHeldAccounts(index, [...allAccounts(index.tables)]) ?? []
}

test('nothing is held before the first block', () => {
  expect(readHeldAccounts(temporary.index, [])).toBeUndefined()
})

test('accounts stand at the newest block, also those that changed before', () => {
  for (const seqno of [20, 21]) write(seqno)
  const held = heldAccounts()
  expect(held.length).toBeGreaterThan(2)
  expect(new Set(held.map(({ seqno }) => seqno))).toEqual(new Set([21]))
  expect(new Set(held.map(({ account }) => account?.mc_seqno))).toEqual(new Set([20, 21]))
  expect(held.every(({ unfollowed }) => unfollowed === undefined)).toBe(true)
})

test('what changed last before a gap may have changed in it', () => {
  for (const seqno of [20, 30, 31]) write(seqno)
  const held = heldAccounts()
  const before = held.filter(({ account }) => account?.mc_seqno === 20)
  expect(before.length).toBeGreaterThan(0)
  for (const one of held) expect(one.unfollowed).toBe(before.includes(one) ? 'gap' : undefined)
})

test('an index of chosen accounts follows no others', () => {
  for (const seqno of [20, 21]) write(seqno)
  const [chosen] = heldAccounts()
  noteScope(temporary.index, [rawAddress(chosen!.address)])
  const followed = heldAccounts().filter(({ unfollowed }) => unfollowed === undefined)
  expect(followed.map(({ address }) => address)).toEqual([chosen!.address])
  expect(heldAccounts().filter(({ unfollowed }) => unfollowed === 'not_chosen').length).toBeGreaterThan(1)
})

test('a row without a state is held', () => {
  write(20)
  const { index } = temporary
  const [address, wallet] = [account(1), { _: 'jetton_wallet', balance: 1n } as const]
  const entity = { ...wallet, owner: account(2), jetton: account(3), mintless_is_claimed: null }
  const state = { last_transaction_lt: 1n, code_hash: null, data_hash: null }
  index.environment.transaction(() => writeEntities(index, [{ address, ...state, entities: [entity] }]))
  const found = heldAccounts().find((one) => rawAddress(one.address) === rawAddress(address))
  expect(found).toMatchObject({ account: undefined, seqno: 20, rows: [{ entity }] })
})
