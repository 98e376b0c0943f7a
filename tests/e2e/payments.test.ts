import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { Address, beginCell, Cell, comment, internal, type MessageRelaxed, toNano } from '@ton/core'
import { TonClient } from '@ton/ton'
import { createTonPayTransfer, getTonPayTransferByReference, TON } from '@ton-pay/api'
import { makeUlid } from '../../src/common/ulid.ts'
import { transferBody } from '../../src/payments/transfer-body.ts'
import { openPaymentStore } from '../../src/store/payments/environment.ts'
import { addTransfer, findTransfer } from '../../src/store/payments/transfers.ts'
import { copyExecutable, type Lonely, runExecutable } from '../support/executable.ts'
import { type FakeJetton, fakeJettonOf, walletOf } from '../support/fake-jetton.ts'
import { type LiveNetwork, startLiveNetwork } from '../support/live-network.ts'
import { type LiveWallet, printedWallets, sendFrom } from '../support/live-wallet.ts'
import { untilReady } from '../support/ready.ts'
import { toTonCore } from '../support/ton-core.ts'
import { until } from '../support/until.ts'
import { type ReceivedEvent, startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts'

/** Payments by real wallets on `tonlith dev`, and what a merchant is told of them. */

setDefaultTimeout(120_000)

type Created = Awaited<ReturnType<typeof createTonPayTransfer>>

const FLAGS = ['--block-interval', '200ms', '--payments-rps', '1000']
const KEYS = ['amount', 'rawAmount', 'senderAddr', 'recipientAddr', 'asset', 'assetTicker', 'status', 'reference']
const LATER_KEYS = ['bodyBase64Hash', 'txHash', 'traceId', 'commentToRecipient', 'date']

let alone: Lonely
let network: LiveNetwork
let client: TonClient
let payer: LiveWallet
let other: LiveWallet
let shop: LiveWallet
let master: Address
let fake: FakeJetton
let apiKey: string
let receiver: WebhookReceiver

const start = async (): Promise<void> => {
  network = await startLiveNetwork(alone, 'data', ...FLAGS)
  client = new TonClient({ endpoint: network.rpc, timeout: 20_000 })
  process.env['TONPAY_BASE_URL'] = network.url
  await untilReady(network.url, 90_000)
}

beforeAll(async () => {
  alone = await copyExecutable()
  receiver = startWebhookReceiver()
  await start()
  const status = await network.status()
  const wallets = await printedWallets(status)
  const [v5, v4] = ['v5r1', 'v4r2'].map((version) => status.wallets.findIndex((wallet) => wallet.version === version))
  payer = wallets[v5!]!
  other = wallets[v4!]!
  shop = wallets.find((wallet) => wallet !== payer && wallet !== other)!
  master = Address.parse(status.contracts.find(({ name }) => name === 'jetton TUSD')!.address)
  const own = ['--network', 'dev', '--wallet', shop.address.toString(), '--webhook', receiver.url, '--data', 'data']
  const { stdout, stderr } = await runExecutable(alone, ['merchants', 'add', 'shop', ...own])
  apiKey = /^api key (\S+)$/m.exec(stdout)?.[1] ?? stderr
  receiver.secret = /^webhook secret (\S+)$/m.exec(stdout)?.[1] ?? stderr
  fake = await fakeJettonOf(client, master, other.address)
  await sendFrom(client, other, fake.deploy)
  await sendFrom(client, other, fake.mint(payer.address, 1_000_000_000n))
})
afterAll(async () => {
  delete process.env['TONPAY_BASE_URL']
  await network.end('SIGKILL')
  await receiver.stop()
  alone.remove()
})

const shown = (address: Address): string => address.toString({ bounceable: false })

const ask = (amount: number, asset: string, recipient?: Address): Promise<Created> =>
  createTonPayTransfer(
    {
      amount,
      asset,
      senderAddr: shown(payer.address),
      commentToRecipient: 'order 1',
      ...(recipient && { recipientAddr: recipient.toRawString() }),
    },
    { apiKey },
  )

const bodyOf = ({ message }: Created): Cell => Cell.fromBase64(message.payload)

/** What a wallet that is given a TON Connect message sends. */
const signed = (created: Created, changes: { to?: Address; value?: bigint; bounce?: boolean } = {}): MessageRelaxed => {
  const { address, isBounceable } = Address.parseFriendly(created.message.address)
  const { to = address, value = BigInt(created.message.amount), bounce = isBounceable } = changes
  return internal({ to, value, bounce, body: bodyOf(created) })
}

/** A transfer of jettons that a person made, with a comment. */
const byHand = (wallet: Address, owner: Address, amount: bigint, text: string, forward: bigint): MessageRelaxed => {
  const head = beginCell().storeUint(0x0f8a7ea5, 32).storeUint(0, 64).storeCoins(amount)
  const to = head.storeAddress(shop.address).storeAddress(owner).storeBit(false).storeCoins(forward)
  return internal({ to: wallet, value: toNano('0.1'), body: to.storeBit(true).storeRef(comment(text)).endCell() })
}

/** A transfer like this one, whose time is over. */
const expired = async ({ reference }: Created): Promise<{ reference: string; body: Cell }> => {
  const store = await openPaymentStore(join(alone.folder, 'data'))
  const like = findTransfer(store, reference)!
  const late = { ...like, reference: makeUlid(Date.now(), randomBytes(10)), expires: like.created - 1 }
  const body = transferBody(late)
  addTransfer(store, { ...late, body_hash: body.hash() }, { ofMerchant: 1_000, ofNobody: 0 })
  await store.close()
  return { reference: late.reference, body: toTonCore(body) }
}

const eventsOf = ({ reference }: Pick<Created, 'reference'>): ReceivedEvent[] => {
  const ids = new Set<string>()
  return receiver.received.filter(({ id, body }) => {
    if (body.data.reference !== reference || ids.has(id)) return false
    ids.add(id)
    return true
  })
}

const told = (created: Pick<Created, 'reference'>, count = 1): Promise<ReceivedEvent['body']['data'][]> =>
  until(async () => {
    const events = eventsOf(created)
    return events.length >= count ? events.map(({ body }) => body.data) : undefined
  }, `${count} events about ${created.reference}`)

test('what is paid, and what only looks like it', async () => {
  const usd = master.toString()
  const fresh = Address.parse(`0:${'7'.repeat(64)}`)
  const [ofPayer, ofOther, fakes] = await Promise.all([
    walletOf(client, master, payer.address),
    walletOf(client, master, other.address),
    walletOf(client, fake.master, payer.address),
  ])
  const native = await ask(1.5, TON)
  const jetton = await ask(10.000001, usd)
  const silent = await ask(2, usd)
  const less = await ask(1.5, TON)
  const typed = await ask(1.5, TON)
  const typedJetton = await ask(3, usd)
  const wrongAsset = await ask(1.5, TON)
  const wrongCoin = await ask(5, usd)
  const faked = await ask(5, usd)
  const bounced = await ask(1.5, TON, fresh)
  const outOfGas = await ask(5, usd)
  const poor = await ask(5, usd)
  const tooMany = await ask(900_000_000, usd)
  const unsent = await ask(1_000_000_000, TON)
  const twice = await ask(0.5, TON)
  const bare = await ask(1.5, TON)
  const late = await expired(await ask(0.25, TON))
  const ref = ({ reference }: Created): string => `ref ${reference}`

  await sendFrom(
    client,
    payer,
    signed(native),
    signed(jetton),
    byHand(ofPayer, payer.address, 2_000_000n, ref(silent), 0n),
    signed(less, { value: toNano('0.7') }),
    byHand(ofPayer, payer.address, 1_500_000n, ref(wrongAsset), 1n),
    internal({ to: shop.address, value: 5n, bounce: false, body: comment(ref(wrongCoin)) }),
    signed(faked, { to: fakes }),
    byHand(fakes, payer.address, 5_000_000n, ref(faked), 1n),
    signed(bounced, { bounce: true }),
    signed(outOfGas, { value: toNano('0.0005') }),
    signed(poor, { value: toNano('0.004') }),
    signed(tooMany),
    signed(unsent),
    signed(twice),
    signed(twice),
    internal({ to: shop.address, value: toNano('1.5'), bounce: false }),
    internal({ to: shop.address, value: toNano('1.5'), bounce: false, body: comment('order 1') }),
  )
  await sendFrom(
    client,
    other,
    internal({ to: shop.address, value: toNano('1.5'), bounce: false, body: comment(ref(typed).toLowerCase()) }),
    byHand(ofOther, other.address, 3_000_000n, `for you, ${typedJetton.reference}`, 1n),
  )

  const success = { status: 'success', senderAddr: shown(payer.address), recipientAddr: shown(shop.address) }
  const [first] = await told(native)
  expect(first).toMatchObject({ ...success, amount: '1.5', rawAmount: '1500000000', asset: TON, assetTicker: TON })
  expect(Object.keys(first!)).toEqual([...KEYS, ...LATER_KEYS])
  expect(await told(jetton)).toMatchObject([{ ...success, rawAmount: '10000001', asset: usd, assetTicker: 'TUSD' }])
  expect(await told(silent)).toMatchObject([{ ...success, amount: '2' }])
  expect(await told(less)).toMatchObject([{ ...success, amount: '0.7' }])
  const byOther = { ...success, senderAddr: shown(other.address) }
  expect(await told(typed)).toMatchObject([{ ...byOther, amount: '1.5' }])
  expect(await told(typedJetton)).toMatchObject([{ ...byOther, amount: '3' }])
  const both = await told(twice, 2)
  expect(both).toMatchObject([success, success])
  expect(new Set(both.map(({ txHash }) => txHash)).size).toBe(2)

  const failure = async (created: Created) => {
    const [data] = await told(created)
    expect(data?.status).toBe('failed')
    return [data!['errorCode'], data!['errorMessage']]
  }
  expect(await failure(bounced)).toEqual([-256, 'the account is not deployed'])
  expect(await failure(outOfGas)).toEqual([-14, 'the contract ran out of gas'])
  expect(await failure(poor)).toEqual([709, 'not enough money was sent along'])
  expect(await failure(tooMany)).toEqual([706, 'not enough tokens'])
  expect((await failure(unsent))[0]).toBe(37)

  const before = await getTonPayTransferByReference(late.reference, { apiKey })
  expect(String(before.status)).toBe('expired')
  await sendFrom(client, payer, internal({ to: shop.address, value: toNano('0.25'), bounce: false, body: late.body }))
  expect(await told(late)).toMatchObject([{ ...success, amount: '0.25' }])
  for (const nothing of [wrongAsset, wrongCoin, faked, bare]) {
    expect(eventsOf(nothing)).toEqual([])
    const info = await getTonPayTransferByReference(nothing.reference, { apiKey })
    expect(String(info.status)).toBe('pending')
  }
  expect(receiver.received.every(({ isSigned }) => isSigned)).toBe(true)
  for (const created of [native, jetton, bounced])
    expect(await getTonPayTransferByReference(created.reference, { apiKey })).toEqual(
      (await told(created))[0] as unknown as Awaited<ReturnType<typeof getTonPayTransferByReference>>,
    )
})

test('payments are told once though the gateway is killed, and its index made anew', async () => {
  const paid: Created[] = []
  for (const isAnew of [false, true]) {
    const created = [await ask(0.1, TON), await ask(1, master.toString())]
    paid.push(...created)
    await sendFrom(client, payer, ...created.map((one) => signed(one)))
    await network.end('SIGKILL')
    if (isAnew) rmSync(join(alone.folder, 'data', 'dev', 'index'), { recursive: true, force: true })
    await start()
  }
  const last = await ask(0.1, TON)
  await sendFrom(client, payer, signed(last))
  for (const created of [...paid, last]) expect(await told(created)).toMatchObject([{ status: 'success' }])
  for (const created of [...paid, last]) expect(eventsOf(created).length).toBe(1)
})
