import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Address, Cell, internal, type MessageRelaxed, toNano } from '@ton/core'
import { JettonMaster, JettonWallet, TonClient } from '@ton/ton'
import { createTonPayTransfer, getTonPayTransferByBodyHash, getTonPayTransferByReference, TON } from '@ton-pay/api'
import { copyExecutable, type Lonely, runExecutable } from '../support/executable.ts'
import { type LiveNetwork, type LiveStatus, startLiveNetwork } from '../support/live-network.ts'
import { type LiveWallet, printedWallets, sendFrom } from '../support/live-wallet.ts'
import { untilReady } from '../support/ready.ts'
import { until } from '../support/until.ts'

/** The merchant SDK as published, against `tonlith dev`: what it is given to sign is signed by wallets and does what it should. */

/** The chain moves at its own pace. */
const TRIAL_MS = 60_000

type Created = Awaited<ReturnType<typeof createTonPayTransfer>>

let alone: Lonely
let network: LiveNetwork
let status: LiveStatus
let client: TonClient
let payer: LiveWallet
let shop: LiveWallet
let apiKey: string
const merchants = async (...args: string[]): Promise<string> => {
  const { code, stdout, stderr } = await runExecutable(alone, ['merchants', ...args, '--data', 'data'])
  if (code !== 0) throw new Error(stderr)
  return stdout
}
const keyOf = (printed: string): string => /^api key (\S+)$/m.exec(printed)![1]!

beforeAll(async () => {
  alone = await copyExecutable()
  network = await startLiveNetwork(alone, 'data', '--block-interval', '200ms')
  client = new TonClient({ endpoint: network.rpc, timeout: 20_000 })
  status = await network.status()
  const wallets = await printedWallets(status)
  payer = wallets[1]!
  shop = wallets[2]!
  apiKey = keyOf(await merchants('add', 'shop', '--network', 'dev', '--wallet', shop.address.toString()))
  process.env['TONPAY_BASE_URL'] = network.url
  await untilReady(network.url)
}, 60_000)
afterAll(async () => {
  delete process.env['TONPAY_BASE_URL']
  await network.end('SIGKILL')
  alone.remove()
})

/** What a wallet that is given a TON Connect message sends. */
const signed = ({ message }: Created): MessageRelaxed => {
  const { address, isBounceable } = Address.parseFriendly(message.address)
  return internal({
    to: address,
    value: BigInt(message.amount),
    bounce: isBounceable,
    body: Cell.fromBase64(message.payload),
  })
}

const senderAddr = (): string => payer.address.toString({ bounceable: false })

/** Asks for a transfer with amounts that no number holds, as only a string can tell them. */
const ask = async (amount: string, asset: string): Promise<{ status: number; error?: string }> => {
  const response = await fetch(`${network.url}/api/merchant/v1/create-transfer`, {
    method: 'POST',
    headers: { 'x-api-key': apiKey },
    body: JSON.stringify({ amount, asset, senderAddr: senderAddr() }),
  })
  const { error } = (await response.json()) as { error?: string }
  return { status: response.status, ...(error !== undefined && { error }) }
}

describe('native coin', () => {
  test(
    'is asked for, found by reference and by body hash, and arrives with the comment',
    async () => {
      const order = { amount: 1.5, asset: TON, senderAddr: senderAddr(), commentToSender: 'to sender' }
      const created = await createTonPayTransfer({ ...order, commentToRecipient: 'order 1' }, { apiKey })
      const info = await getTonPayTransferByReference(created.reference, { apiKey })
      expect(info).toMatchObject({
        amount: '1.5',
        rawAmount: '1500000000',
        senderAddr: senderAddr(),
        recipientAddr: shop.address.toString({ bounceable: false }),
        asset: TON,
        reference: created.reference,
        commentToSender: 'to sender',
        commentToRecipient: 'order 1',
      })
      expect(await getTonPayTransferByBodyHash(created.bodyBase64Hash, { apiKey })).toEqual(info)

      await sendFrom(client, payer, signed(created))
      const received = await until(async () => {
        const [last] = await client.getTransactions(shop.address, { limit: 1 })
        const body = last?.inMessage?.body
        return last && body?.hash().toString('base64') === created.bodyBase64Hash ? last : undefined
      }, 'the payment')
      const { info: message, body } = received.inMessage!
      expect(message.type === 'internal' && message.value.coins).toBe(toNano('1.5'))
      expect(body.beginParse().skip(32).loadStringTail()).toBe(`order 1 (ref ${created.reference})`)
    },
    TRIAL_MS,
  )

  test(
    'finds a body hash with a plus in it',
    async () => {
      const recipientAddr = shop.address.toString()
      let created: Created
      do created = await createTonPayTransfer({ amount: 1, asset: TON, senderAddr: senderAddr(), recipientAddr })
      while (!created.bodyBase64Hash.includes('+'))
      expect(await getTonPayTransferByBodyHash(created.bodyBase64Hash)).toMatchObject({ reference: created.reference })
    },
    TRIAL_MS,
  )
})

describe('a jetton', () => {
  const master = (): Address => Address.parse(status.contracts.find(({ name }) => name === 'jetton TUSD')!.address)
  const balance = async (owner: Address): Promise<bigint> => {
    const wallet = await client.open(JettonMaster.create(master())).getWalletAddress(owner)
    return client.open(JettonWallet.create(wallet)).getBalance()
  }

  test(
    'is asked of its wallet, and arrives at a recipient that never had any',
    async () => {
      const fresh = Address.parse(`0:${'5'.repeat(64)}`)
      const order = { amount: 10.000001, asset: master().toString(), senderAddr: senderAddr(), queryId: 77 }
      const created = await createTonPayTransfer({ ...order, recipientAddr: fresh.toRawString() }, { apiKey })
      const before = await balance(payer.address)
      await sendFrom(client, payer, signed(created))
      await until(async () => ((await balance(fresh)) === 10_000_001n ? true : undefined), 'the jettons')
      expect(await balance(payer.address)).toBe(before - 10_000_001n)
      expect(await getTonPayTransferByReference(created.reference, { apiKey })).toMatchObject({
        amount: '10.000001',
        rawAmount: '10000001',
        assetTicker: 'TUSD',
        asset: master().toString(),
      })
    },
    TRIAL_MS,
  )

  test(
    'of six decimals takes no seventh',
    async () => {
      expect(await ask('0.0000001', master().toString())).toEqual({
        status: 422,
        error: 'amount has more fraction digits than the asset has decimals: 6',
      })
      expect(await ask('123456789012345678901234.000001', master().toString())).toEqual({ status: 200 })
    },
    TRIAL_MS,
  )
})

test(
  'a key that is revoked beside the running server is refused',
  async () => {
    const second = keyOf(await merchants('add-key', 'shop', 'second'))
    const order = { amount: 1, asset: TON, senderAddr: senderAddr() }
    const answers = () => createTonPayTransfer(order, { apiKey: second }).catch(({ cause }: Error) => cause)
    expect(await answers()).toMatchObject({ reference: expect.any(String) })
    await merchants('revoke', 'shop', '--key', 'second')
    await until(async () => ((await answers()) === 'Unauthorized' ? true : undefined), 'the refusal')
  },
  TRIAL_MS,
)

test(
  'pages of other origins may ask',
  async () => {
    const headers = { origin: 'https://shop.example', 'access-control-request-method': 'POST' }
    const preflight = await fetch(`${network.url}/api/merchant/v1/create-transfer`, { method: 'OPTIONS', headers })
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
    expect(preflight.headers.get('access-control-allow-methods')).toContain('POST')
    expect(preflight.headers.get('access-control-allow-headers')).toContain('X-API-Key')
  },
  TRIAL_MS,
)
