import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { EMBEDDED } from '../../src/config/kinds.ts'
import { copyExecutable, type Lonely, type Running, runExecutable, startExecutable } from '../support/executable.ts'
import { untilReady } from '../support/ready.ts'
import { recordedChain } from '../support/recorded-chain.ts'
import { RECORDED_NETWORK, recordedHome } from '../support/recorded-network.ts'
import { globalConfigOf } from '../support/served-gateway.ts'

/** The compiled program keeps an index of the recorded network, and `tonlith index` works with it. */

const ELECTOR = '-1:3333333333333333333333333333333333333333333333333333333333333333'
const SOME_KEY = '11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo='

let alone: Lonely
beforeAll(async () => {
  alone = await copyExecutable()
})
afterAll(() => alone.remove())

const dev = (data: string, ...flags: string[]): Promise<Running> =>
  startExecutable(alone, [...RECORDED_NETWORK, '--listen', '127.0.0.1:0', '--data', data, ...flags])

const index = (...args: string[]) => runExecutable(alone, ['index', ...args])

interface IndexPart {
  state: string
  seqno: number
  head: number
  /** Missing before the first word of its Worker. */
  ranges?: { first: number; last: number }[]
  gaps: { first: number; last: number }[]
  transactions: number
}

const indexOf = async ({ url }: Running): Promise<IndexPart> => {
  const response = await fetch(`${url}/status`)
  return ((await response.json()) as { index: IndexPart }).index
}

/** Asks again until what is told is as wanted. */
const until = async (gateway: Running, right: (index: IndexPart) => boolean): Promise<IndexPart> => {
  for (let tries = 0; tries < 500; tries++) {
    const found = await indexOf(gateway)
    if (right(found)) return found
    await Bun.sleep(100)
  }
  throw new Error(`never: ${JSON.stringify(await indexOf(gateway))}`)
}

describe('an index from the middle on', () => {
  const last = recordedChain().last
  let gateway: Running
  beforeAll(async () => {
    gateway = await dev('middle', '--index-from', '340', '--backfill-to', '320')
  })
  afterAll(() => gateway.end('SIGKILL'))

  test('reaches the head, then what is below, and has no gap in the end', async () => {
    const { state, seqno, gaps } = await until(gateway, ({ ranges }) => ranges?.[0]?.first === 320)
    expect([state, seqno, gaps]).toEqual(['following', last, []])
  })

  test('serves it', async () => {
    const response = await fetch(`${gateway.url}/api/v3/transactionsByMasterchainBlock?seqno=325&limit=10`)
    expect(response.status).toBe(200)
    expect(response.headers.get('x-index-range')).toBe(`320-${last}`)
  })

  test('goes on where it ended after a restart, and every row of it is right', async () => {
    expect(await gateway.end()).toBe(0)
    gateway = await dev('middle', '--index-from', '340')
    await untilReady(gateway.url)
    expect((await indexOf(gateway)).ranges).toEqual([{ first: 320, last }])
    const { code, stdout } = await index('verify', '--data', recordedHome('middle'), '--archive', EMBEDDED)
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^41 masterchain blocks, \d+ transactions, 0 differences\n$/),
    ])
    expect(await gateway.end()).toBe(0)
  })

  test('is looked at, copied, exported, imported and compacted', async () => {
    const info = await index('info', '--data', recordedHome('middle'))
    expect(info.stdout).toContain(`masterchain blocks  320 to ${last}\n`)
    expect((await index('backup', 'copy/index', '--data', recordedHome('middle'))).code).toBe(0)
    expect((await index('export', 'rows', '--data', recordedHome('middle'))).code).toBe(0)
    expect((await index('import', 'rows', '--data', 'imported')).code).toBe(0)
    expect((await index('compact', '--data', recordedHome('middle'))).code).toBe(0)
    const counts = (text: string): string => text.split('\n').slice(0, 7).join('\n')
    for (const data of ['copy', 'imported', recordedHome('middle')])
      expect(counts((await index('info', '--data', data)).stdout)).toBe(counts(info.stdout))
    const again = await index('import', 'rows', '--data', 'imported')
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('there is an index in')])
  })

  test('is refused where another network is served, before anybody is asked, with what to do', async () => {
    const config = JSON.parse(globalConfigOf([{ host: '127.0.0.1', port: 1, key: Buffer.from(SOME_KEY, 'base64') }]))
    config.validator.zero_state.file_hash = Buffer.alloc(32, 1).toString('base64')
    writeFileSync(join(alone.folder, 'other.json'), JSON.stringify(config))
    const flags = ['--listen', '127.0.0.1:0', '--global-config', 'other.json', '--data', 'imported']
    const { code, stderr } = await runExecutable(alone, ['serve', ...flags])
    expect(code).toBe(1)
    expect(stderr).toMatch(/^tonlith: \S+ is of the network [0-9a-f]{64}, not (01){32}; start with the --network /)
  })
})

describe('an index of one account', () => {
  test('has its transactions and those beside them only', async () => {
    writeFileSync(join(alone.folder, 'accounts'), `# who is elected\n${ELECTOR} # the elector\n`)
    const gateway = await dev('one', '--index-accounts', 'accounts')
    await untilReady(gateway.url)
    const response = await fetch(`${gateway.url}/api/v3/transactions?limit=1000&sort=asc`)
    const { transactions } = (await response.json()) as {
      transactions: { account: string; in_msg: { source: string | null } | null }[]
    }
    expect(transactions.some(({ account }) => account === ELECTOR)).toBe(true)
    expect(transactions.length).toBeLessThan(recordedChain().last * 4)
    const { code, stdout } = await index('verify', '--data', recordedHome('one'), '--archive', EMBEDDED, '--to', '60')
    expect([code, stdout]).toEqual([0, expect.stringContaining(' 0 differences')])
    await gateway.end()
  })

  test('a list with something else in it stops the start', async () => {
    writeFileSync(join(alone.folder, 'bad'), `${ELECTOR}\nnobody\n`)
    const { code, stderr } = await runExecutable(alone, [
      ...RECORDED_NETWORK,
      '--listen',
      '127.0.0.1:0',
      '--index-accounts',
      'bad',
    ])
    expect([code, stderr]).toEqual([1, expect.stringMatching(/nobody is no address \(.*bad, line 2\)/)])
  })
})

describe('without an index', () => {
  test('nothing is kept, and it is ready at once', async () => {
    const gateway = await dev('none', '--index', 'off')
    expect((await fetch(`${gateway.url}/ready`)).status).toBe(200)
    expect(await indexOf(gateway)).toBeUndefined()
    expect(existsSync(join(alone.folder, recordedHome('none')))).toBe(false)
    await gateway.end()
  })
})
