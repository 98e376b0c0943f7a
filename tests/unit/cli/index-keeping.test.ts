import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openIndexKeeping } from '../../../src/cli/index-keeping.ts'
import { readScope } from '../../../src/store/index-scope.ts'
import { openIndexStore } from '../../../src/store/index-store.ts'
import { recordedChain } from '../../support/recorded-chain.ts'
import { recordedDetectionSource, recordedDetector } from '../../support/recorded-detection.ts'

const [ONE, TWO] = [`0:${'1'.repeat(64)}`, `0:${'2'.repeat(64)}`]

let folder: string
let chosen: readonly string[] | undefined
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tonlith-keeping-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const open = () =>
  openIndexKeeping({
    folder,
    network: 'test',
    chosen: { read: () => chosen },
    retain: 'forever',
    fetchAccount: async () => {
      throw new Error('nobody asks')
    },
    detection: { detector: recordedDetector(recordedChain()), config: recordedDetectionSource(recordedChain()).config },
  })

/** What an index says of itself to who reads it. */
const noted = async (): Promise<string[] | undefined> => {
  const store = await openIndexStore(folder, 'test')
  try {
    return readScope(store)
  } finally {
    await store.environment.close()
  }
}

test('an index of chosen accounts goes over to others, to none too, and notes which', async () => {
  chosen = [ONE]
  const keeping = await open()
  expect(keeping.accounts()).toEqual([ONE])
  expect(keeping.choose()).toBe(false)
  for (const next of [[ONE, TWO], [TWO], []]) {
    chosen = next
    expect(keeping.choose()).toBe(true)
    expect(keeping.choose()).toBe(false)
    expect(keeping.accounts()).toEqual(next)
    expect(await noted()).toEqual(next)
  }
  await keeping.close()
})

test('an index of all accounts stays one, whatever is chosen meanwhile', async () => {
  chosen = undefined
  const keeping = await open()
  chosen = [ONE]
  expect(keeping.choose()).toBe(false)
  expect(keeping.accounts()).toBeUndefined()
  expect(await noted()).toBeUndefined()
  await keeping.close()
})
