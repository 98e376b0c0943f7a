import type { HeldAccount } from '../../src/indexer/audit/held-account.ts'
import type { LiveBlock } from '../../src/indexer/audit/live-block.ts'
import type { Account } from '../../src/model/account.ts'
import type { Entity } from '../../src/model/entities.ts'
import { NO_TRANSACTION } from '../../src/model/transaction-id.ts'
import { type Address, rawAddress } from '../../src/ton/address.ts'
import { beginCell } from '../../src/ton/builder.ts'
import { type FakeContract, fakeContracts } from './fake-contracts.ts'

/** Made-up accounts on both sides of a comparison. */

const CODE = beginCell().uint(1, 8).endCell()
const DATA = beginCell().uint(2, 8).endCell()

/** An active account of the network. */
export const liveAccount = (address: Address, changes: Partial<Account> = {}): Account => ({
  address,
  status: 'active',
  balance: 10n ** 9n,
  extra_currencies: [{ id: -1, amount: 5n }],
  last_transaction: { lt: 70n, hash: Buffer.alloc(32, 7) },
  code: CODE,
  data: DATA,
  frozen_hash: null,
  ...changes,
})

/** An account that does not exist. */
export const noAccount = (address: Address): Account =>
  liveAccount(address, {
    status: 'nonexist',
    balance: 0n,
    extra_currencies: [],
    last_transaction: NO_TRANSACTION,
    code: null,
    data: null,
  })

/** What an index at masterchain block 9 holds of an account that it has right: it changed last in block 5. */
export const heldAs = (live: Account, ...entities: Entity[]): HeldAccount => {
  const { address, status, balance, extra_currencies, last_transaction, code, data, frozen_hash } = live
  const [code_hash, data_hash] = [code?.hash() ?? null, data?.hash() ?? null]
  return {
    address,
    account: {
      address,
      mc_seqno: 5,
      state_hash: Buffer.alloc(32),
      status,
      balance,
      extra_currencies: extra_currencies.map(({ id, amount }) => [id >>> 0, amount]),
      last_transaction,
      frozen_hash,
      code_hash,
      data_hash,
    },
    rows: entities.map((entity) => ({
      address,
      last_transaction_lt: last_transaction.lt,
      code_hash,
      data_hash,
      entity,
    })),
    seqno: 9,
    unfollowed: undefined,
  }
}

/** A block of a network with these accounts and their get-methods. */
export const liveBlock = (
  accounts: readonly Account[],
  contracts: Readonly<Record<string, FakeContract>> = {},
): LiveBlock => {
  const known = new Map(accounts.map((account) => [rawAddress(account.address), account]))
  return {
    account: async (address) => known.get(rawAddress(address)) ?? noAccount(address),
    methods: fakeContracts(contracts),
  }
}
