import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import fc from 'fast-check'
import { joinTraces } from '../../src/indexer/trace.ts'
import type { Batch } from '../../src/model/batch.ts'
import { notePayments, type PaymentSource } from '../../src/payments/note-payments.ts'
import { paymentsBehind } from '../../src/store/payment-rows.ts'
import type { FoundPayment } from '../../src/store/payments/paid.ts'
import { writeBatch } from '../../src/store/write.ts'
import { transfersOf } from '../support/made-payment.ts'
import { recordedBatch } from '../support/recorded-batches.ts'
import { recordedChain } from '../support/recorded-chain.ts'
import { completedBatch } from '../support/recorded-index.ts'
import { recordedTransfers } from '../support/recorded-transfers.ts'
import { temporaryIndex } from '../support/temporary-index.ts'

setDefaultTimeout(300_000)

/** Masterchain blocks of the recorded network in which coins and jettons arrive, bounce and run out of gas. */
const [FIRST, LAST] = [1, 40]

const chain = recordedChain()
const batches = Array.from({ length: LAST - FIRST + 1 }, (_, i) => recordedBatch(chain, FIRST + i))
/** A message that a wallet cannot send is tried again in later blocks: which of these counts does depend on the order. */
const recorded = recordedTransfers(batches).filter(({ isUnsent }) => !isUnsent)
const source: PaymentSource = { any: () => true, ...transfersOf(...recorded.map(({ transfer }) => transfer)) }

const removals: (() => Promise<void>)[] = []
afterAll(() => Promise.all(removals.map((remove) => remove())))

const text = ({ reference, payment }: FoundPayment): string =>
  [reference, payment.status, payment.raw_amount, payment.tx_hash.toString('hex'), payment.error_code].join(' ')

/** The payments that an index finds into which batches come in this order. */
const foundIn = async (order: readonly Batch[]): Promise<FoundPayment[]> => {
  const { index, remove } = await temporaryIndex()
  removals.push(remove)
  for (const batch of order) {
    index.environment.renew()
    const note = (written: Batch): void => notePayments(index, written, source)
    writeBatch(index, completedBatch(index, chain, batch), joinTraces, 'range', undefined, note)
  }
  index.environment.renew()
  return paymentsBehind(index.tables, undefined, 10_000).found
}

test('blocks in any order, once or again, tell each payment once', async () => {
  const straight = await foundIn(batches)
  expect(straight.length).toBeGreaterThan(100)
  expect(new Set(straight.map(({ payment }) => payment.status))).toEqual(new Set(['success', 'failed']))
  const told = new Set(straight.map(text))
  expect(told.size).toBe(straight.length)
  const places = [...batches.keys()]
  const orders = fc.tuple(
    fc.shuffledSubarray(places, { minLength: places.length }),
    fc.shuffledSubarray(places, { maxLength: 10 }),
  )
  await fc.assert(
    fc.asyncProperty(orders, fc.boolean(), async ([mixed, again], isReversed) => {
      const order = isReversed ? places.toReversed() : mixed
      const found = await foundIn([...order, ...again].map((place) => batches[place]!))
      expect(found.map(text).sort()).toEqual([...told].sort())
      const ids = (of: readonly FoundPayment[]) => of.map(({ payment }) => payment.trace_id.toString('hex')).sort()
      expect(ids(found)).toEqual(ids(straight))
    }),
    { numRuns: 3, endOnFailure: true },
  )
})
