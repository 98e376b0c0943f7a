import { expect, test } from 'bun:test'
import { commentCell, jettonTransferBody } from '../../../../src/contracts/jetton-transfer.ts'
import { JETTON_INTERNAL_TRANSFER } from '../../../../src/contracts/token-messages.ts'
import type { Outcome } from '../../../../src/payments/match/outcome.ts'
import { transferBody } from '../../../../src/payments/transfer-body.ts'
import type { Address } from '../../../../src/ton/address.ts'
import { beginCell } from '../../../../src/ton/builder.ts'
import type { Cell } from '../../../../src/ton/cell.ts'
import { storeStdAddress } from '../../../../src/ton/tlb/msg-address.ts'
import { madeMessage, madeTaker, paymentsIn, transfersOf } from '../../../support/made-payment.ts'
import { addressNo, sampleTransfer } from '../../../support/payment-samples.ts'

const [sender, recipient, stranger, master, fakeMaster] = [
  addressNo(1),
  addressNo(2),
  addressNo(9),
  addressNo(3),
  addressNo(33),
]
const [ofSender, ofRecipient, ofStranger] = [addressNo(11), addressNo(12), addressNo(19)]
const [fake, fakeRecipients] = [addressNo(41), addressNo(42)]
const asked = sampleTransfer(5, {
  asset: master,
  decimals: 6,
  ticker: 'USD',
  raw_amount: 100n,
  jetton_wallets: { sender: ofSender, recipient: ofRecipient },
})
const body = transferBody(asked)
const transfers = transfersOf({ ...asked, body_hash: body.hash() })
const known = [
  { wallet: ofStranger, owner: stranger, jetton: master },
  { wallet: fake, owner: sender, jetton: fakeMaster },
  { wallet: fakeRecipients, owner: recipient, jetton: fakeMaster },
]

const credit = (amount: bigint, forward = 1n): Cell =>
  storeStdAddress(beginCell().uint(JETTON_INTERNAL_TRANSFER, 32).uint(0, 64).coins(amount), sender)
    .uint(0, 2)
    .coins(forward)
    .bit(false)
    .endCell()

const order = (changes: { amount?: bigint; to?: Address; comment?: string; forward?: bigint }): Cell =>
  jettonTransferBody({
    query_id: 1n,
    amount: changes.amount ?? 100n,
    destination: changes.to ?? recipient,
    response_destination: sender,
    forward_ton_amount: changes.forward ?? 1n,
    forward_payload: commentCell(changes.comment ?? `ref ${asked.reference}`),
  })

interface Leg {
  from?: Address
  wallet?: Address
  to?: Address
  body?: Cell
  amount?: bigint
}

/** The transactions of both jetton wallets. */
const legs = (
  leg: Leg = {},
  second?: Parameters<typeof madeTaker>[1],
): [ReturnType<typeof madeTaker>, ReturnType<typeof madeTaker>] => {
  const wallet = leg.wallet ?? ofSender
  const sent = madeMessage(wallet, leg.to ?? ofRecipient, { body: credit(leg.amount ?? 100n), value: 5n })
  const asking = madeMessage(leg.from ?? sender, wallet, { body: leg.body ?? body, value: 50_000_000n })
  return [madeTaker(asking, { sends: [sent] }), madeTaker(sent, second)]
}

const told = (transaction: ReturnType<typeof madeTaker>, changes: Partial<Outcome['payment']> = {}): Outcome => ({
  reference: asked.reference,
  payment: {
    status: 'success',
    raw_amount: 100n,
    sender,
    tx_hash: transaction.hash,
    utime: transaction.now,
    error_code: null,
    error_message: null,
    ...changes,
  },
})

test('a payment with the body that was given; the forward amount does not matter', () => {
  const paid = legs()
  expect(paymentsIn(paid, transfers, known)).toEqual([told(paid[1])])
  const silent = legs({ body: order({ forward: 0n }) })
  expect(paymentsIn(silent, transfers, known)).toEqual([told(silent[1])])
})

test('what arrived counts, not what was sent', () => {
  const taxed = legs({ amount: 97n })
  expect(paymentsIn(taxed, transfers, known)).toEqual([told(taxed[1], { raw_amount: 97n })])
})

test('somebody else pays and types the reference: with a wallet that is known, or of which nothing is', () => {
  const paid = legs({ from: stranger, wallet: ofStranger, body: order({ amount: 5n }), amount: 5n })
  for (const wallets of [known, []])
    expect(paymentsIn(paid, transfers, wallets)).toEqual([told(paid[1], { raw_amount: 5n, sender: stranger })])
})

test('nothing is told before the second wallet has taken its message', () => {
  const [first] = legs()
  expect(paymentsIn([first], transfers, known)).toEqual(['undecided'])
})

test('either leg fails', () => {
  const outOfGas = { phase: 'compute' as const, code: -14, reason: 'the contract ran out of gas' }
  const failed = { status: 'failed' as const, error_code: -14, error_message: 'the contract ran out of gas' }
  const second = legs({}, { failure: outOfGas })
  expect(paymentsIn(second, transfers, known)).toEqual([told(second[1], failed)])
  const asking = madeMessage(sender, ofSender, { body, value: 1n })
  const first = madeTaker(asking, { failure: outOfGas })
  expect(paymentsIn([first], transfers, known)).toEqual([told(first, failed)])
  const left = madeTaker(asking, { skipped_actions: 1 })
  expect(paymentsIn([left], transfers, known)).toMatchObject([{ payment: { status: 'failed', error_code: 37 } }])
  const silent = madeTaker(asking)
  expect(paymentsIn([silent], transfers, known)).toMatchObject([{ payment: { status: 'failed', error_code: -256 } }])
})

test('a fake jetton pays nothing, whatever its wallets claim', () => {
  const failure = { phase: 'compute' as const, code: 707, reason: 'not ours' }
  const fakes = [
    legs({ wallet: fake, to: fakeRecipients }),
    legs({ wallet: fake, to: ofRecipient }, { failure }),
    legs({ wallet: fake, to: ofRecipient }),
    legs({ from: stranger, wallet: addressNo(77), to: fakeRecipients, body: order({}) }),
    legs({ from: stranger, wallet: addressNo(77), to: ofRecipient, body: order({}) }, { failure }),
    legs({ from: stranger, wallet: fake, to: ofRecipient, body: order({}) }),
    legs({ from: sender, wallet: ofStranger, body: order({}) }),
  ]
  for (const paid of fakes) expect(paymentsIn(paid, transfers, known)).toEqual([])
  const unknown = madeTaker(madeMessage(stranger, addressNo(77), { body }), { failure })
  expect(paymentsIn([unknown], transfers, known)).toEqual([])
})

test('another recipient, no comment, another reference', () => {
  const others = [
    legs({ body: order({ to: stranger }), to: ofStranger }),
    legs({ body: order({ comment: '' }) }),
    legs({ body: order({ comment: 'ref 00000000000000000000000000' }) }),
  ]
  for (const paid of others) expect(paymentsIn(paid, transfers, known)).toEqual([])
})
