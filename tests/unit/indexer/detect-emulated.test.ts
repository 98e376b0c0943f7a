import { expect, test } from 'bun:test'
import { TonlithError } from '../../../src/common/errors.ts'
import { stackAddress } from '../../../src/contracts/get-methods.ts'
import { detectEmulated } from '../../../src/indexer/detect-emulated.ts'
import { rawAddress } from '../../../src/ton/address.ts'
import { beginCell } from '../../../src/ton/builder.ts'
import type { Cell } from '../../../src/ton/cell.ts'
import { methodId } from '../../../src/ton/method-id.ts'
import { stackInt } from '../../../src/ton/stack.ts'
import { encodeDict } from '../../support/dict-encoder.ts'
import { account, fakeContracts } from '../../support/fake-contracts.ts'

const [MASTER, WALLET, OWNER, OTHER] = [account(1), account(2), account(3), account(4)]
const KEY_BITS = 19
const DATA = beginCell().uint(9, 8).endCell()

/** Compiled code that has these methods. */
const codeWith = (methods: readonly string[]): Cell => {
  const dict = encodeDict(
    methods.map((method) => ({
      key: methodId(method).toString(2).padStart(KEY_BITS, '0'),
      value: (builder) => builder.uint(1, 8),
    })),
    KEY_BITS,
    { label: (fitting) => fitting[0]! },
  )
  return beginCell().uint(0xff00, 16).uint(0x3d29, 14).uint(KEY_BITS, 10).uint(0xf4bc, 16).ref(dict).endCell()
}

const WALLET_CODE = codeWith(['get_wallet_data'])
const contract = (address: typeof MASTER, code: Cell) => ({
  address,
  code,
  data: DATA,
  balance: 1n,
  extra_currencies: [],
})
const walletData = [
  stackInt(5),
  stackAddress(OWNER),
  stackAddress(MASTER),
  { _: 'vm_stk_cell', cell: WALLET_CODE },
] as const

test('a wallet is known that its master knows, by methods that its code has', async () => {
  const methods = fakeContracts({
    [rawAddress(WALLET)]: { get_wallet_data: walletData },
    [rawAddress(MASTER)]: { get_wallet_address: [stackAddress(WALLET)] },
  })
  const found = await detectEmulated(methods, [contract(WALLET, WALLET_CODE), contract(OTHER, codeWith(['seqno']))])
  expect(found.isWhole).toBeTrue()
  expect(found.known.get(rawAddress(WALLET))).toMatchObject({
    jetton_wallet: { owner: OWNER, jetton: MASTER },
    code_hash: WALLET_CODE.hash(),
    data: DATA,
  })
  expect(Object.keys(found.known.get(rawAddress(OTHER))!)).toEqual(['code_hash', 'data'])
  expect(methods.asked).toEqual(['get_wallet_data', 'get_wallet_address'])
})

test('what cannot be looked at now is left out, and that is told', async () => {
  const methods = fakeContracts({ [rawAddress(WALLET)]: { get_wallet_data: walletData } })
  const broken: typeof methods = {
    ...methods,
    run: (address, method, args) => {
      if (method === 'get_wallet_address') throw new TonlithError('timeout', 'no answer')
      return methods.run(address, method, args)
    },
  }
  const found = await detectEmulated(broken, [contract(WALLET, WALLET_CODE), contract(OTHER, codeWith(['seqno']))])
  expect(found.isWhole).toBeFalse()
  expect([...found.known.keys()]).toEqual([rawAddress(OTHER)])
})
