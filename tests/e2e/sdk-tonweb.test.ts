import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import TonWeb from 'tonweb'
import { recordedChain } from '../support/recorded-chain.ts'
import { type SdkEndpoint, startSdkEndpoint } from '../support/sdk-endpoint.ts'

/** tonweb as published, against the gateway: its provider, which takes answers as they come, and its contracts. */

const WALLET = 'EQDE-LSnW72ixufRQ2ySmE1tQM7Eg1JPHBMw2Roj9NdCBjdj'
const TOOLBOX = '0:05710757ef8212f1f1fc5bfdcd81b8242682a46b80274964401983ee78819184'
const JETTON_MASTER = '0:f324b1d4635511547aba3e066f12e288ae3350694cb16de5886d29748e5849f3'
const UNUSED = `0:${'00'.repeat(31)}aa`
/** A bag with one empty cell, as a body. */
const EMPTY = 'te6cckEBAQEAAgAAAEysuc0='

/** What the published types of tonweb leave out. */
interface Untyped {
  getConfigParam(id: number): Promise<{ bits: { length: number } }>
  getBlockTransactions(workchain: number, shard: string, seqno: number, limit?: number): Promise<Page>
  getMasterchainBlockTransactions(seqno: number, limit?: number, lt?: string, addressHash?: string): Promise<Page>
}

interface Page {
  '@type': string
  transactions: { lt: string; account: string }[]
}

const untyped = (provider: unknown): Untyped => provider as Untyped

let endpoint: SdkEndpoint
let web: TonWeb
beforeAll(async () => {
  endpoint = await startSdkEndpoint()
  web = new TonWeb(new TonWeb.HttpProvider(endpoint.url))
})
afterAll(() => endpoint.stop())

describe('accounts', () => {
  test('their balance, also of one that is not there', async () => {
    const { balance } = await web.provider.getAddressInfo(WALLET)
    expect(balance).toMatch(/^\d+$/)
    expect(await web.getBalance(WALLET)).toBe(balance)
    expect(await web.getBalance(UNUSED)).toBe('0')
  })

  test('in full, and as wallets', async () => {
    const { account_state } = await web.provider.getExtendedAddressInfo(WALLET)
    expect(account_state).toMatchObject({ '@type': 'wallet.v4.accountState', seqno: 4 })
    const info = await web.provider.getWalletInfo(WALLET)
    expect(info).toMatchObject({ wallet: true, seqno: 4, account_state: 'active', wallet_type: 'wallet v4 r2' })
    expect(await web.provider.getWalletInfo(UNUSED)).toMatchObject({ wallet: false, account_state: 'uninitialized' })
  })

  test('their transactions, page by page', async () => {
    const [first, second, third] = await web.getTransactions(WALLET, 3)
    for (const { transaction_id, utime, in_msg, out_msgs } of [first, second, third]) {
      expect(transaction_id.lt).toMatch(/^\d+$/)
      expect(transaction_id.hash).toMatch(/^[\w+/]{43}=$/)
      expect(utime).toBeTypeOf('number')
      expect(in_msg).toBeDefined()
      expect(Array.isArray(out_msgs)).toBe(true)
    }
    const { lt, hash } = third.transaction_id
    const [again] = await web.getTransactions(WALLET, 1, lt, hash)
    expect(again).toEqual(third)
    const down = await web.getTransactions(WALLET, 10, undefined, undefined, lt)
    expect(down.map((each: typeof first) => each.transaction_id)).toEqual(
      [first, second].map((each) => each.transaction_id),
    )
  })
})

describe('contracts', () => {
  test('their methods, with results as tonweb reads them', async () => {
    expect(String(await web.provider.call2(WALLET, 'seqno'))).toBe('4')
    const sum = await web.provider.call2(TOOLBOX, 'add', [
      ['num', '0x28'],
      ['num', 2],
    ])
    expect(String(sum)).toBe('42')
    const raw = await web.call(TOOLBOX, 'ints')
    expect(raw).toMatchObject({ '@type': 'smc.runResult', exit_code: 0 })
    const failed = await web.call(UNUSED, 'seqno')
    expect(failed).toMatchObject({ exit_code: -13 })
    await expect(web.provider.call2(TOOLBOX, 'no_such_method')).rejects.toMatchObject({ result: { exit_code: 11 } })
  })

  test('wallets and jettons are opened', async () => {
    const { v4R2 } = web.wallet.all
    const publicKey = await new v4R2(web.provider, { address: WALLET }).getPublicKey()
    const wallet = new v4R2(web.provider, { publicKey: TonWeb.utils.hexToBytes(publicKey.toString(16, 64)) })
    expect((await wallet.getAddress()).toString(true, true, true)).toBe(WALLET)
    expect(await wallet.methods.seqno().call()).toBe(4)
    const adminAddress = new TonWeb.utils.Address(UNUSED)
    const options = { address: JETTON_MASTER, adminAddress, jettonContentUri: '', jettonWalletCodeHex: '' }
    const minter = new TonWeb.token.jetton.JettonMinter(web.provider, options)
    const { totalSupply, isMutable } = await minter.getJettonData()
    expect(totalSupply.gtn(0)).toBe(true)
    expect(isMutable).toBe(true)
  })
})

test('the network: head, configuration, shards, blocks', async () => {
  const { last, init } = await web.provider.getMasterchainInfo()
  expect([last.seqno, init.seqno]).toEqual([recordedChain().last, 0])
  expect((await untyped(web.provider).getConfigParam(17)).bits.length).toBeGreaterThan(0)
  const { shards } = await web.provider.getBlockShards(last.seqno)
  for (const { workchain, shard, seqno } of shards) {
    const list = await untyped(web.provider).getBlockTransactions(workchain, shard, seqno, 40)
    expect(list['@type']).toBe('blocks.transactions')
    const header = await web.provider.getBlockHeader(workchain, shard, seqno)
    expect(header.id).toMatchObject({ workchain, shard, seqno })
  }
  const { transactions } = await untyped(web.provider).getMasterchainBlockTransactions(last.seqno, 2)
  const pivot = transactions[0]!
  const page = await untyped(web.provider).getMasterchainBlockTransactions(
    last.seqno,
    5,
    pivot.lt,
    pivot.account.slice(3),
  )
  expect(page.transactions[0]).toEqual(transactions[1])
})

describe('messages', () => {
  test('are estimated', async () => {
    const query = { address: WALLET, body: EMPTY, init_code: '', init_data: '', ignore_chksig: true }
    const { source_fees } = await web.provider.getEstimateFee(query)
    for (const name of ['in_fwd_fee', 'storage_fee', 'gas_fee', 'fwd_fee'])
      expect(source_fees[name]).toBeTypeOf('number')
  })

  test('that an archive cannot take are refused in its words, and junk is refused at once', async () => {
    const wallet = new web.wallet.all.v4R2(web.provider, { publicKey: new Uint8Array(32).fill(1) })
    const transfer = { secretKey: new Uint8Array(64).fill(1), toAddress: WALLET, amount: '1', seqno: 0, sendMode: 3 }
    await expect(wallet.methods.transfer(transfer).send()).rejects.toContain('cannot take messages')
    const junk = await new TonWeb.boc.Cell().toBoc()
    await expect(web.sendBoc(junk)).rejects.toBeTypeOf('string')
  })
})
