import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { stringifyJson } from '../../../src/common/lossless-json.ts'
import { openStoredChain } from '../../../src/devnet/stored-chain.ts'
import { devChainFolder } from '../../../src/store/dev-chain-store.ts'
import { cellToBoc } from '../../../src/ton/boc-writer.ts'
import { beginCell } from '../../../src/ton/builder.ts'
import { checkChain } from '../../support/chain-check/chain-check.ts'
import { startTestNetwork, type TestNetwork } from '../../support/dev-chain.ts'

const idOf = (byte: number): string => Buffer.alloc(32, byte).toString('hex')
const LEFT = `0:${idOf(0x11)}`
const RIGHT = `0:${idOf(0xee)}`
const MASTER = `-1:${idOf(0x77)}`

const TEST_MS = 60_000

let network: TestNetwork
beforeAll(async () => {
  network = await startTestNetwork({ shards: 2 })
}, TEST_MS)
afterAll(() => network.remove())

const load = (accounts: readonly { address: string; balance?: string; code?: string }[]) =>
  network.control.load({ file: Buffer.from(stringifyJson(accounts.map((each) => ({ ...each })))) })

describe('accounts that are loaded while the network runs', () => {
  test(
    'are in a block when the answer comes',
    async () => {
      const before = await network.control.status()
      const code = cellToBoc(beginCell().uint(0, 8).endCell()).toString('base64')
      const { seqno, accounts, present } = await load([
        { address: LEFT, balance: '1000000000', code },
        { address: RIGHT, balance: '2000000000' },
        { address: MASTER, balance: '3000000000' },
      ])
      expect([seqno, accounts, present]).toEqual([before.seqno + 1, 3, []])
    },
    TEST_MS,
  )

  test(
    'are left as they are when they are there',
    async () => {
      const other = `0:${idOf(0x12)}`
      const before = await network.control.status()
      expect(
        await load([
          { address: LEFT, balance: '5' },
          { address: other, balance: '6' },
        ]),
      ).toMatchObject({
        accounts: 1,
        present: [LEFT],
      })
      expect(await load([{ address: other, balance: '7' }])).toMatchObject({
        seqno: before.seqno + 1,
        accounts: 0,
        present: [other],
      })
    },
    TEST_MS,
  )

  test(
    'take messages, while shards split and merge too',
    async () => {
      await network.control.faucet(LEFT, 5_000_000_000n)
      const splitting = network.control.resplit('split', '4000000000000000')
      const ids = Array.from({ length: 8 }, (_, i) => `0:${idOf(0x20 + i * 0x11)}`)
      for (const address of ids) expect((await load([{ address, balance: '1' }])).accounts).toBe(1)
      await splitting
      await Promise.all(ids.map((address) => network.control.faucet(address, 1_000_000_000n)))
      await network.control.resplit('merge', '2000000000000000')
      await network.control.mine(5)
    },
    TEST_MS,
  )

  test(
    'are refused when they are none',
    async () => {
      await expect(load([])).rejects.toThrow('there are none')
      await expect(load([{ address: `5:${idOf(1)}`, balance: '1' }])).rejects.toThrow('workchain')
      await expect(load([{ address: LEFT }, { address: LEFT }])).rejects.toThrow('twice')
    },
    TEST_MS,
  )

  test(
    'leave a chain in which every sum is right',
    async () => {
      await network.stop()
      const chain = await openStoredChain(devChainFolder(network.folder), () => [])
      const { value, last } = checkChain(chain)
      expect(value.issued).toBeGreaterThan(6_000_000_000n)
      expect(last).toBe(chain.last)
      await chain.close()
    },
    TEST_MS,
  )
})
