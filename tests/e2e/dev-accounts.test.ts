import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { hash } from 'node:crypto'
import { Address, beginCell, Cell, contractAddress, internal, SendMode, type StateInit, toNano } from '@ton/core'
import { keyPairFromSeed } from '@ton/crypto'
import { TonClient, type WalletContractV5R1 } from '@ton/ton'
import { getMasterchainInfo } from '../../src/liteserver/client.ts'
import type { Query } from '../../src/liteserver/query.ts'
import { SHARD_ALL } from '../../src/ton/block-id.ts'
import { type CheckedChain, openCheckedChain } from '../support/checked-chain.ts'
import { copyExecutable, type Lonely } from '../support/executable.ts'
import { type LiveNetwork, startLiveNetwork } from '../support/live-network.ts'
import { type LiveWallet, printedWallets, sendMined, walletOfKeys } from '../support/live-wallet.ts'
import { connectQuery } from '../support/query-client.ts'
import { startTrustingClient } from '../support/trusting-client.ts'
import { until } from '../support/until.ts'

/** What accounts can go through on a live network, and the configuration: all of it in blocks that pass every check. */

const TON = toNano(1)
const YEAR = 31_557_600
const START = 700_000_000

let alone: Lonely
let network: LiveNetwork
let client: TonClient
let query: Query
let chain: CheckedChain
let payer: LiveWallet
beforeAll(async () => {
  alone = await copyExecutable()
  const flags = ['--block-interval', 'manual', '--index', 'off', '--time', `${START}`]
  network = await startLiveNetwork(alone, 'data', ...flags)
  client = new TonClient({ endpoint: network.rpc, timeout: 20_000 })
  query = (await connectQuery(network.liteserver)).query
  chain = await openCheckedChain(query)
  payer = (await printedWallets(await network.status()))[2]!
}, 60_000)
afterAll(async () => {
  await network.end('SIGKILL')
  alone.remove()
})

const bytesOf = (text: string): Buffer => hash('sha256', text, 'buffer')
const stranger = (name: string): Address => new Address(0, bytesOf(name))
const freshWallet = (name: string): LiveWallet => walletOfKeys('v5r1', keyPairFromSeed(bytesOf(name)))

const pay = (
  to: Address,
  value: bigint,
  more: { bounce?: boolean; init?: StateInit; body?: Cell } = {},
): Promise<void> => sendMined(network, client, payer, internal({ to, value, bounce: more.bounce ?? false, ...more }))

/** The state of an account, once the blocks that bring messages to it are made. */
const settled = async (address: Address) => {
  await network.mine(3)
  return client.getContractState(address)
}

/** A wallet that has paid once, so that its data are not those that its address came from. */
const usedWallet = async (name: string, value: bigint): Promise<LiveWallet> => {
  const wallet = freshWallet(name)
  await pay(wallet.address, value)
  await network.mine(3)
  await sendMined(network, client, wallet, internal({ to: stranger(name), value: 1n, bounce: false }))
  return wallet
}

/** The words with which API v2 refuses a message. */
const refusal = async (boc: Buffer): Promise<string> => {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ boc: boc.toString('base64') })
  const answer = await fetch(`${network.url}/ton/api/v2/sendBoc`, { method: 'POST', headers, body })
  expect(answer.status).toBe(500)
  return ((await answer.json()) as { error: string }).error
}

describe('a message is refused in the words of a node', () => {
  const CANNOT = 'LITE_SERVER_UNKNOWN: cannot apply external message to current state : '
  const nothing = internal({ to: stranger('nobody'), value: 1n, bounce: false })

  test('when its signature is wrong, or its seqno is of long ago or far ahead', async () => {
    await pay(stranger('somebody'), 1n)
    const seqno = await client.open(payer.contract).getSeqno()
    const { secretKey } = freshWallet('another key').keys
    const order = { seqno, secretKey, messages: [nothing], sendMode: SendMode.PAY_GAS_SEPARATELY, timeout: 0x7fffffff }
    const forged = (payer.contract as WalletContractV5R1).createTransfer(order)
    const name = payer.address.hash.toString('hex').toUpperCase()
    const why = `cannot run message on account: inbound external message rejected by transaction ${name}`
    const told = await refusal(externalOf(payer.address, forged))
    expect(told).toStartWith(`${CANNOT}External message was not accepted: ${why}:\nexitcode=135, steps=`)
    const turn = (of: number) => `msg_seqno=${of}, wallet_seqno=${seqno}`
    expect(await refusal(payer.signed(0, [nothing]))).toBe(`${CANNOT}Too old seqno: ${turn(0)}`)
    const ahead = seqno + 1_000
    expect(await refusal(payer.signed(ahead, [nothing]))).toBe(`${CANNOT}Too new seqno: ${turn(ahead)}`)
  })

  test('when nobody is there to take it', async () => {
    const text = await refusal(externalOf(stranger('not there'), beginCell().endCell()))
    expect(text).toStartWith(`${CANNOT}Failed to unpack account state`)
  })

  test('and the same message is taken twice without being in two blocks', async () => {
    const seqno = await client.open(payer.contract).getSeqno()
    const boc = payer.signed(seqno, [nothing])
    await client.sendFile(boc)
    await client.sendFile(boc)
    await network.mine(3)
    await until(async () => ((await client.open(payer.contract).getSeqno()) === seqno + 1 ? true : undefined), 'seqno')
  })
})

const externalOf = (to: Address, body: Cell): Buffer =>
  beginCell()
    .storeUint(0b10, 2)
    .storeUint(0, 2)
    .storeAddress(to)
    .storeCoins(0)
    .storeBit(0)
    .storeBit(1)
    .storeRef(body)
    .endCell()
    .toBoc()

describe('money', () => {
  test('comes back from where nobody takes it, if it may', async () => {
    const before = await client.getBalance(payer.address)
    await pay(stranger('nobody at home'), TON, { bounce: true })
    await network.mine(4)
    const [last] = await client.getTransactions(payer.address, { limit: 1 })
    expect(last!.inMessage!.info).toMatchObject({ type: 'internal', bounced: true })
    expect(before - (await client.getBalance(payer.address))).toBeLessThan(TON / 10n)
    expect((await settled(stranger('nobody at home'))).balance).toBe(0n)
  })

  test('all leaves a wallet, which is gone then', async () => {
    const wallet = await usedWallet('who goes', TON)
    const all = internal({ to: payer.address, value: 0n, bounce: false })
    const mode = SendMode.CARRY_ALL_REMAINING_BALANCE | SendMode.DESTROY_ACCOUNT_IF_ZERO | SendMode.IGNORE_ERRORS
    await client.sendFile(wallet.signed(1, [all], mode))
    const { state, balance } = await settled(wallet.address)
    expect([state, balance]).toEqual(['uninitialized', 0n])
  })

  test('goes to the masterchain and comes from there', async () => {
    const own = (await printedWallets(await network.status())).find(({ address }) => address.workChain === -1)!
    await pay(own.address, 3n * TON, { bounce: true })
    await network.mine(3)
    const friend = stranger('a friend of the masterchain')
    await sendMined(network, client, own, internal({ to: friend, value: TON, bounce: false }))
    expect((await settled(friend)).balance).toBe(TON)
  })
})

describe('an account that owes rent', () => {
  test('is frozen after years, and is back with its state and the rent', async () => {
    const wallet = await usedWallet('a poor wallet', TON / 50n)
    const { code, data } = await client.getContractState(wallet.address)
    await network.call('time', { advance: 30 * YEAR })
    await network.mine(2)
    await pay(wallet.address, 1n)
    expect((await settled(wallet.address)).state).toBe('frozen')
    const init = { code: Cell.fromBoc(code!)[0]!, data: Cell.fromBoc(data!)[0]! }
    await pay(wallet.address, 2n * TON, { init })
    expect((await settled(wallet.address)).state).toBe('active')
    await until(async () => ((await client.open(wallet.contract).getSeqno()) === 1 ? true : undefined), 'the old seqno')
    await sendMined(network, client, wallet, internal({ to: payer.address, value: TON, bounce: false }))
  })
})

describe('a library', () => {
  /** PUSHINT 42 */
  const library = beginCell().storeUint(0x802a, 16).endCell()
  /** PUSHREF library, PUSHINT 2, SETLIBCODE: whoever writes to it makes it public. */
  const publisher = { code: beginCell().storeUint(0x8872fb06, 32).storeRef(library).endCell(), data: new Cell() }

  test('is published in the masterchain, and run by contracts that name it', async () => {
    const named = beginCell().storeUint(2, 8).storeBuffer(library.hash()).endCell({ exotic: true })
    const user = { code: named, data: new Cell() }
    await pay(contractAddress(0, user), TON, { init: user })
    await network.mine(3)
    expect((await client.runMethodWithError(contractAddress(0, user), 'answer')).exit_code).not.toBe(0)
    await pay(contractAddress(-1, publisher), 5n * TON, { init: publisher })
    await network.mine(3)
    const { result } = await until(async () => {
      const path = `/ton/api/v2/getLibraries?libraries=${library.hash().toString('hex')}`
      const found = await network.get<{ result: { result: { hash: string; data: string }[] } }>(path)
      return found.result.result.length > 0 ? found : undefined
    }, 'the library')
    expect(Cell.fromBase64(result.result[0]!.data).hash()).toEqual(library.hash())
    const { stack, exit_code } = await client.runMethodWithError(contractAddress(0, user), 'answer')
    expect([exit_code, stack.skip(1).readNumber()]).toEqual([0, 42])
  })
})

describe('a parameter of the configuration', () => {
  /** What is created for a block; the check of the chain looks for it in every block. */
  const PARAM = 14
  const value = beginCell()
    .storeUint(0x6b, 8)
    .storeCoins(TON)
    .storeCoins(TON / 2n)
    .endCell()

  test('is changed by a key block, which clients with full trust follow', async () => {
    const { init, last } = await getMasterchainInfo(query)
    const zero = { ...init, shard: SHARD_ALL, seqno: 0 }
    const early = startTrustingClient(network.liteserver, zero)
    const reached = (seqno: number, one = early) => one.head.reached(seqno, AbortSignal.timeout(20_000))
    try {
      await reached(last.seqno)
      const { seqno } = await network.call('config', { param: PARAM, boc: value.toBoc().toString('base64') })
      await until(async () => {
        const answer = await fetch(`${network.url}/ton/api/v2/getConfigParam?config_id=${PARAM}`)
        const { result } = (await answer.json()) as { result?: { config: { bytes: string } } }
        return result && Cell.fromBase64(result.config.bytes).equals(value) ? result.config.bytes : undefined
      }, 'the parameter')
      const more = (await network.mine(5)).seqno
      expect(await reached(more)).toBe(more)
      const late = startTrustingClient(network.liteserver, zero)
      try {
        expect(await reached(more, late)).toBe(more)
      } finally {
        late.stop()
      }
      await chain.advance(seqno)
      expect(chain.report().keyBlocks).toBeGreaterThan(0)
    } finally {
      early.stop()
    }
  })
})

test('every block of all that is whole, and no money is lost', async () => {
  const { seqno } = await network.mine(2)
  await chain.advance(seqno)
  expect(chain.report()).toMatchObject({ last: seqno, messages: { pending: 0 } })
})
