import { expect, test } from 'bun:test'
import { paymentSight } from '../../../src/cli/payment-sight.ts'
import type { Settings } from '../../../src/config.ts'
import type { IndexReader } from '../../../src/store/queries/index-reader.ts'
import { failureOf } from '../../support/failure.ts'
import { sampleMerchant } from '../../support/payment-samples.ts'

const sight = (index: Settings['index'], reader: IndexReader | undefined) =>
  paymentSight({
    settings: { index } as Settings,
    index: () => ({ reader: () => reader, documents: () => undefined }),
  })

const reader = (isOfChosen: boolean): IndexReader => ({ isOfChosen: () => isOfChosen }) as IndexReader

test('a transfer is only made where an index sees it paid', () => {
  const nobody = { merchant: null }
  expect(failureOf(() => sight('on', reader(false))(nobody))).toBe('none')
  expect(failureOf(() => sight('on', undefined)(nobody))).toBe('unavailable')
  expect(failureOf(() => sight('off', reader(false))(nobody))).toBe('conflict')
})

test('an index of chosen accounts is for merchants alone', () => {
  expect(failureOf(() => sight('on', reader(true))({ merchant: null }))).toBe('conflict')
  expect(failureOf(() => sight('on', reader(true))({ merchant: sampleMerchant() }))).toBe('none')
})
