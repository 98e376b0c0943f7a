import { expect, test } from 'bun:test'
import { readinessOf } from '../../../src/cli/readiness.ts'

const ready = { ready: true }
const away = { ready: false, reason: 'none of 1 liteservers is online' }
const behind = { ready: false, reason: 'the index is starting' }

test('a network that makes no blocks is not ready, whatever its liteserver says', () => {
  expect(readinessOf({ halted: 'the disk is full', pool: ready, index: ready })).toEqual({
    ready: false,
    reason: 'the network stands still: the disk is full',
  })
})

test('what keeps requests from being answered is told before the index', () => {
  const of = (pool: typeof away | typeof ready, index?: typeof behind | typeof ready) =>
    readinessOf({ halted: undefined, pool, index })
  expect([of(away, behind), of(ready, behind), of(ready, ready), of(ready)]).toEqual([away, behind, ready, ready])
})
