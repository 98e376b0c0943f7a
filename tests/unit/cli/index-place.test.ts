import { afterAll, beforeEach, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { assertIndexIn } from '../../../src/cli/index-place.ts'

const scratch = mkdtempSync(join(tmpdir(), 'tonlith-index-place-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

let data: string
beforeEach(() => {
  data = mkdtempSync(join(scratch, 'data-'))
})

const putIndex = (home: string): void => {
  mkdirSync(join(home, 'index'), { recursive: true })
  writeFileSync(join(home, 'index', 'data.mdb'), 'rows')
}

test('an index is there, or it is said where one would be', () => {
  expect(() => assertIndexIn(data)).toThrow(`there is no index in ${join(data, 'index')}`)
  putIndex(data)
  assertIndexIn(data)
})

test('whoever runs tonlith dev is told which flag names its index', () => {
  putIndex(join(data, 'dev'))
  expect(() => assertIndexIn(data)).toThrow(`: --data ${join(data, 'dev')}`)
  putIndex(join(data, 'recorded'))
  expect(() => assertIndexIn(data)).toThrow(`: --data ${join(data, 'dev')}, --data ${join(data, 'recorded')}`)
})
