import { expect, test } from 'bun:test'
import { paymentSight } from '../../../src/cli/payment-sight.ts'
import type { Settings } from '../../../src/config.ts'
import type { IndexReader } from '../../../src/store/queries/index-reader.ts'
import { failureOf } from '../../support/failure.ts'
import { addressNo } from '../../support/payment-samples.ts'

const sight = (index: Settings['index'], reader: IndexReader | undefined) =>
  paymentSight({
    settings: { index } as Settings,
    index: () => ({ reader: () => reader, documents: () => undefined }),
  })

test('a transfer is only made where an index sees it paid', () => {
  const transfer = { recipient: addressNo(2), jetton_wallets: null }
  expect(failureOf(() => sight('on', {} as IndexReader)(transfer))).toBe('none')
  expect(failureOf(() => sight('on', undefined)(transfer))).toBe('unavailable')
  expect(failureOf(() => sight('off', {} as IndexReader)(transfer))).toBe('conflict')
})
