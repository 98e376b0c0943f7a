import { expect, test } from 'bun:test'
import { commentCell } from '../../../../src/contracts/jetton-transfer.ts'
import type { MessageFailure } from '../../../../src/contracts/message-failure.ts'
import { transferBody } from '../../../../src/payments/transfer-body.ts'
import { beginCell } from '../../../../src/ton/builder.ts'
import { madeMessage, madeTaker, paymentsIn, transfersOf } from '../../../support/made-payment.ts'
import { addressNo, sampleTransfer, ulidNo } from '../../../support/payment-samples.ts'

const [sender, recipient, stranger] = [addressNo(1), addressNo(2), addressNo(9)]
const asked = sampleTransfer(5)
const body = transferBody(asked)
const transfer = { ...asked, body_hash: body.hash() }
const transfers = transfersOf(transfer)

const pay = (of: Parameters<typeof madeMessage>[2], how?: Parameters<typeof madeTaker>[1]) =>
  madeTaker(madeMessage(sender, recipient, { value: 1_500_000_000n, ...of }), how)

const success = (transaction: ReturnType<typeof pay>, raw_amount = 1_500_000_000n, from = sender) => ({
  reference: transfer.reference,
  payment: {
    status: 'success' as const,
    raw_amount,
    sender: from,
    tx_hash: transaction.hash,
    utime: transaction.now,
    error_code: null,
    error_message: null,
  },
})

test('a payment with the body that was given', () => {
  const paid = pay({ body })
  expect(paymentsIn([paid], transfers)).toEqual([success(paid)])
})

test('more and less than asked', () => {
  for (const value of [1n, 1_499_999_999n, 9_000_000_000n]) {
    const paid = pay({ body, value })
    expect(paymentsIn([paid], transfers)).toEqual([success(paid, value)])
  }
})

test('somebody else pays, and types the reference', () => {
  for (const text of [`ref ${ulidNo(5)}`, `for the shoes, ${ulidNo(5).toLowerCase()}!`]) {
    const paid = madeTaker(madeMessage(stranger, recipient, { body: commentCell(text), value: 2n }))
    expect(paymentsIn([paid], transfers)).toEqual([success(paid, 2n, stranger)])
  }
})

test('an account that is not deployed keeps what comes to it', () => {
  const paid = pay({ body }, { skipped: 'cskip_no_state' })
  expect(paymentsIn([paid], transfers)).toEqual([success(paid)])
})

test('failures, with code and words', () => {
  const cases: [MessageFailure, Parameters<typeof madeTaker>[1], number][] = [
    [{ phase: 'compute', code: 11, reason: 'the contract knows no such operation' }, {}, 11],
    [{ phase: 'action', code: 37, reason: 'not enough money for what it sends' }, {}, 37],
    [{ phase: 'compute', code: null, reason: 'the account is not deployed' }, { skipped: 'cskip_no_state' }, -256],
    [{ phase: 'compute', code: null, reason: 'not enough money for any gas' }, { skipped: 'cskip_no_gas' }, -14],
  ]
  for (const [failure, how, error_code] of cases) {
    const paid = pay({ body }, { ...how, failure })
    const { reference, payment } = success(paid)
    expect(paymentsIn([paid], transfers)).toEqual([
      { reference, payment: { ...payment, status: 'failed', error_code, error_message: failure.reason } },
    ])
  }
})

test('paid twice, and two transfers in one trace', () => {
  const other = sampleTransfer(6, { recipient: stranger })
  const otherBody = transferBody(other)
  const both = transfersOf(transfer, { ...other, body_hash: otherBody.hash() })
  const paid = [pay({ body }), pay({ body }), madeTaker(madeMessage(sender, stranger, { body: otherBody, value: 7n }))]
  const last = success(paid[2]!, 7n)
  expect(paymentsIn(paid, both)).toEqual([
    success(paid[0]!),
    success(paid[1]!),
    { ...last, reference: other.reference },
  ])
})

test('what is no payment', () => {
  const jetton = sampleTransfer(7, {
    asset: addressNo(3),
    jetton_wallets: { sender: addressNo(4), recipient: addressNo(5) },
  })
  const known = transfersOf(transfer, jetton)
  const encrypted = beginCell()
    .uint(0x2167da4b, 32)
    .bytes(Buffer.from(`ref ${ulidNo(5)}`))
    .endCell()
  const others = [
    madeTaker(madeMessage(sender, stranger, { body, value: 5n })),
    pay({ body: commentCell('') }),
    pay({}),
    pay({ body: commentCell(`ref ${ulidNo(8)}`) }),
    pay({ body: commentCell(`ref ${ulidNo(7)}`) }),
    pay({ body: encrypted }),
    pay({ body, bounced: true }),
    pay({ body }, { descr: 'tick_tock' }),
    madeTaker(madeMessage(null, recipient, { body })),
  ]
  expect(paymentsIn(others, known)).toEqual([])
})

test('a body that was given decides, whatever its text says', () => {
  const comment = `ref ${ulidNo(8)}`
  const own = sampleTransfer(6, { comment_to_recipient: comment })
  const ownBody = transferBody(own)
  const named = sampleTransfer(8)
  const paid = pay({ body: ownBody })
  const found = paymentsIn([paid], transfersOf(named, { ...own, body_hash: ownBody.hash() }))
  expect(found).toEqual([{ ...success(paid), reference: own.reference }])
  const [reencoded] = paymentsIn([paid], transfersOf(named, own))
  expect(reencoded).toEqual({ ...success(paid), reference: own.reference })
})
