import { describe, expect, test } from 'bun:test'
import { addressAt, stackAddress } from '../../../src/contracts/get-methods.ts'
import { findJettonMaster, findJettonWallet } from '../../../src/contracts/jetton.ts'
import { rawAddress } from '../../../src/ton/address.ts'
import { beginCell } from '../../../src/ton/builder.ts'
import { STACK_NULL, type StackValue, stackInt, stackSlice } from '../../../src/ton/stack.ts'
import { account, type FakeContract, fakeContracts } from '../../support/fake-contracts.ts'
import { offchainContent } from '../../support/token-content.ts'

const [MASTER, WALLET, OWNER, OTHER] = [account(1), account(2), account(3), account(4)]
const CODE = beginCell().uint(77, 8).endCell()
const NO_ADDRESS = stackSlice(beginCell().uint(0, 2).endCell())
const cell = (of = CODE): StackValue => ({ _: 'vm_stk_cell', cell: of })

const contracts = (of: Record<string, FakeContract>) => fakeContracts(of)

describe('a jetton master', () => {
  const data = (changes: Record<number, StackValue> = {}): StackValue[] =>
    Object.assign(
      [stackInt(102701033769173431754n), stackInt(-1), stackAddress(OWNER), cell(offchainContent('https://j')), cell()],
      changes,
    )
  const find = (stack: StackValue[] | undefined) =>
    findJettonMaster(contracts({ [rawAddress(MASTER)]: { get_jetton_data: stack } }), MASTER)

  test('tells its data to the last digit', async () => {
    expect(await find(data())).toEqual({
      _: 'jetton_master',
      total_supply: 102701033769173431754n,
      mintable: true,
      admin_address: OWNER,
      jetton_content: { _: 'offchain', uri: 'https://j' },
      jetton_wallet_code: CODE,
    })
  })

  test('may have no admin', async () => {
    for (const none of [NO_ADDRESS, STACK_NULL]) expect((await find(data({ 2: none })))?.admin_address).toBeUndefined()
  })

  test('is mintable by any number but zero', async () => {
    expect((await find(data({ 1: stackInt(0) })))?.mintable).toBe(false)
    expect((await find(data({ 1: stackInt(2n ** 255n) })))?.mintable).toBe(true)
  })

  test('may tell more than it has to', async () => {
    expect((await find([...data(), stackInt(1)]))?.total_supply).toBe(102701033769173431754n)
  })

  test('is none that answers in another form, or not at all', async () => {
    expect(await find(undefined)).toBeUndefined()
    expect(await find(data().slice(0, 4))).toBeUndefined()
    expect(await find(data({ 0: cell() }))).toBeUndefined()
    expect(await find(data({ 3: cell() }))).toBeUndefined()
    expect(await find(data({ 4: STACK_NULL }))).toBeUndefined()
  })
})

describe('a jetton wallet', () => {
  const walletOf = (owner: StackValue, balance = 2n ** 256n - 1n): StackValue[] => [
    stackInt(balance),
    owner,
    stackAddress(MASTER),
    cell(),
  ]
  const master: FakeContract = {
    get_wallet_address: ([owner]) => [stackAddress(addressAt([owner!], 0)?.hash.equals(OWNER.hash) ? WALLET : OTHER)],
  }
  const find = (wallet: FakeContract, of: FakeContract = master) =>
    findJettonWallet(contracts({ [rawAddress(WALLET)]: wallet, [rawAddress(MASTER)]: of }), WALLET)

  test('is one that its master knows', async () => {
    expect(await find({ get_wallet_data: walletOf(stackAddress(OWNER)) })).toEqual({
      _: 'jetton_wallet',
      balance: 2n ** 256n - 1n,
      owner: OWNER,
      jetton: MASTER,
      mintless_is_claimed: undefined,
      jetton_wallet_code: CODE,
    })
  })

  test('of a mintless jetton tells whether it has claimed', async () => {
    const wallet = { get_wallet_data: walletOf(stackAddress(OWNER)) }
    expect((await find({ ...wallet, is_claimed: [stackInt(-1)] }))?.mintless_is_claimed).toBe(true)
    expect((await find({ ...wallet, is_claimed: [stackInt(0)] }))?.mintless_is_claimed).toBe(false)
    expect((await find({ ...wallet, is_claimed: [STACK_NULL] }))?.mintless_is_claimed).toBeUndefined()
  })

  test('is none that its master does not know', async () => {
    const wallet = { get_wallet_data: walletOf(stackAddress(OWNER)) }
    expect(await find({ get_wallet_data: walletOf(stackAddress(OTHER)) })).toBeUndefined()
    expect(await find({ get_wallet_data: walletOf(NO_ADDRESS) })).toBeUndefined()
    expect(await find(wallet, {})).toBeUndefined()
    expect(await find(wallet, { get_wallet_address: [NO_ADDRESS] })).toBeUndefined()
    expect(await find(wallet, { get_wallet_address: [] })).toBeUndefined()
    expect(await find(wallet, { get_wallet_address: [stackAddress({ ...WALLET, workchain: -1 })] })).toBeUndefined()
  })
})
