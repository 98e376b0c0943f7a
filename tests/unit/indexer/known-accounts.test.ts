import { expect, test } from 'bun:test'
import { finish } from '../../../src/common/steps.ts'
import { classifyKnown, type KnownSource } from '../../../src/indexer/known-accounts.ts'
import { rawAddress, sameAddress } from '../../../src/ton/address.ts'
import { beginCell } from '../../../src/ton/builder.ts'
import { storeStdAddress } from '../../../src/ton/tlb/msg-address.ts'
import { accountNo, madeTrace } from '../../support/made-trace.ts'

const [OWNER, OTHER, WALLET, JETTON] = [1, 2, 3, 9].map(accountNo)

const to = storeStdAddress(beginCell().uint(0x0f8a7ea5, 32).uint(1, 64).coins(5n), OWNER!)
const transfer = to.uint(0, 2).bit(false).coins(0n).bit(false)
const trace = madeTrace({
  to: 1,
  sends: [
    {
      to: 2,
      body: transfer.endCell(),
      sends: [{ to: 3, body: beginCell().uint(0x178d4519, 32).uint(1, 64).endCell() }],
    },
  ],
})

/** An index in which account 3 is a wallet of `jetton`. */
const knowing = (asked: string[]): KnownSource => ({
  entityKinds: (address) => {
    asked.push(rawAddress(address))
    return sameAddress(address, WALLET!) ? ['jetton_wallet'] : []
  },
  entities: (kind, addresses) =>
    addresses.flatMap((address) => [
      {
        address,
        last_transaction_lt: 1n,
        code_hash: null,
        data_hash: null,
        entity: { _: kind, balance: 0n, owner: OWNER, jetton: JETTON, mintless_is_claimed: null } as never,
      },
    ]),
  accountStates: () => [],
  dataOf: () => undefined,
})

const typesOf = (...given: Parameters<typeof classifyKnown>): string[] =>
  finish(classifyKnown(...given)).actions.map(({ content }) => content.type)

test('what the index knows of an account decides, looked up once and as it is asked for', () => {
  const asked: string[] = []
  expect(typesOf(knowing(asked), trace)).toContain('jetton_transfer')
  expect(asked.length).toBe(new Set(asked).size)
  expect(asked).not.toContain(rawAddress(OTHER!))
  expect(typesOf(undefined, trace)).not.toContain('jetton_transfer')
})

test('what is known beside the index counts more', () => {
  const wallet = { jetton_wallet: { owner: OWNER!, jetton: JETTON! } }
  expect(typesOf(undefined, trace, { known: new Map([[rawAddress(WALLET!), wallet]]) })).toContain('jetton_transfer')
  expect(typesOf(knowing([]), trace, { known: new Map([[rawAddress(WALLET!), {}]]) })).not.toContain('jetton_transfer')
})

test('an index that cannot be read is told, although matchers go on', () => {
  const broken: KnownSource = {
    ...knowing([]),
    entityKinds: () => {
      throw new Error('damaged')
    },
  }
  expect(() => finish(classifyKnown(broken, trace))).toThrow('damaged')
})
