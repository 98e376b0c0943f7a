import { expect, test } from 'bun:test'
import { storeStateInit, beginCell as tonCoreCell } from '@ton/core'
import fc from 'fast-check'
import { beginCell } from '../../../../src/ton/builder.ts'
import { parseStateInit, type StateInit, stateInitCell } from '../../../../src/ton/tlb/state-init.ts'
import { failureOf } from '../../../support/failure.ts'
import { fromTonCore, toTonCore } from '../../../support/ton-core.ts'

const cell = fc.nat(255).map((n) => beginCell().uint(n, 8).endCell())
const inits: fc.Arbitrary<StateInit> = fc.record({
  fixed_prefix_length: fc.option(fc.nat(31)),
  special: fc.option(fc.record({ tick: fc.boolean(), tock: fc.boolean() })),
  code: fc.option(cell),
  data: fc.option(cell),
  library: fc.option(cell),
})

test('a StateInit is read as it was written', () => {
  fc.assert(fc.property(inits, (init) => expect(parseStateInit(stateInitCell(init))).toEqual(init)))
})

test('its cell has the hash that @ton/core gives it', () => {
  fc.assert(
    fc.property(inits, ({ library: _, ...init }) => {
      const written = tonCoreCell().store(
        storeStateInit({
          splitDepth: init.fixed_prefix_length,
          special: init.special,
          code: init.code && toTonCore(init.code),
          data: init.data && toTonCore(init.data),
        }),
      )
      expect(stateInitCell({ ...init, library: null }).hash()).toEqual(fromTonCore(written.endCell()).hash())
    }),
  )
})

test('data behind its end is refused', () => {
  expect(failureOf(() => parseStateInit(beginCell().uint(0, 5).endCell()))).toBe('none')
  expect(failureOf(() => parseStateInit(beginCell().uint(0, 6).endCell()))).toBe('malformed')
})
