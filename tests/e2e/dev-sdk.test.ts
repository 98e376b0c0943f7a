import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { hash } from 'node:crypto'
import { Address, beginCell, Cell, contractAddress, Dictionary, internal, type MessageRelaxed, toNano } from '@ton/core'
import { keyPairFromSeed } from '@ton/crypto'
import { JettonMaster, JettonWallet, TonClient } from '@ton/ton'
import {
  JETTON_MINTER_CODE,
  JETTON_WALLET_CODE,
  NFT_COLLECTION_CODE,
  NFT_ITEM_CODE,
} from '../../src/devnet/genesis/codes.ts'
import { cellToBoc } from '../../src/ton/boc-writer.ts'
import { copyExecutable, type Lonely } from '../support/executable.ts'
import { type LiveNetwork, type LiveStatus, startLiveNetwork } from '../support/live-network.ts'
import { type LiveWallet, printedWallets, sendFrom, walletOfKeys } from '../support/live-wallet.ts'
import { untilReady } from '../support/ready.ts'
import { until } from '../support/until.ts'

/** What a developer does first with `tonlith dev`, with `@ton/ton` as published: deploy, pay, mint. */

let alone: Lonely
let network: LiveNetwork
let status: LiveStatus
let client: TonClient
let payer: LiveWallet
beforeAll(async () => {
  alone = await copyExecutable()
  network = await startLiveNetwork(alone, 'data', '--block-interval', '200ms')
  client = new TonClient({ endpoint: network.rpc, timeout: 20_000 })
  status = await network.status()
  payer = (await printedWallets(status))[1]!
}, 60_000)
afterAll(async () => {
  await network.end('SIGKILL')
  alone.remove()
})

type Row = Record<string, unknown>

const raw = (address: Address): string => address.toRawString().toUpperCase()

/** Rows of API v3, once there are any and the first is as it is to be: the index follows a little behind. */
const v3 = <K extends string>(path: string, key: K, isDone: (first: Row) => boolean = () => true): Promise<Row[]> =>
  until(async () => {
    const rows = (await network.get<Record<K, Row[]>>(`/api/v3/${path}`))[key]
    return rows[0] && isDone(rows[0]) ? rows : undefined
  }, path)

const ours = (cell: Parameters<typeof cellToBoc>[0]): Cell => Cell.fromBoc(cellToBoc(cell))[0]!

const onchain = (attributes: Readonly<Record<string, string>>): Cell => {
  const values = Dictionary.empty(Dictionary.Keys.Buffer(32), Dictionary.Values.Cell())
  for (const [name, value] of Object.entries(attributes))
    values.set(hash('sha256', name, 'buffer'), beginCell().storeUint(0, 8).storeStringTail(value).endCell())
  return beginCell().storeUint(0, 8).storeDict(values).endCell()
}

const sent = (to: Address, tons: string, body?: Cell): MessageRelaxed =>
  internal({ to, value: toNano(tons), bounce: true, ...(body && { body }) })

describe('what is printed at the start', () => {
  test('is where Swagger UI is, a key, and ten wallets that have money', async () => {
    expect(network.lines).toContainEqual(expect.stringMatching(/^docs http:\/\/127\.0\.0\.1:\d+\/docs$/))
    expect(network.lines).toContainEqual(expect.stringMatching(/^api key \S+$/))
    const wallets = network.lines.flatMap((line) => /^wallet (v5r1|v4r2) (\S+) ((?:[a-z]+ ?){24})$/.exec(line) ?? [])
    expect(wallets.length / 4).toBeGreaterThanOrEqual(10)
    const printed = await printedWallets(status)
    for (const [i, wallet] of printed.entries()) {
      expect(wallet.address.equals(Address.parse(status.wallets[i]!.address))).toBe(true)
      expect(await client.getBalance(wallet.address)).toBeGreaterThan(toNano(1_000))
      expect(await client.isContractDeployed(wallet.address)).toBe(true)
    }
  })

  test('the documentation and the page are there', async () => {
    for (const path of ['/docs', '/docs/v3', '/dev']) expect((await fetch(network.url + path)).status).toBe(200)
  })
})

describe('a wallet', () => {
  const fresh = walletOfKeys('v5r1', keyPairFromSeed(hash('sha256', 'a new wallet', 'buffer')))
  const friend = new Address(0, hash('sha256', 'a friend', 'buffer'))

  test('is paid by the faucet, deployed, and pays', async () => {
    expect(await client.isContractDeployed(fresh.address)).toBe(false)
    const payment = await network.call<{ transaction_hash: string; lt: string }>('faucet', {
      address: fresh.address.toString(),
      amount: toNano(20).toString(),
    })
    expect(payment.transaction_hash).toMatch(/^[0-9a-f]{64}$/)
    await until(async () => ((await client.getBalance(fresh.address)) === toNano(20) ? true : undefined), 'the payment')
    await sendFrom(client, fresh, internal({ to: friend, value: toNano('1.5'), bounce: false, body: 'hello' }))
    expect(await client.isContractDeployed(fresh.address)).toBe(true)
    await until(async () => ((await client.getBalance(friend)) === toNano('1.5') ? true : undefined), 'the transfer')
    expect(await client.open(fresh.contract).getSeqno()).toBe(1)
  })

  test('has its transactions in API v2', async () => {
    const [last, first] = await client.getTransactions(fresh.address, { limit: 10 })
    expect(last!.inMessage?.info.type).toBe('external-in')
    expect([last!.oldStatus, last!.endStatus]).toEqual(['uninitialized', 'active'])
    expect(last!.outMessagesCount).toBe(1)
    expect(first!.inMessage?.info.type).toBe('internal')
    const [arrived] = await client.getTransactions(friend, { limit: 1 })
    expect(arrived!.inMessage!.body.beginParse().skip(32).loadStringTail()).toBe('hello')
    expect(arrived!.totalFees.coins).toBe(0n)
  })

  test('and in API v3', async () => {
    const rows = await v3(`transactions?account=${friend.toRawString()}`, 'transactions')
    expect(rows[0]).toMatchObject({ account: raw(friend), end_status: 'uninit' })
    expect(rows[0]!['in_msg']).toMatchObject({ source: raw(fresh.address), value: '1500000000' })
    const [trace] = await v3(
      `traces?account=${fresh.address.toRawString()}&limit=1`,
      'traces',
      (first) => first['is_incomplete'] === false,
    )
    expect(trace).toMatchObject({ is_incomplete: false, trace_info: { transactions: 2 } })
  })
})

describe('a jetton', () => {
  const content = onchain({ name: 'Own', symbol: 'OWN', decimals: '9' })
  const minter = () => {
    const data = beginCell().storeCoins(0).storeAddress(payer.address).storeRef(content)
    const init = { code: ours(JETTON_MINTER_CODE), data: data.storeRef(ours(JETTON_WALLET_CODE)).endCell() }
    return { init, address: contractAddress(0, init) }
  }
  const friend = new Address(0, hash('sha256', 'a friend of jettons', 'buffer'))

  test('is deployed and minted', async () => {
    const { init, address } = minter()
    await sendFrom(client, payer, internal({ to: address, value: toNano('0.2'), init, bounce: false }))
    await until(async () => ((await client.isContractDeployed(address)) ? true : undefined), 'the minter')
    const arriving = beginCell().storeUint(0x178d4519, 32).storeUint(0, 64).storeCoins(1_000n)
    const inner = arriving.storeAddress(address).storeAddress(payer.address).storeCoins(0).storeBit(false).endCell()
    const mint = beginCell().storeUint(21, 32).storeUint(0, 64).storeAddress(payer.address).storeCoins(toNano('0.05'))
    await sendFrom(client, payer, sent(address, '0.2', mint.storeRef(inner).endCell()))
    const master = client.open(JettonMaster.create(address))
    await until(async () => ((await master.getJettonData()).totalSupply === 1_000n ? true : undefined), 'the supply')
  })

  test('is transferred', async () => {
    const master = client.open(JettonMaster.create(minter().address))
    const from = await master.getWalletAddress(payer.address)
    const to = client.open(JettonWallet.create(await master.getWalletAddress(friend)))
    const mine = client.open(JettonWallet.create(from))
    await until(async () => ((await mine.getBalance()) === 1_000n ? true : undefined), 'the minted jettons')
    const transfer = beginCell().storeUint(0x0f8a7ea5, 32).storeUint(7, 64).storeCoins(400n).storeAddress(friend)
    const body = transfer.storeAddress(payer.address).storeBit(false).storeCoins(1n).storeBit(false).endCell()
    await sendFrom(client, payer, sent(from, '0.1', body))
    await until(async () => ((await to.getBalance()) === 400n ? true : undefined), 'the transfer')
    expect(await mine.getBalance()).toBe(600n)
  })

  test('is in API v3', async () => {
    const { address } = minter()
    const minted = (first: Row) => first['total_supply'] === '1000'
    const [master] = await v3(`jetton/masters?address=${address.toRawString()}`, 'jetton_masters', minted)
    expect(master).toMatchObject({ total_supply: '1000', jetton_content: { symbol: 'OWN', decimals: '9' } })
    const [wallet] = await v3(`jetton/wallets?owner_address=${friend.toRawString()}`, 'jetton_wallets')
    expect(wallet).toMatchObject({ balance: '400', jetton: raw(address) })
    const [transfer] = await v3(`jetton/transfers?jetton_master=${address.toRawString()}`, 'jetton_transfers')
    expect(transfer).toMatchObject({
      amount: '400',
      query_id: '7',
      source: raw(payer.address),
      destination: raw(friend),
    })
  })
})

describe('an NFT', () => {
  const collection = () => {
    const common = beginCell().storeStringTail('https://example.org/').endCell()
    const content = beginCell()
      .storeRef(onchain({ name: 'Own items' }))
      .storeRef(common)
      .endCell()
    const royalty = beginCell().storeUint(1, 16).storeUint(100, 16).storeAddress(payer.address).endCell()
    const data = beginCell().storeAddress(payer.address).storeUint(0, 64).storeRef(content)
    const init = {
      code: ours(NFT_COLLECTION_CODE),
      data: data.storeRef(ours(NFT_ITEM_CODE)).storeRef(royalty).endCell(),
    }
    return { init, address: contractAddress(0, init) }
  }
  const friend = new Address(0, hash('sha256', 'a friend of art', 'buffer'))

  test('is minted', async () => {
    const { init, address } = collection()
    await sendFrom(client, payer, internal({ to: address, value: toNano('0.1'), init, bounce: false }))
    await until(async () => ((await client.isContractDeployed(address)) ? true : undefined), 'the collection')
    const own = beginCell().storeAddress(friend).storeRef(beginCell().storeStringTail('0.json').endCell()).endCell()
    const mint = beginCell().storeUint(1, 32).storeUint(0, 64).storeUint(0, 64).storeCoins(toNano('0.05'))
    await sendFrom(client, payer, sent(address, '0.2', mint.storeRef(own).endCell()))
    const item = await until(async () => {
      const { stack } = await client.runMethod(address, 'get_nft_address_by_index', [{ type: 'int', value: 0n }])
      const found = stack.readAddress()
      return (await client.isContractDeployed(found)) ? found : undefined
    }, 'the item')
    const { stack } = await client.runMethod(item, 'get_nft_data')
    expect([stack.readBigNumber(), stack.readBigNumber()]).toEqual([-1n, 0n])
    expect(stack.readAddress().equals(address)).toBe(true)
    expect(stack.readAddress().equals(friend)).toBe(true)
  })

  test('is in API v3', async () => {
    const { address } = collection()
    const minted = (first: Row) => first['next_item_index'] === '1'
    const [row] = await v3(`nft/collections?collection_address=${address.toRawString()}`, 'nft_collections', minted)
    expect(row).toMatchObject({ next_item_index: '1', owner_address: raw(payer.address) })
    const [item] = await v3(`nft/items?owner_address=${friend.toRawString()}`, 'nft_items')
    expect(item).toMatchObject({ index: '0', collection_address: raw(address), init: true })
  })
})

describe('what the network begins with', () => {
  test('is in API v3: the jetton TUSD and a collection with items', async () => {
    await untilReady(network.url)
    const [tusd, collection] = status.contracts.map(({ address }) => Address.parse(address))
    const [master] = await v3(`jetton/masters?address=${tusd!.toRawString()}`, 'jetton_masters')
    expect(master).toMatchObject({ jetton_content: { symbol: 'TUSD', decimals: '6' } })
    const wallets = await until(async () => {
      const path = `/api/v3/jetton/wallets?jetton_address=${tusd!.toRawString()}&limit=20`
      const found = (await network.get<{ jetton_wallets: Row[] }>(path)).jetton_wallets
      return found.length >= 10 ? found : undefined
    }, 'the jettons of ten wallets')
    expect(wallets.length).toBeGreaterThanOrEqual(10)
    const items = await v3(`nft/items?collection_address=${collection!.toRawString()}`, 'nft_items')
    expect(items.length).toBeGreaterThan(0)
  })
})
