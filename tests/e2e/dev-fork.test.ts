import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Address, beginCell, internal, toNano } from '@ton/core'
import { keyPairFromSeed } from '@ton/crypto'
import { JettonMaster, JettonWallet, TonClient, WalletContractV3R2 } from '@ton/ton'
import type { ArchiveLiteserver } from '../../src/devnet/archive-liteserver.ts'
import { parseMcStateExtra } from '../../src/ton/tlb/mc-state-extra.ts'
import { shardBlockId, shardEntries } from '../../src/ton/tlb/shard-hashes.ts'
import { parseShardStateUnsplit, shardAccounts } from '../../src/ton/tlb/shard-state.ts'
import { startArchive } from '../support/archive-client.ts'
import { copyExecutable, type Lonely, type Running, startExecutable } from '../support/executable.ts'
import { type LiveNetwork, startLiveNetwork } from '../support/live-network.ts'
import { recordedChain } from '../support/recorded-chain.ts'
import { RECORDED } from '../support/recorded-remote.ts'
import { globalConfigOf } from '../support/served-gateway.ts'
import { until } from '../support/until.ts'

/** A fork of the recorded network: what a developer does with accounts of a public one. */

/** The key of the wallet, which the recording was made with. */
const SEED = Buffer.from('117188df4dc95b1b2fdfb61ad77b146a41826168bf6fa627ab793015ef9f1dec', 'hex')
const TRANSFER = 0xf8a7ea5

let alone: Lonely
let archive: ArchiveLiteserver
let remote: Running
let network: LiveNetwork
let client: TonClient
beforeAll(async () => {
  alone = await copyExecutable()
  archive = await startArchive()
  writeFileSync(join(alone.folder, 'remote.json'), globalConfigOf([{ ...archive.address, key: archive.publicKey }]))
  const served = ['--global-config', 'remote.json', '--data', 'remote', '--index', 'off', '--trust', 'proofs']
  remote = await startExecutable(alone, ['serve', '--listen', '127.0.0.1:0', '--keyless-rps', '0', ...served])
  const fork = ['--fork', 'remote.json', '--trust', 'proofs', '--block-interval', '200ms']
  network = await startLiveNetwork(alone, 'data', ...fork)
  client = new TonClient({ endpoint: network.rpc, timeout: 20_000 })
}, 120_000)
afterAll(async () => {
  await network.end('SIGKILL')
  await remote.end('SIGKILL')
  await archive.stop()
  alone.remove()
})

/** All accounts of the recorded basechain at its end, in raw form. */
const recordedAccounts = (): string[] => {
  const chain = recordedChain()
  const { custom } = parseShardStateUnsplit(chain.masterchain(chain.last)!.state)
  return [...shardEntries(parseMcStateExtra(custom!).shard_hashes)].flatMap((entry) => {
    const { accounts } = parseShardStateUnsplit(chain.block(shardBlockId(entry))!.state)
    return [...shardAccounts(accounts)].map(([id]) => `0:${id.toString('hex')}`)
  })
}

type Answer = { ok: boolean; result?: Record<string, unknown> }

const ask = async (url: string, path: string): Promise<Answer> => (await (await fetch(url + path)).json()) as Answer

const stateOf = async (url: string, address: string): Promise<unknown[]> => {
  const { result } = await ask(url, `/ton/api/v2/getAddressInformation?address=${address}`)
  return ['balance', 'code', 'data', 'state', 'frozen_hash'].map((key) => result?.[key])
}

describe('an account of the other network', () => {
  test('is there at the first question, every fourth of them', async () => {
    const accounts = recordedAccounts()
    expect(accounts.length).toBeGreaterThan(400)
    const work = accounts.filter((_, i) => i % 4 === 0).values()
    let same = 0
    const ask = async (): Promise<void> => {
      for (const address of work) {
        expect([address, ...(await stateOf(network.url, address))]).toEqual([
          address,
          ...(await stateOf(remote.url, address)),
        ])
        same++
      }
    }
    await Promise.all(Array.from({ length: 8 }, ask))
    expect(same).toBe(Math.ceil(accounts.length / 4))
  }, 120_000)

  test('runs get-methods as over there, also where its code is a library', async () => {
    for (const address of [RECORDED.jetton, RECORDED.jettonWallet, RECORDED.collection]) {
      const [here, there] = await Promise.all(
        [network.url, remote.url].map((url) => ask(url, `/ton/api/v2/getTokenData?address=${address}`)),
      )
      expect(there!.ok).toBe(true)
      expect(here!.result).toEqual(there!.result!)
    }
  })
})

test('a jetton of the other network is sent to somebody new', async () => {
  const { publicKey, secretKey } = keyPairFromSeed(SEED)
  const wallet = client.open(WalletContractV3R2.create({ workchain: 0, publicKey }))
  expect(wallet.address.toRawString()).toBe(RECORDED.wallet)
  const to = new Address(0, Buffer.alloc(32, 0x5a))
  const own = Address.parse(RECORDED.jettonWallet)
  const before = await client.open(JettonWallet.create(own)).getBalance()
  const body = beginCell()
    .storeUint(TRANSFER, 32)
    .storeUint(1, 64)
    .storeCoins(10n)
    .storeAddress(to)
    .storeAddress(wallet.address)
    .storeBit(0)
    .storeCoins(1n)
    .storeBit(0)
    .endCell()
  await wallet.sendTransfer({
    seqno: await wallet.getSeqno(),
    secretKey,
    messages: [internal({ to: own, value: toNano('0.5'), bounce: true, body })],
    timeout: 0x7fffffff,
  })
  const master = client.open(JettonMaster.create(Address.parse(RECORDED.jetton)))
  const theirs = client.open(JettonWallet.create(await master.getWalletAddress(to)))
  await until(async () => ((await theirs.getBalance()) === 10n ? true : undefined), 'the jettons')
  expect(await client.open(JettonWallet.create(own)).getBalance()).toBe(before - 10n)
})

test('the network goes on when the other one is gone, with what it has', async () => {
  await archive.stop()
  const [here] = await stateOf(network.url, RECORDED.collection)
  expect(BigInt(here as string)).toBeGreaterThan(0n)
  const unknown = new Address(0, Buffer.alloc(32, 0x3c))
  await network.call('faucet', { address: unknown.toString(), amount: toNano(2).toString() })
  await until(async () => ((await client.getBalance(unknown)) > 0n ? true : undefined), 'the payment')
  expect(network.stderr()).toContain('an account could not be taken in')
})
