import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { detectAccountState } from '../../src/contracts/account-state.ts'
import { contentsOf, readVariants } from '../support/account-variants.ts'
import { anyCell } from '../support/cell-arbitrary.ts'

const contracts = readVariants()
  .map(contentsOf)
  .filter(({ code }) => code !== null)

test('whatever a contract has in its data, its account has a state', () => {
  fc.assert(
    fc.property(fc.constantFrom(...contracts), anyCell, fc.nat(), (account, data, now) => {
      const { state, revision } = detectAccountState({ ...account, data, now })
      if (state._ === 'raw.accountState') expect(revision).toBe(0)
    }),
    { numRuns: 2000 },
  )
})
