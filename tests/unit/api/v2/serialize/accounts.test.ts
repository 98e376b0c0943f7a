import { describe, expect, test } from 'bun:test'
import { render } from '../../../../../src/api/v2/dialect.ts'
import { accountState } from '../../../../../src/api/v2/serialize/account-state.ts'
import {
  addressInformation,
  extendedAddressInformation,
  stateName,
} from '../../../../../src/api/v2/serialize/accounts.ts'
import { stringifyJson } from '../../../../../src/common/lossless-json.ts'
import type { AccountSnapshot } from '../../../../../src/model/account.ts'
import type { AccountState } from '../../../../../src/model/account-state.ts'
import { tryParseAddress } from '../../../../../src/ton/address.ts'
import { MASTERCHAIN, SHARD_ALL } from '../../../../../src/ton/block-id.ts'
import { beginCell } from '../../../../../src/ton/builder.ts'

const CELL = beginCell().endCell()
const HASH = Buffer.alloc(32, 7)
const GIVEN = tryParseAddress('UQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqEBI')!

const account = (some: Partial<AccountSnapshot>): AccountSnapshot => ({
  address: GIVEN,
  status: 'active',
  balance: 2n ** 100n,
  extra_currencies: [],
  last_transaction: { lt: 2n ** 63n - 1n, hash: HASH },
  code: CELL,
  data: CELL,
  frozen_hash: null,
  block: { workchain: MASTERCHAIN, shard: SHARD_ALL, seqno: 5, root_hash: HASH, file_hash: HASH },
  gen_utime: 1_700_000_000,
  ...some,
})

describe('the state of an account', () => {
  test('is told by its code and its frozen hash', () => {
    expect(stateName(account({}))).toBe('active')
    expect(stateName(account({ code: null, data: null, frozen_hash: HASH }))).toBe('frozen')
    expect(stateName(account({ status: 'uninit', code: null, data: null }))).toBe('uninitialized')
    expect(stateName(account({ code: null }))).toBe('uninitialized')
  })
})

describe('address information', () => {
  test('has the fields of the reference in its order, numbers exact', () => {
    const json = stringifyJson(render(addressInformation(account({}), true), 'toncenter'))
    expect(Object.keys(JSON.parse(json)).join(' ')).toBe(
      '@type balance extra_currencies last_transaction_id block_id code data frozen_hash sync_utime state suspended',
    )
    expect(json).toContain('"balance":"1267650600228229401496703205376"')
    expect(json).toContain('"lt":"9223372036854775807"')
    expect(json).toContain('"suspended":true')
  })

  test('of an account without code has empty texts', () => {
    const shown = render(addressInformation(account({ code: null, data: null }), false), 'spec')
    expect(shown).toMatchObject({ code: '', data: '', frozen_hash: '', block_id: { '@type': 'chain.blockIdExt' } })
  })

  test('in its extended form shows the address as it was asked for, raw where spec.md says so', () => {
    const state: AccountState = { _: 'wallet.v3.accountState', wallet_id: 698_983_191n, seqno: 3 }
    const shown = (dialect: 'spec' | 'toncenter') =>
      render(extendedAddressInformation(GIVEN, account({}), { state, revision: 2 }), dialect)
    expect(shown('toncenter')).toMatchObject({
      address: { account_address: 'UQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqEBI' },
      account_state: { '@type': 'wallet.v3.accountState', wallet_id: 698_983_191n, seqno: 3 },
    })
    expect(shown('spec')).toMatchObject({
      address: { account_address: '0:83DFD552E63729B472FCBCC8C45EBCC6691702558B68EC7527E1BA403A0F31A8' },
    })
  })
})

describe('account states', () => {
  const json = (state: AccountState): string => stringifyJson(render(accountState(state), 'spec'))

  test('write int64 as exact numbers', () => {
    expect(json({ _: 'dns.accountState', wallet_id: 2n ** 32n - 1n })).toBe(
      '{"@type":"dns.accountState","wallet_id":4294967295}',
    )
    const config = { start_at: 5n, limits: [{ seconds: -3, value: 2n ** 62n + 1n }] }
    expect(json({ _: 'rwallet.accountState', wallet_id: 1n, seqno: 2, unlocked_balance: 2n ** 62n + 3n, config })).toBe(
      '{"@type":"rwallet.accountState","wallet_id":1,"seqno":2,"unlocked_balance":4611686018427387907,' +
        '"config":{"@type":"rwallet.config","start_at":5,' +
        '"limits":[{"@type":"rwallet.limit","seconds":-3,"value":4611686018427387905}]}}',
    )
  })

  test('keep the fields of a payment channel in their places', () => {
    const config = {
      alice_public_key: 'a',
      alice_address: GIVEN,
      bob_public_key: 'b',
      bob_address: undefined,
      init_timeout: 1,
      close_timeout: 2,
      channel_id: -(2n ** 63n),
    }
    const open = { signed_A: true, signed_B: false, min_A: 1n, min_B: 2n, expire_at: 3n, A: 4n, B: 5n }
    const shown = json({
      _: 'pchan.accountState',
      config,
      state: { ...open, _: 'pchan.stateClose' },
      description: 'd',
    })
    expect(shown).toContain('"channel_id":-9223372036854775808')
    expect(shown).toContain('"bob_address":{"@type":"accountAddress","account_address":""}')
    expect(shown).toContain(
      '"state":{"@type":"pchan.stateClose","signed_A":true,"signed_B":false,"min_A":1,"min_B":2,"expire_at":3,"A":4,"B":5}',
    )
  })
})
