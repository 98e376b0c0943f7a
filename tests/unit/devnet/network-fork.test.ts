import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { openStoredChain } from '../../../src/devnet/stored-chain.ts'
import { getAccountState, getLibraries, getMasterchainInfo } from '../../../src/liteserver/client.ts'
import type { Query } from '../../../src/liteserver/query.ts'
import { devChainFolder } from '../../../src/store/dev-chain-store.ts'
import { tryParseAddress } from '../../../src/ton/address.ts'
import type { BlockIdExt } from '../../../src/ton/block-id.ts'
import { parseBocRoot } from '../../../src/ton/boc.ts'
import { type AccountState, parseAccount } from '../../../src/ton/tlb/account.ts'
import { libraryHashes } from '../../../src/tvm/library-cells.ts'
import { checkChain } from '../../support/chain-check/chain-check.ts'
import { startTestNetwork, type TestNetwork } from '../../support/dev-chain.ts'
import { connectQuery } from '../../support/query-client.ts'
import { RECORDED, recordedRemote } from '../../support/recorded-remote.ts'

const TEST_MS = 60_000
const TON = 1_000_000_000n
const SILENT = `0:${'77'.repeat(32)}`

const recorded = recordedRemote()
/** It says nothing about one account. */
const remote = {
  ...recorded,
  account: (...[address, signal]: Parameters<typeof recorded.account>) =>
    address.hash[0] === 0x77 && address.hash[1] === 0x77
      ? new Promise<never>(() => {})
      : recorded.account(address, signal),
}

let network: TestNetwork
let query: Query
let hangUp: () => void
beforeAll(async () => {
  network = await startTestNetwork({ shards: 2, fork: remote })
  const connected = await connectQuery(network.started.liteserver)
  query = connected.query
  hangUp = () => connected.connection.close()
}, TEST_MS)
afterAll(async () => {
  await network.remove()
})

const head = async (): Promise<BlockIdExt> => (await getMasterchainInfo(query)).last

/** Balance and state of an account at a masterchain block; undefined where it has none. */
const accountAt = async (
  id: BlockIdExt,
  text: string,
): Promise<{ grams: bigint; state: AccountState; hash: string } | undefined> => {
  const { workchain, hash } = tryParseAddress(text)!
  const { state } = await getAccountState(query, id, { workchain, id: hash })
  if (state.length === 0) return undefined
  const root = parseBocRoot(state)
  const account = parseAccount(root)
  if (account._ !== 'account') return undefined
  return {
    grams: account.storage.balance.grams,
    state: account.storage.state,
    hash: libraryHashes([root])[0] ?? '',
  }
}

const remoteBalance = async (text: string): Promise<bigint> => {
  const account = parseAccount((await recorded.account(tryParseAddress(text)!, AbortSignal.timeout(1_000)))!)
  return account._ === 'account' ? account.storage.balance.grams : 0n
}

describe('an account of the other network', () => {
  test(
    'is there when it was waited for, and not at the block before',
    async () => {
      const before = await head()
      const { seqno } = await network.control.arrive(RECORDED.collection)
      expect(seqno).toBe(before.seqno + 1)
      expect((await accountAt(await head(), RECORDED.collection))!.grams).toBe(await remoteBalance(RECORDED.collection))
      expect(await accountAt(before, RECORDED.collection)).toBeUndefined()
      expect((await network.control.arrive(RECORDED.collection)).seqno).toBe(seqno)
    },
    TEST_MS,
  )

  test(
    'that a client asks the liteserver for is there a block later, with the libraries that it needs',
    async () => {
      expect(await accountAt(await head(), RECORDED.jettonWallet)).toBeUndefined()
      await network.control.mine(2)
      const found = await accountAt(await head(), RECORDED.jettonWallet)
      expect(found!.state._).toBe('account_active')
      const { result } = await getLibraries(query, [Buffer.from(found!.hash, 'hex')])
      expect(result.map(({ hash }) => hash.toString('hex'))).toEqual([found!.hash])
    },
    TEST_MS,
  )

  test(
    'gets the messages that are sent to it before it is there',
    async () => {
      await network.control.faucet(RECORDED.wallet, 5n * TON)
      await network.control.mine(6)
      const found = await accountAt(await head(), RECORDED.wallet)
      expect(found!.state._).toBe('account_active')
      const was = await remoteBalance(RECORDED.wallet)
      expect(found!.grams).toBeGreaterThan(was + 4n * TON)
      expect(found!.grams).toBeLessThanOrEqual(was + 5n * TON)
    },
    TEST_MS,
  )

  test(
    'that does not exist there is waited for by nobody',
    async () => {
      const before = await head()
      expect((await network.control.arrive(RECORDED.nobody)).seqno).toBe(before.seqno)
      await network.control.faucet(RECORDED.nobody, TON)
      await network.control.mine(4)
      expect((await accountAt(await head(), RECORDED.nobody))!.state._).toBe('account_uninit')
    },
    TEST_MS,
  )

  test(
    'that is not told of counts as none after a while, and the chain goes on',
    async () => {
      const others = [`0:${'12'.repeat(32)}`, `0:${'ed'.repeat(32)}`]
      await Promise.all([SILENT, ...others].map((address) => network.control.faucet(address, TON)))
      await network.control.mine(8)
      for (const address of [SILENT, ...others])
        expect((await accountAt(await head(), address))!.state._).toBe('account_uninit')
    },
    TEST_MS,
  )

  test(
    'is loaded by hand where it was loaded before it was used',
    async () => {
      const file = Buffer.from(JSON.stringify([{ address: RECORDED.jetton, balance: '7' }]))
      const loading = [network.control.arrive(RECORDED.jetton), network.control.load({ file })] as const
      const [, { accounts, present }] = await Promise.all(loading)
      expect(accounts + present.length).toBe(1)
    },
    TEST_MS,
  )
})

test(
  'the chain of a fork is right in every sum',
  async () => {
    hangUp()
    await network.stop()
    const chain = await openStoredChain(devChainFolder(network.folder), () => [])
    expect(checkChain(chain).last).toBe(chain.last)
    await chain.close()
  },
  TEST_MS,
)
