import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { stackAddress } from '../../../src/contracts/get-methods.ts'
import { getgemsEntity } from '../../../src/contracts/getgems.ts'
import { jettonMasterEntity, jettonWalletEntity } from '../../../src/contracts/jetton.ts'
import { multisigEntity, multisigOrderEntity } from '../../../src/contracts/multisig.ts'
import { nftCollectionEntity, nftItemEntities } from '../../../src/contracts/nft.ts'
import { telemintEntity } from '../../../src/contracts/telemint.ts'
import { vestingEntity } from '../../../src/contracts/vesting.ts'
import { rawAddress } from '../../../src/ton/address.ts'
import { beginCell } from '../../../src/ton/builder.ts'
import { STACK_NULL, type StackValue, stackInt, stackSlice, stackTuple } from '../../../src/ton/stack.ts'
import { account, type FakeContract, fakeContracts } from '../../support/fake-contracts.ts'

const SELF = account(1)
const NONE = stackSlice(beginCell().uint(0, 2).endCell())
const at = (n: number): StackValue => stackAddress(account(n))
const cell = (bits = 0): StackValue => ({
  _: 'vm_stk_cell',
  cell: beginCell()
    .uint(2 ** bits - 1, bits)
    .endCell(),
})
const of = (contract: FakeContract, more: Record<string, FakeContract> = {}) =>
  fakeContracts({ [rawAddress(SELF)]: contract, ...more })
const ints = (...values: (number | bigint)[]): StackValue[] => values.map(stackInt)

describe('sales', () => {
  test('of the fourth version tell fees in parts of the price', async () => {
    const sale = [...ints(0, 100), at(2), at(3), NONE, stackInt(1_000_000_000n), at(4), stackInt(5_000), at(5)]
    const data = [...sale, ...ints(10_000, 0, 0), STACK_NULL]
    expect(await getgemsEntity(of({ get_fix_price_data_v4: data }), SELF)).toMatchObject({
      _: 'getgems_sale',
      nft_address: account(3),
      nft_owner_address: null,
      marketplace_fee: 50_000_000n,
      royalty_amount: 100_000_000n,
    })
  })

  test('that are auctions are told by their magic', async () => {
    const head = [...ints(0x415543, 0, 200), at(2), at(3), at(4), stackInt(7), NONE, stackInt(5), at(5), ...ints(1, 20)]
    const data = [...head, at(6), ...ints(3, 40, 0, 9, 100, 0, -1)]
    const auction = { end_flag: false, last_bid: 7n, last_member: null, min_bid: 9n, is_canceled: true }
    expect(await getgemsEntity(of({ get_sale_data: data }), SELF)).toMatchObject({ _: 'getgems_auction', ...auction })
    const v4 = [stackInt(-1), ...data.slice(1), ...ints(60, 0), NONE, NONE, ...ints(0, 0)]
    expect(await getgemsEntity(of({ get_auction_data_v4: v4 }), SELF)).toMatchObject({
      _: 'getgems_auction',
      ...auction,
    })
    expect(await getgemsEntity(of({ get_auction_data_v4: data }), SELF)).toBeUndefined()
    expect(await getgemsEntity(of({ get_sale_data: [stackInt(1), ...data.slice(1)] }), SELF)).toBeUndefined()
  })
})

test('a telemint item may be on no auction', async () => {
  const name = stackSlice(beginCell().bytes(Buffer.from('durov')).endCell())
  const item = {
    get_telemint_token_name: [name],
    get_telemint_auction_config: [STACK_NULL, ...ints(0, 0, 0, 0, 0)],
    royalty_params: [...ints(5, 100), at(2)],
  }
  expect(await telemintEntity(of(item), SELF)).toMatchObject({
    token_name: 'durov',
    beneficiary_address: null,
    bid: null,
    royalty_numerator: 5n,
    royalty_destination: account(2),
  })
  const get_telemint_auction_state = [at(3), ...ints(10, 11, 12, 13)]
  expect(await telemintEntity(of({ ...item, get_telemint_auction_state }), SELF)).toMatchObject({
    bidder_address: account(3),
    bid: 10n,
    end_time: 13,
  })
})

test('an order is one that its multisig knows, and that has been set up', async () => {
  const empty = STACK_NULL
  const order = (threshold: StackValue) => [
    at(2),
    stackInt(4),
    threshold,
    stackInt(0),
    empty,
    ...ints(1, 1, 99),
    cell(),
  ]
  const multisig = { [rawAddress(account(2))]: { get_order_address: [at(1)] } }
  expect(await multisigOrderEntity(of({ get_order_data: order(stackInt(2)) }, multisig), SELF)).toMatchObject({
    order_seqno: 4n,
    threshold: 2,
  })
  expect(await multisigOrderEntity(of({ get_order_data: order(STACK_NULL) }, multisig), SELF)).toBeUndefined()
  const other = { [rawAddress(account(2))]: { get_order_address: [at(3)] } }
  expect(await multisigOrderEntity(of({ get_order_data: order(stackInt(2)) }, other), SELF)).toBeUndefined()
})

test('content that cannot be read leaves a jetton and an item what they are', async () => {
  const broken = cell(8)
  const master = of({ get_jetton_data: [...ints(5, -1), STACK_NULL, broken, cell()] })
  expect(await jettonMasterEntity(master, SELF)).toMatchObject({
    total_supply: 5n,
    admin_address: null,
    jetton_content: { _: 'onchain', attributes: {} },
  })
  const item = of({ get_nft_data: [...ints(-1, 2), NONE, at(2), broken] })
  const known = { isTrusted: () => false, zones: async () => [] }
  expect(await nftItemEntities(item, SELF, known)).toMatchObject([
    { index: 2n, content: { _: 'onchain', attributes: {} } },
  ])
})

const value: fc.Arbitrary<StackValue> = fc.oneof(
  fc.constantFrom<StackValue>(STACK_NULL, { _: 'vm_stk_nan' }, NONE, at(1), at(2), cell(), cell(8), stackTuple([])),
  fc.bigInt({ min: -(2n ** 256n), max: 2n ** 256n - 1n }).map(stackInt),
  fc.integer({ min: -2, max: 2 }).map(stackInt),
)
const METHODS = [
  'get_jetton_data',
  'get_wallet_data',
  'get_wallet_address',
  'get_collection_data',
  'get_nft_data',
  'get_nft_address_by_index',
  'get_nft_content',
  'dnsresolve',
  'get_domain',
  'get_full_domain',
  'get_sale_data',
  'get_fix_price_data_v4',
  'get_auction_data_v4',
  'get_telemint_token_name',
  'get_telemint_auction_config',
  'get_telemint_auction_state',
  'royalty_params',
  'get_multisig_data',
  'get_order_data',
  'get_order_address',
  'get_vesting_data',
] as const

test('no answer makes a reader throw', async () => {
  const contract = fc.record(Object.fromEntries(METHODS.map((method) => [method, fc.array(value, { maxLength: 28 })])))
  await fc.assert(
    fc.asyncProperty(contract, contract, async (one, two) => {
      const methods = of(one, { [rawAddress(account(2))]: two })
      const zones = async () => [{ name: 'ton', collection: account(2) }]
      await jettonMasterEntity(methods, SELF)
      await jettonWalletEntity(methods, SELF, { data: undefined, isTrusted: () => false })
      await nftCollectionEntity(methods, SELF)
      await nftItemEntities(methods, SELF, { isTrusted: () => true, zones })
      await getgemsEntity(methods, SELF)
      await telemintEntity(methods, SELF)
      await multisigEntity(methods, SELF)
      await multisigOrderEntity(methods, SELF)
      await vestingEntity(methods, SELF)
    }),
    { numRuns: 300 },
  )
})
