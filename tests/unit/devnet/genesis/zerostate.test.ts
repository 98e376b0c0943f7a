import { describe, expect, test } from 'bun:test'
import { hash } from 'node:crypto'
import { embeddedRecording } from '../../../../src/devnet/archive.ts'
import { newShardAccount } from '../../../../src/devnet/genesis/account-cell.ts'
import { CONFIG_ADDRESS } from '../../../../src/devnet/genesis/config.ts'
import { createGenesis, FAUCET_BALANCE, WALLET_BALANCE } from '../../../../src/devnet/genesis/genesis.ts'
import { GLOBAL_ID } from '../../../../src/devnet/genesis/global-id.ts'
import { MASTERCHAIN_WALLET } from '../../../../src/devnet/genesis/wallets.ts'
import { basechainZerostate, masterchainZerostate } from '../../../../src/devnet/genesis/zerostate.ts'
import { MASTERCHAIN, SHARD_ALL } from '../../../../src/ton/block-id.ts'
import { parseBocRoot } from '../../../../src/ton/boc.ts'
import { beginCell } from '../../../../src/ton/builder.ts'
import type { Cell } from '../../../../src/ton/cell.ts'
import { parseAccount } from '../../../../src/ton/tlb/account.ts'
import { configParam } from '../../../../src/ton/tlb/config-params.ts'
import { parseMcStateExtra } from '../../../../src/ton/tlb/mc-state-extra.ts'
import {
  parseShardAccounts,
  parseShardState,
  parseShardStateUnsplit,
  shardAccounts,
} from '../../../../src/ton/tlb/shard-state.ts'
import { workchains } from '../../../../src/ton/tlb/workchain-descr.ts'

const recorded = embeddedRecording().zerostates
const recordedMc = recorded.find(({ id }) => id.workchain === MASTERCHAIN)!
const recordedBase = recorded.find(({ id }) => id.workchain === 0)!

const importsOf = (state: Cell, workchain: number) =>
  [...shardAccounts(parseShardStateUnsplit(state).accounts)].map(
    ([id, { account, last_trans_hash, last_trans_lt }]) => ({
      address: { workchain, hash: id },
      account: beginCell().ref(account).bytes(last_trans_hash).uint(last_trans_lt, 64).endCell(),
    }),
  )

describe('a zerostate that a node has started from', () => {
  const root = parseBocRoot(recordedMc.data)
  const { gen_utime, global_id, custom } = parseShardStateUnsplit(root)

  test('of the masterchain is made again from its accounts and its configuration, byte for byte', () => {
    const accounts = importsOf(root, MASTERCHAIN)
    expect(accounts.length).toBe(4)
    const { config } = parseMcStateExtra(custom!).config
    const made = masterchainZerostate({ global_id, gen_utime, accounts }, config, { grams: 0n, other: null })
    expect(made.id).toEqual(recordedMc.id)
    expect(made.data.equals(recordedMc.data)).toBe(true)
  })

  test('of the basechain is made again, byte for byte', () => {
    const made = basechainZerostate({ global_id, gen_utime, accounts: [] })
    expect(made.id.root_hash).toEqual(recordedBase.id.root_hash)
    expect(made.data.equals(recordedBase.data)).toBe(true)
  })

  test('has accounts that are made again from balance and state alone', () => {
    for (const { address, account } of importsOf(root, MASTERCHAIN)) {
      const parsed = parseAccount(account.ref(0))
      if (parsed._ !== 'account') throw new Error('no account')
      const { balance, state } = parsed.storage
      const made = newShardAccount({ address, balance, state, last_paid: parsed.storage_stat.last_paid })
      expect(made.hash()).toEqual(account.hash())
    }
  })
})

describe('the zerostates of a new network', () => {
  const options = { gen_utime: 1_800_000_000, shards: 2 } as const
  const genesis = createGenesis(options)

  test('are the same for the same options', () => {
    const again = createGenesis(options)
    expect(again.masterchain.id).toEqual(genesis.masterchain.id)
    expect(again.basechain.id).toEqual(genesis.basechain.id)
    expect(createGenesis({ ...options, gen_utime: 1_800_000_001 }).masterchain.id).not.toEqual(genesis.masterchain.id)
    expect(createGenesis({ ...options, shards: 4 }).masterchain.id).not.toEqual(genesis.masterchain.id)
    expect(createGenesis({ ...options, shards: 4 }).basechain.id).toEqual(genesis.basechain.id)
  })

  test('carry their own hashes', () => {
    for (const [workchain, { id, data, root }] of [
      [MASTERCHAIN, genesis.masterchain],
      [0, genesis.basechain],
    ] as const) {
      expect(parseBocRoot(data).hash()).toEqual(root.hash())
      const file_hash = hash('sha256', data, 'buffer')
      expect(id).toEqual({ workchain, shard: SHARD_ALL, seqno: 0, root_hash: root.hash(), file_hash })
      const { gen_utime } = options
      expect(parseShardState(root)).toMatchObject({ _: 'shard_state', global_id: GLOBAL_ID, gen_utime })
    }
  })

  test('are tied together by parameter 12', () => {
    const all = [...workchains(configParam(genesis.config, 12)!)]
    expect(all.map(([workchain]) => workchain)).toEqual([0])
    expect(all[0]![1]).toMatchObject({
      _: 'workchain_v2',
      basic: true,
      active: true,
      accept_msgs: true,
      min_split: 1,
      zerostate_root_hash: genesis.basechain.id.root_hash,
      zerostate_file_hash: genesis.basechain.id.file_hash,
    })
  })

  test('have no more TON than their accounts', () => {
    const sum = (state: Cell): bigint =>
      [...shardAccounts(parseShardStateUnsplit(state).accounts)].reduce((total, [, { account }]) => {
        const parsed = parseAccount(account)
        return total + (parsed._ === 'account' ? parsed.storage.balance.grams : 0n)
      }, 0n)
    const [base, master] = [sum(genesis.basechain.root), sum(genesis.masterchain.root)]
    expect(base).toBe(FAUCET_BALANCE + 10n * WALLET_BALANCE)
    expect(master).toBe(WALLET_BALANCE + 20_000_000_000n)
    const extra = parseMcStateExtra(parseShardStateUnsplit(genesis.masterchain.root).custom!)
    expect(extra.global_balance).toEqual({ grams: base + master, other: null })
    expect(parseShardAccounts(parseShardStateUnsplit(genesis.basechain.root).accounts).extra.balance.grams).toBe(base)
  })

  test('name the configuration twice: in the state and in the config contract', () => {
    const extra = parseMcStateExtra(parseShardStateUnsplit(genesis.masterchain.root).custom!)
    expect(extra.config.config_addr).toEqual(CONFIG_ADDRESS)
    expect(extra.config.config.hash()).toEqual(genesis.config.hash())
    const contract = importsOf(genesis.masterchain.root, MASTERCHAIN).find(({ address }) =>
      address.hash.equals(CONFIG_ADDRESS),
    )
    const parsed = parseAccount(contract!.account.ref(0))
    if (parsed._ !== 'account' || parsed.storage.state._ !== 'account_active') throw new Error('no config contract')
    expect(parsed.storage.state.data!.ref(0).hash()).toEqual(genesis.config.hash())
  })

  test('take accounts from outside into the workchain that they name', () => {
    const account = (workchain: number, fill: number) => {
      const address = { workchain, hash: Buffer.alloc(32, fill) }
      const state = { _: 'account_uninit' } as const
      return {
        address,
        account: newShardAccount({ address, balance: { grams: 5n, other: null }, state, last_paid: 1 }),
      }
    }
    const more = createGenesis({ ...options, accounts: [account(0, 1), account(MASTERCHAIN, 2)] })
    const ids = (state: Cell): string[] => importsOf(state, 0).map(({ address }) => address.hash.toString('hex', 0, 2))
    expect(ids(more.basechain.root)).toContain('0101')
    expect(ids(more.masterchain.root)).toContain('0202')
    const extra = parseMcStateExtra(parseShardStateUnsplit(more.masterchain.root).custom!)
    const before = parseMcStateExtra(parseShardStateUnsplit(genesis.masterchain.root).custom!)
    expect(extra.global_balance.grams).toBe(before.global_balance.grams + 10n)
    expect(() => createGenesis({ ...options, accounts: [account(0, 1), account(0, 1)] })).toThrow('already')
    expect(() => createGenesis({ ...options, accounts: [account(3, 1)] })).toThrow('a workchain that is not there')
    const taken = { address: MASTERCHAIN_WALLET.address, account: account(MASTERCHAIN, 2).account }
    expect(() => createGenesis({ ...options, accounts: [taken] })).toThrow('already')
  })
})
