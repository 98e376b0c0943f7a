import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { beginCell, Cell, Address as CoreAddress } from '@ton/core'
import { TonlithError } from '../../../src/common/errors.ts'
import { stackAddress } from '../../../src/contracts/get-methods.ts'
import type { FetchedDocument } from '../../../src/model/token-info.ts'
import { createTransfer, type TransferOrder } from '../../../src/payments/create-transfer.ts'
import type { JettonSources } from '../../../src/payments/jetton-asset.ts'
import { JETTON_FEES } from '../../../src/payments/transfer-body.ts'
import { findTransfer, findTransferByBody } from '../../../src/store/payments/transfers.ts'
import { rawAddress } from '../../../src/ton/address.ts'
import { STACK_NULL, stackInt } from '../../../src/ton/stack.ts'
import { type FakeContract, fakeContracts } from '../../support/fake-contracts.ts'
import { transferParts } from '../../support/merchant-parts.ts'
import { addressNo, sampleMerchant } from '../../support/payment-samples.ts'
import { rejectionOf } from '../../support/rejection.ts'
import { type TemporaryPayments, temporaryPayments } from '../../support/temporary-payments.ts'
import { offchainContent, onchainContent, snakeCell } from '../../support/token-content.ts'

let payments: TemporaryPayments
beforeEach(async () => {
  payments = await temporaryPayments()
})
afterEach(() => payments.remove())

const [SENDER, RECIPIENT, MASTER, SENDERS_WALLET, RECIPIENTS_WALLET] = [1, 2, 3, 4, 5].map((n) => addressNo(n)) as [
  ReturnType<typeof addressNo>,
  ReturnType<typeof addressNo>,
  ReturnType<typeof addressNo>,
  ReturnType<typeof addressNo>,
  ReturnType<typeof addressNo>,
]

const order = (changes: Partial<TransferOrder> = {}): TransferOrder => ({
  merchant: null,
  amount: '1.5',
  asset: null,
  recipient: RECIPIENT,
  sender: SENDER,
  query_id: null,
  comment_to_sender: null,
  comment_to_recipient: 'order 1',
  ...changes,
})

const signal = new AbortController().signal
const text = (value: string) => snakeCell(0, Buffer.from(value))

/** A master that gives the two of them their wallets. */
const master = (content: ReturnType<typeof onchainContent>): FakeContract => {
  const cell = { _: 'vm_stk_cell' as const, cell: content }
  return {
    get_jetton_data: [stackInt(1), stackInt(1), STACK_NULL, cell, cell],
    get_wallet_address: ([owner]) => [
      stackAddress(JSON.stringify(owner) === JSON.stringify(stackAddress(SENDER)) ? SENDERS_WALLET : RECIPIENTS_WALLET),
    ],
  }
}

const withMaster = (content: ReturnType<typeof onchainContent>, jettons: Partial<JettonSources> = {}) => {
  const contracts = fakeContracts({ [rawAddress(MASTER)]: master(content) })
  const sources = { indexed: () => undefined, documentOf: () => undefined, careless: false, ...jettons }
  return transferParts(payments.store, { methods: async () => contracts, jettons: sources })
}

const bodyOf = (payload: string): Cell => Cell.fromBase64(payload)
const core = (address: { workchain: number; hash: Buffer }): CoreAddress =>
  new CoreAddress(address.workchain, address.hash)

describe('native coin', () => {
  test('goes to the recipient with the comment, and is kept under the hash of its body', async () => {
    const parts = transferParts(payments.store)
    const { transfer, message } = await createTransfer(parts, order(), signal)
    expect(message).toMatchObject({ amount: '1500000000' })
    const { address, isBounceable } = CoreAddress.parseFriendly(message.address)
    expect([address.equals(core(RECIPIENT)), isBounceable]).toEqual([true, false])
    const body = bodyOf(message.payload)
    expect(body.hash()).toEqual(transfer.body_hash)
    const comment = beginCell().storeUint(0, 32).storeStringTail(`order 1 (ref ${transfer.reference})`).endCell()
    expect(body.equals(comment)).toBe(true)
    expect(findTransfer(payments.store, transfer.reference)).toEqual(transfer)
    expect(findTransferByBody(payments.store, body.hash())).toEqual(transfer)
    expect(transfer).toMatchObject({ created: 1_700_000_000, expires: 1_700_086_400, merchant: null, ticker: 'TON' })
  })

  test('bounces where a contract is to take it', async () => {
    const parts = transferParts(payments.store, { isBounceable: async () => true })
    const { message } = await createTransfer(parts, order(), signal)
    expect(CoreAddress.parseFriendly(message.address).isBounceable).toBe(true)
  })

  test("goes to the merchant's wallet where no recipient is named", async () => {
    const parts = transferParts(payments.store)
    const merchant = sampleMerchant()
    const { transfer } = await createTransfer(parts, order({ merchant, recipient: null }), signal)
    expect(transfer).toMatchObject({ recipient: merchant.wallet, merchant: merchant.id })
    for (const nobody of [null, sampleMerchant({ wallet: null })]) {
      const refused = createTransfer(parts, order({ merchant: nobody, recipient: null }), signal)
      expect(await rejectionOf(refused)).toMatchObject({ kind: 'invalid' })
    }
  })

  test('is not asked for where nobody would see it paid', async () => {
    const blind = new TonlithError('conflict', 'no index')
    const parts = transferParts(payments.store, {
      mustSee: () => {
        throw blind
      },
    })
    expect(await rejectionOf(createTransfer(parts, order(), signal))).toBe(blind)
  })

  test('has no room when too many transfers wait', async () => {
    const parts = transferParts(payments.store, { limits: { ofMerchant: 1, ofNobody: 1 } })
    await createTransfer(parts, order(), signal)
    expect(await rejectionOf(createTransfer(parts, order(), signal))).toMatchObject({ kind: 'unavailable', code: 503 })
  })
})

describe('a jetton', () => {
  test('is asked of the wallet that the master gives the sender', async () => {
    const parts = withMaster(onchainContent({ decimals: text('6'), symbol: text('USD') }))
    const { transfer, message } = await createTransfer(parts, order({ asset: MASTER }), signal)
    expect(CoreAddress.parse(message.address).equals(core(SENDERS_WALLET))).toBe(true)
    expect(message.amount).toBe(String(JETTON_FEES))
    expect(transfer).toMatchObject({
      decimals: 6,
      ticker: 'USD',
      raw_amount: 1_500_000n,
      jetton_wallets: { sender: SENDERS_WALLET, recipient: RECIPIENTS_WALLET },
    })
    const body = bodyOf(message.payload)
    expect(body.hash()).toEqual(transfer.body_hash)
    const slice = body.beginParse().skip(32)
    expect(slice.loadUintBig(64)).toBe(transfer.query_id)
    expect(slice.loadCoins()).toBe(1_500_000n)
    expect(slice.loadAddress().equals(core(RECIPIENT))).toBe(true)
    expect(slice.loadAddress().equals(core(SENDER))).toBe(true)
  })

  test('is what the index knows of it, then what its master tells; 9 decimals where neither does', async () => {
    const content = onchainContent({ decimals: text('6') })
    const indexed = () => ({ _: 'onchain' as const, attributes: { decimals: '3' } })
    const decimals = async (parts: ReturnType<typeof withMaster>) =>
      (await createTransfer(parts, order({ asset: MASTER }), signal)).transfer.decimals
    expect(await decimals(withMaster(content, { indexed }))).toBe(3)
    expect(await decimals(withMaster(content))).toBe(6)
    expect(await decimals(withMaster(onchainContent({ symbol: text('X') })))).toBe(9)
  })

  test('whose decimals stand behind a URI waits until that was read', async () => {
    const made = (document: FetchedDocument | undefined, careless = false) =>
      createTransfer(
        withMaster(offchainContent('https://example.org/j'), { documentOf: () => document, careless }),
        order({ asset: MASTER }),
        signal,
      )
    const ready = (...members: [string, string][]): FetchedDocument => ({ _: 'ready', members })
    expect(await rejectionOf(made(undefined))).toMatchObject({ kind: 'unavailable', code: 503 })
    expect(await rejectionOf(made({ _: 'failed' }))).toMatchObject({ kind: 'conflict' })
    expect(await rejectionOf(made(ready(['decimals', '"many"'])))).toMatchObject({ kind: 'conflict' })
    expect(await rejectionOf(made(ready(['decimals', '256'])))).toMatchObject({ kind: 'conflict' })
    expect((await made(ready(['decimals', '"6"']))).transfer.decimals).toBe(6)
    expect((await made(ready(['decimals', '18'], ['symbol', '"Y"']))).transfer).toMatchObject({ ticker: 'Y' })
    expect((await made(ready())).transfer.decimals).toBe(9)
    expect((await made({ _: 'failed' }, true)).transfer.decimals).toBe(9)
  })

  test('that is none is refused', async () => {
    const none = transferParts(payments.store)
    expect(await rejectionOf(createTransfer(none, order({ asset: MASTER }), signal))).toMatchObject({ kind: 'invalid' })
    const odd = fakeContracts({
      [rawAddress(MASTER)]: { ...master(onchainContent({})), get_wallet_address: [stackInt(5)] },
    })
    const parts = transferParts(payments.store, { methods: async () => odd })
    expect(await rejectionOf(createTransfer(parts, order({ asset: MASTER }), signal))).toMatchObject({
      kind: 'invalid',
    })
  })

  test('has the query id that was asked for', async () => {
    const parts = withMaster(onchainContent({}))
    const { transfer, message } = await createTransfer(parts, order({ asset: MASTER, query_id: 77n }), signal)
    expect(transfer.query_id).toBe(77n)
    expect(bodyOf(message.payload).beginParse().skip(32).loadUintBig(64)).toBe(77n)
  })
})
