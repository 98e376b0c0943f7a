import { expect, test } from 'bun:test'
import { libraryAccount } from '../../../../src/devnet/fork/library-account.ts'
import { beginCell } from '../../../../src/ton/builder.ts'
import { beginParse } from '../../../../src/ton/slice.ts'
import { loadShardAccount, parseAccount } from '../../../../src/ton/tlb/account.ts'
import { stateInitCell } from '../../../../src/ton/tlb/state-init.ts'

test('a library is published by an account whose address is that of its state', () => {
  const library = beginCell().uint(7, 32).endCell()
  const { address, account } = libraryAccount(library, 1_900_000_000)
  const parsed = parseAccount(loadShardAccount(beginParse(account)).account)
  if (parsed._ !== 'account' || parsed.storage.state._ !== 'account_active') throw new Error('not active')
  const { _, ...init } = parsed.storage.state
  expect(address).toEqual({ workchain: -1, hash: stateInitCell(init).hash() })
  expect([init.code, init.data]).toEqual([null, null])
  expect(libraryAccount(library, 5).address).toEqual(address)
})
