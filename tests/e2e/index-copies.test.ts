import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { seededRandom } from '../../src/common/seeded-random.ts'
import { claimIndex } from '../../src/store/claim.ts'
import { copyExecutable, type Lonely, runExecutable, startExecutable } from '../support/executable.ts'
import { untilReady } from '../support/ready.ts'
import { RECORDED_NETWORK, recordedHome } from '../support/recorded-network.ts'
import { copyData, countsOf, makeWholeIndex } from '../support/whole-index.ts'

/**
 * `tonlith index compact`, `import`, `backup` and `export` are killed with SIGKILL at random moments: what they replace
 * is whole, what they make is whole or not there. INDEX_COPY_SEEDS=FIRST-LAST runs other seeds.
 */

const HEAD = 60
const [first = 1, last = 2] = (process.env.INDEX_COPY_SEEDS ?? '1-2').split('-').map(Number)
const seeds = Array.from({ length: last - first + 1 }, (_, i) => first + i)

let alone: Lonely
let whole: string
beforeAll(async () => {
  alone = await copyExecutable()
  await makeWholeIndex(alone, 'whole', HEAD)
  whole = await countsOf(alone, 'whole')
  expect((await runExecutable(alone, ['index', 'export', 'rows', '--data', 'whole'])).code).toBe(0)
})
afterAll(() => alone.remove())

const within = (...path: string[]): string => join(alone.folder, ...path)

/** Runs `tonlith index` and kills it after some time. Gives how long it ran where it ended before that. */
const killedAfter = async (ms: number, ...args: string[]): Promise<number | undefined> => {
  const begun = performance.now()
  const child = Bun.spawn([alone.executable, 'index', ...args], {
    cwd: alone.folder,
    env: { HOME: alone.folder },
    stdout: 'ignore',
    stderr: 'ignore',
  })
  const timer = setTimeout(() => child.kill('SIGKILL'), ms)
  await child.exited
  clearTimeout(timer)
  return child.signalCode === null ? performance.now() - begun : undefined
}

/** Runs it once to its end, and then killed at a random part of that time. */
const killed = async (random: () => number, prepare: () => void, ...args: string[]): Promise<void> => {
  prepare()
  const length = await killedAfter(60_000, ...args)
  prepare()
  await killedAfter(random() * 1.1 * length!, ...args)
}

describe('who is killed leaves nothing half done', () => {
  for (const seed of seeds) {
    const random = seededRandom(seed)
    test(`compact, seed ${seed}`, async () => {
      const prepare = (): void => {
        rmSync(within('small'), { recursive: true, force: true })
        copyData(alone, 'whole', 'small')
      }
      await killed(random, prepare, 'compact', '--data', 'small')
      expect(await countsOf(alone, 'small')).toBe(whole)
      expect((await runExecutable(alone, ['index', 'compact', '--data', 'small'])).code).toBe(0)
      expect(await countsOf(alone, 'small')).toBe(whole)
      expect(existsSync(within('small', 'index', 'unfinished'))).toBe(false)
    })

    test(`import, seed ${seed}`, async () => {
      const prepare = (): void => rmSync(within('imported'), { recursive: true, force: true })
      await killed(random, prepare, 'import', 'rows', '--data', 'imported')
      if (!existsSync(within('imported', 'index', 'data.mdb')))
        expect((await runExecutable(alone, ['index', 'import', 'rows', '--data', 'imported'])).code).toBe(0)
      expect(await countsOf(alone, 'imported')).toBe(whole)
    })

    test(`backup and export, seed ${seed}`, async () => {
      const prepare = (): void => {
        for (const name of ['copy', 'more', 'again']) rmSync(within(name), { recursive: true, force: true })
      }
      await killed(random, prepare, 'backup', 'copy/index', '--data', 'whole')
      if (!existsSync(within('copy', 'index', 'data.mdb')))
        expect((await runExecutable(alone, ['index', 'backup', 'copy/index', '--data', 'whole'])).code).toBe(0)
      expect(await countsOf(alone, 'copy')).toBe(whole)
      await killed(random, prepare, 'export', 'more', '--data', 'whole')
      if (!existsSync(within('more')))
        expect((await runExecutable(alone, ['index', 'export', 'more', '--data', 'whole'])).code).toBe(0)
      expect((await runExecutable(alone, ['index', 'import', 'more', '--data', 'again'])).code).toBe(0)
      expect(await countsOf(alone, 'again')).toBe(whole)
    })
  }
})

describe('one at a time', () => {
  test('an index that a server keeps is neither replaced nor made', async () => {
    const gateway = await startExecutable(alone, [...RECORDED_NETWORK, '--listen', '127.0.0.1:0', '--data', 'kept'])
    await untilReady(gateway.url)
    for (const action of [['compact'], ['import', 'rows']]) {
      const { code, stderr } = await runExecutable(alone, ['index', ...action, '--data', recordedHome('kept')])
      expect([code, stderr]).toEqual([1, expect.stringMatching(/^tonlith: \S+ is in use: a server keeps it, or .*\n$/)])
    }
    await gateway.end()
  })

  test('a server waits until who replaces it is done', async () => {
    const claim = claimIndex(within(recordedHome('waited'), 'index'))
    const gateway = await startExecutable(alone, [...RECORDED_NETWORK, '--listen', '127.0.0.1:0', '--data', 'waited'])
    const reason = async (): Promise<string> => (await fetch(`${gateway.url}/ready`)).text()
    while ((await reason()).includes('no liteserver')) await Bun.sleep(50)
    expect(await reason()).toContain('another process keeps this index')
    expect((await fetch(`${gateway.url}/api/v3/masterchainInfo`)).status).toBe(503)
    claim.release()
    while ((await fetch(`${gateway.url}/ready`)).status !== 200) await Bun.sleep(100)
    await gateway.end()
  })
})
