import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Address, beginCell, Cell, external, internal, storeMessage, type Transaction } from '@ton/core'
import {
  ElectorContract,
  JettonMaster,
  JettonWallet,
  TonClient,
  WalletContractV1R3,
  WalletContractV2R2,
  WalletContractV3R1,
  WalletContractV3R2,
  WalletContractV4,
  WalletContractV5R1,
} from '@ton/ton'
import { recordedChain } from '../support/recorded-chain.ts'
import { recordedMessages } from '../support/recorded-messages.ts'
import { type SdkEndpoint, startSdkEndpoint } from '../support/sdk-endpoint.ts'

/** @ton/ton as published, against the gateway: all that its TonClient can do. */

const WALLET = Address.parse('0:c4f8b4a75bbda2c6e7d1436c92984d6d40cec483524f1c1330d91a23f4d74206')
const TOOLBOX = Address.parse('0:05710757ef8212f1f1fc5bfdcd81b8242682a46b80274964401983ee78819184')
const JETTON_MASTER = Address.parse('0:f324b1d4635511547aba3e066f12e288ae3350694cb16de5886d29748e5849f3')
const JETTON_OWNER = Address.parse('0:238215e50493d828cb002c2395a9cd5bc4d05c861bf007a4a50612b9f7e987ea')
const JETTON_WALLET = Address.parse('0:383f6cca9308d1c6dd893a2870cce9dfb9903e213b487366d29ee95cc85868ea')
const UNUSED = Address.parse(`0:${'00'.repeat(31)}aa`)
const EXTRA_CURRENCY_ID = 100

let endpoint: SdkEndpoint
let client: TonClient
beforeAll(async () => {
  endpoint = await startSdkEndpoint()
  client = new TonClient({ endpoint: endpoint.url, timeout: 20_000 })
})
afterAll(() => endpoint.stop())

/** The public key that stands in the data of a wallet, behind so many bits. */
const publicKeyOf = async (address: Address, skipped: number): Promise<Buffer> => {
  const { data } = await client.getContractState(address)
  return Cell.fromBoc(data!)[0]!.beginParse().skip(skipped).loadBuffer(32)
}

describe('accounts', () => {
  test('of every state are read', async () => {
    const wallet = await client.getContractState(WALLET)
    expect(wallet).toMatchObject({ state: 'active', timestampt: expect.any(Number) })
    expect(wallet.balance).toBe(await client.getBalance(WALLET))
    expect(Cell.fromBoc(wallet.code!)[0]!.bits.length).toBeGreaterThan(0)
    expect(wallet.blockId.seqno).toBe(recordedChain().last)
    expect(await client.isContractDeployed(WALLET)).toBe(true)

    const unused = await client.getContractState(UNUSED)
    expect(unused).toMatchObject({ state: 'uninitialized', balance: 0n, code: null, data: null, lastTransaction: null })
    expect(await client.isContractDeployed(UNUSED)).toBe(false)
    expect(await client.getBalance(UNUSED)).toBe(0n)
  })

  test('with extra currencies are read', async () => {
    const holder = Address.parse('0:18ad6f93f78e65eb85cb444b01d20678a92f8836f7a6765badc400780bf27df1')
    const { extracurrency } = await client.provider(holder).getState()
    for (const [id, amount] of Object.entries(extracurrency ?? {})) {
      expect(Number(id)).toBeGreaterThanOrEqual(EXTRA_CURRENCY_ID)
      expect(amount).toBeGreaterThan(0n)
    }
    expect(Object.keys(extracurrency ?? {}).length).toBeGreaterThan(0)
  })
})

describe('wallets', () => {
  /** Address, its class and the bits before the public key. */
  const DEPLOYED = [
    ['0:066ea63181a955c2e8c9dfaa6163ee3912195bf16ef5f8a0a666e8928059efa4', WalletContractV1R3, 32],
    ['0:31ec21e5c5589170cee0e784340d8c95ab629eb0ed7b56e0512d1d059b5b148b', WalletContractV2R2, 32],
    ['0:13c1f932c0aaf812820b5f5722e5792492ef0b744ff94f465fde2753dedbf8f0', WalletContractV3R1, 64],
    ['0:b6c006293c24aa60ebdd9816c6b2c1c3c6499ac76910ef98247419a426f7ad4b', WalletContractV3R2, 64],
    ['0:c4f8b4a75bbda2c6e7d1436c92984d6d40cec483524f1c1330d91a23f4d74206', WalletContractV4, 64],
  ] as const

  test('of each version tell their seqno and balance', async () => {
    for (const [raw, kind, skipped] of DEPLOYED) {
      const address = Address.parse(raw)
      const publicKey = await publicKeyOf(address, skipped)
      const wallet = client.open(kind.create({ workchain: 0, publicKey }))
      expect(wallet.address.equals(address)).toBe(true)
      const { stack } = await client.provider(address).get('seqno', [])
      expect(await wallet.getSeqno()).toBe(stack.readNumber())
      expect(await wallet.getBalance()).toBe(await client.getBalance(address))
    }
  })

  test('that are not deployed have the seqno 0', async () => {
    const wallet = client.open(WalletContractV4.create({ workchain: 0, publicKey: Buffer.alloc(32, 7) }))
    expect(await wallet.getSeqno()).toBe(0)
    const next = client.open(WalletContractV5R1.create({ workchain: 0, publicKey: Buffer.alloc(32, 7) }))
    expect(await next.getSeqno()).toBe(0)
  })

  test('hand in messages, which an archive refuses in its own words', async () => {
    const publicKey = await publicKeyOf(WALLET, 64)
    const wallet = client.open(WalletContractV4.create({ workchain: 0, publicKey }))
    const transfer = wallet.sendTransfer({
      seqno: await wallet.getSeqno(),
      secretKey: Buffer.alloc(64, 1),
      messages: [internal({ to: UNUSED, value: 1n })],
    })
    await expect(transfer).rejects.toMatchObject({
      response: { status: 500, data: { ok: false, error: expect.stringContaining('cannot take messages') } },
    })
  })
})

describe('contracts', () => {
  test('of jettons are opened', async () => {
    const master = client.open(JettonMaster.create(JETTON_MASTER))
    expect((await master.getWalletAddress(JETTON_OWNER)).equals(JETTON_WALLET)).toBe(true)
    const { totalSupply, mintable } = await master.getJettonData()
    expect(totalSupply).toBeGreaterThan(0n)
    expect(mintable).toBe(true)
    const balance = await client.open(JettonWallet.create(JETTON_WALLET)).getBalance()
    expect(balance).toBe(0xc269e0de00n)
    expect(balance).toBeLessThanOrEqual(totalSupply)
  })

  test('of the network itself are opened', async () => {
    const elector = client.open(new ElectorContract())
    expect(await elector.getActiveElectionId()).toBeNull()
    expect(Array.isArray(await elector.getPastElectionsList())).toBe(true)
  })

  test('get arguments and give results of every shape', async () => {
    const { stack: sum } = await client.runMethod(TOOLBOX, 'add', [
      { type: 'int', value: -(2n ** 200n) },
      { type: 'int', value: 2n ** 199n },
    ])
    expect(sum.readBigNumber()).toBe(-(2n ** 199n))
    const shapes = ['ints', 'tup', 'lst', 'nul', 'emptytup', 'slc', 'bld', 'cel', 'addr', 'mix']
    const kinds = new Set<string>()
    for (const method of shapes) {
      const { stack } = await client.runMethod(TOOLBOX, method)
      while (stack.remaining > 0) kinds.add(stack.pop().type)
    }
    expect([...kinds].sort()).toEqual(['builder', 'cell', 'int', 'null', 'tuple'])
    expect((await client.runMethod(TOOLBOX, 'addr')).stack.readAddress()).toBeInstanceOf(Address)
    expect((await client.runMethod(TOOLBOX, 'nul')).stack.pop()).toEqual({ type: 'null' })
    const { stack: config } = await client.runMethod(TOOLBOX, 'conf', [{ type: 'int', value: 17n }])
    expect(config.readCell().bits.length).toBeGreaterThan(0)
  })

  test('that end with an exception say so, not the transport', async () => {
    const unknown = await client.runMethodWithError(TOOLBOX, 'no_such_method')
    expect(unknown.exit_code).toBe(11)
    const unused = await client.runMethodWithError(UNUSED, 'seqno')
    expect(unused.exit_code).toBe(-13)
    await expect(client.runMethod(TOOLBOX, 'no_such_method')).rejects.toThrow('exit_code: 11')
  })
})

describe('transactions', () => {
  test('are paged through to the first one without gap or repetition', async () => {
    const seen: Transaction[] = []
    for (;;) {
      const last = seen.at(-1)
      const from = last && { lt: last.lt.toString(), hash: last.hash().toString('base64'), inclusive: false }
      const page = await client.getTransactions(WALLET, { limit: 7, archival: true, ...from })
      for (const [i, each] of page.entries()) {
        const before = page[i - 1] ?? last
        if (before) expect(each.hash().toString('hex')).toBe(hex(before.prevTransactionHash))
      }
      seen.push(...page)
      if (page.length < 7) break
    }
    expect(seen.at(-1)!.prevTransactionLt).toBe(0n)
    expect(new Set(seen.map(({ lt }) => lt)).size).toBe(61)
    const [newest, , third] = seen
    const found = await client.getTransaction(WALLET, third!.lt.toString(), third!.hash().toString('base64'))
    expect(found!.hash()).toEqual(third!.hash())
    const since = await client.getTransactions(WALLET, { limit: 20, to_lt: third!.lt.toString(), inclusive: true })
    expect(since[0]!.hash()).toEqual(newest!.hash())
    expect(since.every(({ lt }) => lt >= third!.lt)).toBe(true)
  })

  test('are located by a message', async () => {
    const { source, destination, created_lt, sender, receiver } = recordedMessages().find(
      (each) => each.sender && each.receiver && each.source.workchain === 0 && each.destination.workchain === 0,
    )!
    const [from, to] = [source, destination].map(({ workchain, hash }) => new Address(workchain, hash))
    const result = await client.tryLocateResultTx(from!, to!, created_lt.toString())
    expect(result.hash()).toEqual(receiver!.transaction.id.hash)
    const origin = await client.tryLocateSourceTx(from!, to!, created_lt.toString())
    expect(origin.hash()).toEqual(sender!.transaction.id.hash)
  })
})

const hex = (value: bigint): string => value.toString(16).padStart(64, '0')

test('blocks: the head, its shards, their transactions', async () => {
  const { latestSeqno, initSeqno, workchain } = await client.getMasterchainInfo()
  expect({ latestSeqno, initSeqno, workchain }).toEqual({
    latestSeqno: recordedChain().last,
    initSeqno: 0,
    workchain: -1,
  })
  let transactions = 0
  for (let seqno = latestSeqno; seqno > latestSeqno - 40; seqno--)
    for (const { workchain, shard, seqno: block } of await client.getWorkchainShards(seqno))
      transactions += (await client.getShardTransactions(workchain, block, shard)).length
  expect(transactions).toBeGreaterThan(0)
})

describe('messages', () => {
  const body = beginCell().storeUint(0, 512).endCell()

  test('are estimated, for accounts that are there and for those to be', async () => {
    const args = { body, initCode: null, initData: null, ignoreSignature: true }
    const { source_fees } = await client.estimateExternalMessageFee(WALLET, args)
    for (const name of ['in_fwd_fee', 'storage_fee', 'gas_fee', 'fwd_fee'] as const)
      expect(source_fees[name]).toBeTypeOf('number')
    const { address, init } = WalletContractV4.create({ workchain: 0, publicKey: Buffer.alloc(32, 9) })
    const first = { ...args, initCode: init.code, initData: init.data }
    const { source_fees: deployed } = await client.estimateExternalMessageFee(address, first)
    expect(deployed.in_fwd_fee).toBeGreaterThan(0)
  })

  test('are refused as files with the words of the liteserver, and junk is refused at once', async () => {
    const message = beginCell()
      .store(storeMessage(external({ to: WALLET, body })))
      .endCell()
    await expect(client.sendFile(message.toBoc())).rejects.toMatchObject({ response: { status: 500 } })
    await expect(client.sendFile(Buffer.from('junk'))).rejects.toMatchObject({ response: { status: 422 } })
  })
})
