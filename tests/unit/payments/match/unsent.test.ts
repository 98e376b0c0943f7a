import { expect, test } from 'bun:test'
import { beginCell as beginTonCell, Dictionary, type Cell as TonCell } from '@ton/core'
import { transferMessage } from '../../../../src/contracts/transfer-message.ts'
import { walletRequest } from '../../../../src/contracts/wallet-request.ts'
import { transferBody } from '../../../../src/payments/transfer-body.ts'
import type { Address } from '../../../../src/ton/address.ts'
import { beginCell } from '../../../../src/ton/builder.ts'
import type { Cell } from '../../../../src/ton/cell.ts'
import { beginParse } from '../../../../src/ton/slice.ts'
import { madeMessage, madeTaker, paymentsIn, transfersOf } from '../../../support/made-payment.ts'
import { addressNo, sampleTransfer } from '../../../support/payment-samples.ts'
import { fromTonCore, toTonCore } from '../../../support/ton-core.ts'

const [sender, recipient, master, ofSender] = [addressNo(1), addressNo(2), addressNo(3), addressNo(11)]

const withBody = (...args: Parameters<typeof sampleTransfer>) => {
  const transfer = sampleTransfer(...args)
  const body = transferBody(transfer)
  return { transfer: { ...transfer, body_hash: body.hash() }, body }
}

const native = withBody(5)
const jetton = withBody(6, {
  asset: master,
  raw_amount: 100n,
  jetton_wallets: { sender: ofSender, recipient: addressNo(12) },
})
const transfers = transfersOf(native.transfer, jetton.transfer)

const ordered = (to: Address, body: Cell, grams = 1_500_000_000n): Cell =>
  transferMessage({ from: sender, to, bounce: true, value: { grams, other: null }, init: null, body })

const both = [ordered(recipient, native.body), ordered(ofSender, jetton.body, 50_000_000n)]

/** Signed at its begin, or at its end. */
const signed = (request: Cell): Cell => {
  const bits = beginParse(request)
  const isSignedAtEnd = bits.preloadUint(32) !== 0
  const rest = beginCell()
  if (!isSignedAtEnd) rest.bytes(Buffer.alloc(64, 0xab)).bits(bits.skip(512).bits(bits.remainingBits))
  else rest.bits(bits.bits(bits.remainingBits))
  while (bits.remainingRefs > 0) rest.ref(bits.ref())
  return rest.endCell()
}

const request = (wallet_type: string, messages: readonly Cell[]): Cell =>
  signed(
    walletRequest({
      wallet: { wallet_type, seqno: 1, wallet_id: 698983191n },
      messages: messages.map((message) => ({ message, mode: 3 })),
      valid_until: 1_800_000_000,
    }),
  )

const cellValue = {
  serialize: (message: TonCell, builder: ReturnType<typeof beginTonCell>) =>
    void builder.storeUint(3, 8).storeRef(message),
  parse: (slice: ReturnType<TonCell['beginParse']>) => slice.loadRef(),
}

const highloadV2 = (messages: readonly Cell[]): Cell => {
  const dictionary = Dictionary.empty(Dictionary.Keys.Int(16), cellValue)
  for (const [i, message] of messages.entries()) dictionary.set(i, toTonCore(message))
  const head = beginTonCell()
    .storeBuffer(Buffer.alloc(64, 1))
    .storeUint(698983191, 32)
    .storeUint(1n << 40n, 64)
  return fromTonCore(head.storeDict(dictionary).endCell())
}

const outList = (messages: readonly Cell[]): TonCell => {
  let list = beginTonCell().endCell()
  for (const message of messages)
    list = beginTonCell()
      .storeUint(0x0ec3c86d, 32)
      .storeUint(3, 8)
      .storeRef(list)
      .storeRef(toTonCore(message))
      .endCell()
  return list
}

const highloadV3 = (messages: readonly Cell[]): Cell =>
  fromTonCore(beginTonCell().storeUint(0xae42e5a4, 32).storeUint(1, 64).storeRef(outList(messages)).endCell())

const v5Internal = (messages: readonly Cell[]): Cell =>
  fromTonCore(
    beginTonCell()
      .storeUint(0x73696e74, 32)
      .storeUint(1, 32)
      .storeUint(2, 32)
      .storeUint(3, 32)
      .storeMaybeRef(outList(messages))
      .storeBit(0)
      .storeBuffer(Buffer.alloc(64, 1))
      .endCell(),
  )

const failure = { phase: 'action' as const, code: 37, reason: 'not enough money for what it sends' }

const summary = (found: ReturnType<typeof paymentsIn>) =>
  found.map((one) => (one === 'undecided' ? one : [one.reference, one.payment.status, one.payment.raw_amount]))

const EXPECTED = [
  [native.transfer.reference, 'failed', 1_500_000_000n],
  [jetton.transfer.reference, 'failed', 100n],
]

test('payments that a wallet of any version was asked for and did not send', () => {
  const asked: [string, ReturnType<typeof madeMessage>][] = [
    ...['wallet v3 r2', 'wallet v4 r2', 'wallet v5 r1', 'wallet v2 r2'].map(
      (type): [string, ReturnType<typeof madeMessage>] => [
        type,
        madeMessage(null, sender, { body: request(type, both) }),
      ],
    ),
    ['highload v2', madeMessage(null, sender, { body: highloadV2(both) })],
    ['highload v3', madeMessage(sender, sender, { body: highloadV3(both) })],
    ['wallet v5, asked by another contract', madeMessage(addressNo(8), sender, { body: v5Internal(both) })],
  ]
  for (const [type, message] of asked) {
    const failed = madeTaker(message, { failure })
    const found = paymentsIn([failed], transfers)
    expect([type, ...summary(found)]).toEqual([type, ...EXPECTED])
    const [first] = found
    expect(first).toEqual({
      reference: native.transfer.reference,
      payment: {
        status: 'failed',
        raw_amount: 1_500_000_000n,
        sender,
        tx_hash: failed.hash,
        utime: failed.now,
        error_code: 37,
        error_message: failure.reason,
      },
    })
    expect(paymentsIn([madeTaker(message)], transfers)).toEqual([])
  }
})

test('a wallet that goes on without the messages it has no money for', () => {
  const message = madeMessage(null, sender, { body: request('wallet v4 r2', both) })
  const none = madeTaker(message, { skipped_actions: 2 })
  expect(summary(paymentsIn([none], transfers))).toEqual(EXPECTED)
  const sent = madeMessage(sender, recipient, { body: native.body, value: 1_500_000_000n })
  const one = madeTaker(message, { skipped_actions: 1, sends: [sent] })
  const taker = madeTaker(sent)
  expect(summary(paymentsIn([one, taker], transfers))).toEqual([
    EXPECTED[1]!,
    [native.transfer.reference, 'success', 1_500_000_000n],
  ])
})

test('the same payment twice in one request, of which one was sent', () => {
  const twice = [both[0]!, both[0]!]
  const sent = madeMessage(sender, recipient, { body: native.body, value: 1_500_000_000n })
  const message = madeMessage(null, sender, { body: request('wallet v5 r1', twice) })
  const wallet = madeTaker(message, { skipped_actions: 1, sends: [sent] })
  expect(summary(paymentsIn([wallet, madeTaker(sent)], transfers))).toEqual([
    EXPECTED[0]!,
    [native.transfer.reference, 'success', 1_500_000_000n],
  ])
})

test('a failure that is of no transfer, and jettons of a wallet that is not the sender’s', () => {
  const others = [ordered(addressNo(9), native.body), ordered(addressNo(77), jetton.body)]
  const message = madeMessage(null, sender, { body: request('wallet v4 r2', others) })
  expect(paymentsIn([madeTaker(message, { failure })], transfers)).toEqual([])
  const stranger = madeMessage(null, addressNo(9), { body: request('wallet v4 r2', both) })
  expect(summary(paymentsIn([madeTaker(stranger, { failure })], transfers))).toEqual([EXPECTED[0]!])
})
