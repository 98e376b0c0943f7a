import { expect, test } from 'bun:test'
import { stackAddress } from '../../../src/contracts/get-methods.ts'
import { findToken } from '../../../src/contracts/token.ts'
import { rawAddress } from '../../../src/ton/address.ts'
import { beginCell } from '../../../src/ton/builder.ts'
import { type StackValue, stackInt } from '../../../src/ton/stack.ts'
import { account, type FakeContract, fakeContracts } from '../../support/fake-contracts.ts'
import { offchainContent } from '../../support/token-content.ts'

const [TOKEN, MASTER] = [account(1), account(2)]
const SOMEBODY = stackAddress(account(3))
const CELL: StackValue = { _: 'vm_stk_cell', cell: beginCell().endCell() }
const CONTENT: StackValue = { _: 'vm_stk_cell', cell: offchainContent('https://x') }
const NO_ADDRESS: StackValue = { _: 'vm_stk_null' }

/** All four kinds in one contract, in the order in which they count. */
const KINDS: [name: string, method: string, answer: StackValue[]][] = [
  ['jetton_master', 'get_jetton_data', [stackInt(1), stackInt(1), SOMEBODY, CONTENT, CELL]],
  ['jetton_wallet', 'get_wallet_data', [stackInt(1), SOMEBODY, stackAddress(MASTER), CELL]],
  ['nft_collection', 'get_collection_data', [stackInt(1), CONTENT, SOMEBODY]],
  ['nft_item', 'get_nft_data', [stackInt(1), stackInt(1), NO_ADDRESS, SOMEBODY, CONTENT]],
]

const contracts = (of: FakeContract) =>
  fakeContracts({
    [rawAddress(TOKEN)]: of,
    [rawAddress(MASTER)]: { get_wallet_address: [stackAddress(TOKEN)] },
  })

test('the first kind that fits counts, and nothing is asked after it', async () => {
  for (const [index, [name, method]] of KINDS.entries()) {
    const methods = contracts(Object.fromEntries(KINDS.slice(index).map(([, each, answer]) => [each, answer])))
    expect((await findToken(methods, TOKEN))?._).toBe(name as never)
    expect(methods.asked).toContain(method)
    for (const [, later] of KINDS.slice(index + 1)) expect(methods.asked).not.toContain(later)
  }
})

test('what is none of them is no token', async () => {
  const methods = contracts({})
  expect(await findToken(methods, TOKEN)).toBeUndefined()
  expect(methods.asked).toEqual(KINDS.map(([, method]) => method))
})

test('what reading the chain throws is passed on', async () => {
  const failing = { run: () => Promise.reject(new Error('no server')), dnsRoot: async () => undefined }
  expect(findToken(failing, TOKEN)).rejects.toThrow('no server')
})
