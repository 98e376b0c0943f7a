import { expect, test } from 'bun:test'
import { archiveAt } from '../support/archive-client.ts'
import { openCheckedChain } from '../support/checked-chain.ts'
import { moneyTotals } from '../support/money-totals.ts'
import { recordedChain } from '../support/recorded-chain.ts'

/** What is asked of the live network's blocks is true of those that real validators made. */
test('every recorded block is whole, follows its predecessor, and loses no money', async () => {
  const { last } = recordedChain()
  const chain = await openCheckedChain(archiveAt(last))
  let quiet = 0
  for (let seqno = 1; seqno <= last; seqno++) {
    await chain.advance(seqno)
    const { issued, balances, fees, queued } = moneyTotals(chain)
    if (queued > 0) continue
    expect(balances + fees).toBe(issued)
    quiet++
  }
  expect(quiet).toBeGreaterThan(last / 2)
  expect(chain.ids.size).toBeGreaterThan(900)
  expect(chain.counts.get('blocks')).toBe(chain.ids.size)
})
