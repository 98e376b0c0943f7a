import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { createDetector } from '../../../src/indexer/detect.ts'
import { noDetectionCounts } from '../../../src/indexer/detection-counts.ts'
import type { DetectionSource } from '../../../src/indexer/detection-source.ts'
import type { Batch, BatchAccount } from '../../../src/model/batch.ts'
import { rawAddress } from '../../../src/ton/address.ts'
import { beginCell } from '../../../src/ton/builder.ts'
import { type Cell, LIBRARY } from '../../../src/ton/cell.ts'
import { storeMsgAddressInt } from '../../../src/ton/tlb/msg-address.ts'
import { createLocalTvm } from '../../../src/tvm/local.ts'
import { account } from '../../support/fake-contracts.ts'
import { madeBatch, madeHash } from '../../support/made-batch.ts'
import { type TemporaryIndex, temporaryIndex } from '../../support/temporary-index.ts'
import { codeOf, recordedConfig, TVM } from '../../support/tvm-code.ts'

let temporary: TemporaryIndex
beforeEach(async () => {
  temporary = await temporaryIndex()
})
afterEach(() => temporary.remove())

const EMPTY = beginCell().endCell()
const tvm = createLocalTvm()

const active = (n: number, code: Cell, data = EMPTY): BatchAccount => ({
  address: account(n),
  state_hash: madeHash(`state ${n}`),
  status: 'active',
  balance: 10n ** 9n,
  extra_currencies: [],
  last_transaction: { lt: 5n, hash: madeHash(`last ${n}`) },
  frozen_hash: null,
  code_hash: code.hash(),
  data_hash: data.hash(),
  code,
  data,
})

const setup = (accounts: BatchAccount[], others: Partial<DetectionSource> = {}) => {
  const asked: string[] = []
  const source: DetectionSource = {
    config: async () => recordedConfig(),
    libraries: async () => [],
    account: async (address) => {
      asked.push(rawAddress(address))
      return undefined
    },
    ...others,
  }
  const counts = noDetectionCounts()
  const detector = createDetector({ tvm, source, counts })
  const batch: Batch = { ...madeBatch(7, []), accounts }
  const detect = () => detector.detect(temporary.index, batch, recordedConfig(), () => true)
  return { detect, counts, asked }
}

/** A wallet that says that it is of the master with this number. */
const walletData = (owner: number, master: number): Cell => {
  const std = (n: number) => ({ _: 'addr_std', anycast: null, workchain_id: 0, address: account(n).hash }) as const
  return storeMsgAddressInt(storeMsgAddressInt(beginCell().uint(0, 4).coins(5n), std(owner)), std(master)).endCell()
}
const library = (hash: string): Cell => beginCell().uint(LIBRARY, 8).bytes(Buffer.from(hash, 'base64')).endCell(true)
/** The code of stablecoin wallets, as accounts have it. */
const WALLET_CODE = library('j0Utek39dAZraCNlF3JZ7QVzRDW+drX9S9XYryt8PWg=')

describe('contracts that answer nonsense', () => {
  test.each([
    ['nulls', TVM.pushNull.repeat(12)],
    ['NaN', TVM.pushNan.repeat(12)],
    ['numbers', TVM.pushInt(1).repeat(12)],
    ['builders', TVM.newBuilder.repeat(12)],
    ['a deep tuple', TVM.pushNull + TVM.repeat(2_000, TVM.single)],
    ['a huge stack', TVM.repeat(9_000, TVM.pushNull)],
    ['exceptions', TVM.throwTypeCheck],
  ])('%s: they are nothing', async (_, code) => {
    const { detect } = setup([active(1, codeOf(code))])
    expect((await detect()).detected).toEqual([])
  })

  test('one that never ends is soon left alone, whatever accounts have its code', async () => {
    const endless = codeOf(TVM.pushContinuation + TVM.again)
    const { detect, counts } = setup(Array.from({ length: 20 }, (_, i) => active(i + 1, endless)))
    expect((await detect()).detected).toEqual([])
    expect(counts.faults.gas).toBe(1)
    expect(counts.runs).toBe(1)
  })
})

/** Code of a contract that answers as a jetton's master, whatever it is asked. */
const masterCode = codeOf(
  TVM.drop + TVM.pushInt(5) + TVM.pushInt(-1) + TVM.pushNull + TVM.pushRef + TVM.pushRef,
  EMPTY,
  EMPTY,
)
const endlessCode = (n: number): Cell => codeOf(TVM.pushInt(n) + TVM.pushContinuation + TVM.again)

describe('what a block may cost', () => {
  test('codes that never end, each another one, take the gas of two runs in a block', async () => {
    const { detect, counts } = setup(Array.from({ length: 40 }, (_, i) => active(i + 1, endlessCode(i))))
    expect((await detect()).detected).toEqual([])
    expect(counts.runs).toBeLessThan(3)
    await detect()
    expect(counts.runs).toBeLessThan(5)
  })

  test('codes that are known to end are run all the same', async () => {
    const others = Array.from({ length: 10 }, (_, i) => active(i + 1, endlessCode(i)))
    const accounts = [active(100, masterCode)]
    const { detect } = setup(accounts)
    expect((await detect()).detected).toMatchObject([{ entities: [{ _: 'jetton_master', total_supply: 5n }] }])
    accounts.unshift(...others)
    accounts.push({ ...active(101, masterCode), state_hash: madeHash('another') })
    expect((await detect()).detected).toHaveLength(2)
  })
})

describe('parents', () => {
  const known = async () => [codeOf(TVM.pushNull)]

  test('that are not there are asked for once in a block, and the account is nothing', async () => {
    const wallets = [1, 2, 3].map((n) => active(n, WALLET_CODE, walletData(50, 60)))
    const { detect, asked, counts } = setup(wallets, { libraries: known })
    expect((await detect()).detected).toEqual([])
    expect(asked).toEqual([rawAddress(account(60))])
    expect(counts.faults.parent).toBe(3)
  })

  test('nobody can tell of: nothing is decided, and they are not asked for again', async () => {
    const { detect, counts } = setup([active(1, WALLET_CODE, walletData(50, 60))], {
      libraries: known,
      account: async () => null,
    })
    expect((await detect()).detected).toEqual([])
    await detect()
    expect(counts).toMatchObject({ fetched: 1 })
    expect(counts.faults.unreachable).toBe(2)
  })

  test('that are the account itself or one another are no parents', async () => {
    const { detect, counts } = setup(
      [
        active(1, WALLET_CODE, walletData(50, 1)),
        active(2, WALLET_CODE, walletData(50, 3)),
        active(3, WALLET_CODE, walletData(50, 2)),
      ],
      { libraries: known },
    )
    expect((await detect()).detected).toEqual([])
    expect(counts.faults.parent).toBe(3)
  })

  test('are looked at themselves only so far, when each names the next', async () => {
    let next = 100
    const { detect, asked } = setup([active(1, WALLET_CODE, walletData(50, 99))], {
      libraries: known,
      account: async ({ hash }) => {
        asked.push(hash.toString('hex'))
        const one = active(hash[0]!, WALLET_CODE, walletData(50, next++))
        return { account: one, atBlock: true }
      },
    })
    const { accounts } = await detect()
    expect(asked).toHaveLength(2)
    expect(accounts).toHaveLength(3)
  })
})

test('accounts that are not active are closed only where something is stored of them', async () => {
  const gone: BatchAccount = {
    ...active(1, EMPTY),
    status: 'uninit',
    code: null,
    data: null,
    code_hash: null,
    data_hash: null,
  }
  expect((await setup([gone]).detect()).detected).toEqual([])
})
