import { expect, test } from 'bun:test'
import { Address, Cell } from '@ton/core'
import { commentText, JETTON_FEES, referencesIn, transferBody } from '../../../src/payments/transfer-body.ts'
import { rawAddress } from '../../../src/ton/address.ts'
import { cellToBoc } from '../../../src/ton/boc-writer.ts'
import { addressNo, sampleTransfer, ulidNo } from '../../support/payment-samples.ts'

const core = (transfer: Parameters<typeof transferBody>[0]): Cell => Cell.fromBoc(cellToBoc(transferBody(transfer)))[0]!

test('the body of a native transfer is a text comment with the reference', () => {
  const body = core(sampleTransfer(2)).beginParse()
  expect(body.loadUint(32)).toBe(0)
  expect(body.loadStringTail()).toBe(`order 1 (ref ${ulidNo(2)})`)
  const without = core(sampleTransfer(2, { comment_to_recipient: null })).beginParse()
  expect(without.skip(32).loadStringTail()).toBe(`ref ${ulidNo(2)}`)
})

test('a long comment goes on in further cells', () => {
  const comment = 'ü'.repeat(500)
  const body = core(sampleTransfer(2, { comment_to_recipient: comment })).beginParse()
  expect(body.skip(32).loadStringTail()).toBe(`${comment} (ref ${ulidNo(2)})`)
})

test('the body of a jetton transfer is TEP-74 transfer', () => {
  const transfer = sampleTransfer(2, { asset: addressNo(3), raw_amount: (1n << 120n) - 1n, query_id: (1n << 64n) - 1n })
  const body = core(transfer).beginParse()
  expect(body.loadUint(32)).toBe(0x0f8a7ea5)
  expect(body.loadUintBig(64)).toBe(transfer.query_id)
  expect(body.loadCoins()).toBe(transfer.raw_amount)
  expect(body.loadAddress().equals(Address.parse(rawAddress(transfer.recipient)))).toBe(true)
  expect(body.loadAddress().equals(Address.parse(rawAddress(transfer.sender)))).toBe(true)
  expect(body.loadMaybeRef()).toBeNull()
  expect(body.loadCoins()).toBe(1n)
  expect(body.loadBit()).toBe(true)
  const comment = body.loadRef().beginParse()
  expect(comment.loadUint(32)).toBe(0)
  expect(comment.loadStringTail()).toBe(`order 1 (ref ${ulidNo(2)})`)
  body.endParse()
  expect(JETTON_FEES).toBeGreaterThan(1n)
})

test('references are found in a comment, as they are written and as people type them', () => {
  const [reference, other] = [ulidNo(2), ulidNo(3)]
  for (const comment of [null, 'order 1', 'order 1234567890123456789012345U'])
    expect(referencesIn(commentText({ reference, comment_to_recipient: comment }))).toEqual([reference])
  expect(referencesIn(commentText({ reference, comment_to_recipient: `(ref ${other})` }))).toEqual([reference, other])
  for (const text of [
    `REF ${reference.toLowerCase()}`,
    `order (ref:${reference})`,
    `ref ${reference}.`,
    `x\nref ${reference}`,
    ` ${reference}`,
  ])
    expect(referencesIn(text)).toEqual([reference])
  for (const text of ['', 'ref', `x${reference}`, `ref ${reference}0`, `ref ${reference.slice(1)}`])
    expect(referencesIn(text)).toEqual([])
  const many = Array.from({ length: 20 }, (_, n) => ulidNo(n))
  expect(referencesIn([...many, ...many].join(' '))).toEqual(many.slice(-8).reverse())
})
