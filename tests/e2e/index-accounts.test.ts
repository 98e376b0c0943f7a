import { afterAll, beforeAll, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rawAddress } from '../../src/ton/address.ts'
import { startArchive } from '../support/archive-client.ts'
import { copyExecutable, type Lonely, type Running, runExecutable, startExecutable } from '../support/executable.ts'
import { untilReady } from '../support/ready.ts'
import { recordedBatch } from '../support/recorded-batches.ts'
import { recordedChain } from '../support/recorded-chain.ts'
import { RECORDED_NETWORK, recordedHome } from '../support/recorded-network.ts'
import { globalConfigOf } from '../support/served-gateway.ts'

/** The operator of the compiled program chooses accounts while it keeps its index. */

const ELECTOR = `-1:${'3'.repeat(64)}`
const [ONE, TWO, THREE] = ['1', '2', '4'].map((digit) => `0:${digit.repeat(64)}`) as [string, string, string]

let alone: Lonely
const running = new Set<Running>()
beforeAll(async () => {
  alone = await copyExecutable()
})
afterAll(async () => {
  await Promise.all([...running].map((gateway) => gateway.end('SIGKILL')))
  alone.remove()
})

const dev = async (data: string, ...flags: string[]): Promise<Running> => {
  const gateway = await startExecutable(alone, [
    ...RECORDED_NETWORK,
    '--listen',
    '127.0.0.1:0',
    '--data',
    data,
    ...flags,
  ])
  running.add(gateway)
  return gateway
}

const end = async (gateway: Running): Promise<number> => {
  const code = await gateway.end()
  running.delete(gateway)
  return code
}

/** Runs `tonlith index accounts` for the index of dev in a data folder. */
const accounts = (data: string, ...args: string[]) =>
  runExecutable(alone, ['index', 'accounts', ...args, '--data', recordedHome(data)])

const done = async (data: string, ...args: string[]): Promise<string> => {
  const { code, stdout, stderr } = await accounts(data, ...args)
  if (code !== 0) throw new Error(stderr)
  return stdout
}

const listed = async (data: string): Promise<string[]> =>
  (await done(data, 'list'))
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(/ +/))
    .map(([account, , by]) => `${account} ${by}`)

interface IndexPart {
  accounts: number | null
  histories: { done: number; left: number } | null
  seqno: number
}
const indexOf = async ({ url }: Running): Promise<IndexPart> =>
  ((await (await fetch(`${url}/status`)).json()) as { index: IndexPart }).index

/** How many accounts the index is about, asked until it is as wanted, for at most half a minute. */
const untilAbout = async (gateway: Running, wanted: number): Promise<number | null> => {
  const until = performance.now() + 30_000
  for (;;) {
    const { accounts: found } = await indexOf(gateway)
    if (found === wanted || performance.now() > until) return found
    await Bun.sleep(50)
  }
}

test('accounts are added and removed while it runs, and stay over a restart', async () => {
  writeFileSync(join(alone.folder, 'file'), `${ONE}\n`)
  const flags = ['--index-accounts', 'file', '--replay', '100ms', '--head', '50']
  let gateway = await dev('some', ...flags)
  await untilReady(gateway.url)
  expect((await indexOf(gateway)).accounts).toBe(1)
  const transactions = async (account: string): Promise<number> => {
    const response = await fetch(`${gateway.url}/api/v3/transactions?account=${account}&limit=1000`)
    return ((await response.json()) as { transactions: unknown[] }).transactions.length
  }
  expect(await transactions(ELECTOR)).toBe(0)

  writeFileSync(join(alone.folder, 'more'), `# two of them\n${TWO}\n${THREE}\n`)
  expect(await done('some', 'add', ELECTOR, '--file', 'more')).toBe('added 3 accounts to 0\n')
  expect(await untilAbout(gateway, 4)).toBe(4)
  const { seqno } = await indexOf(gateway)
  while ((await indexOf(gateway)).seqno < seqno + 3) await Bun.sleep(50)
  expect(await transactions(ELECTOR)).toBeGreaterThan(0)

  expect(await done('some', 'remove', TWO)).toBe('removed 1 account\n')
  expect(await untilAbout(gateway, 3)).toBe(3)
  const left = [`${ELECTOR} list`, `${THREE} list`, `${ONE} index_accounts`]
  expect(await listed('some')).toEqual(left)
  expect(gateway.stderr()).toContain('other accounts are chosen now')

  expect(await end(gateway)).toBe(0)
  expect(await listed('some')).toEqual(left)
  gateway = await dev('some', ...flags)
  await untilReady(gateway.url)
  expect((await indexOf(gateway)).accounts).toBe(3)
  expect(await transactions(ELECTOR)).toBeGreaterThan(0)
  expect(await end(gateway)).toBe(0)
}, 120_000)

test('what is chosen before the first start makes an index of that', async () => {
  expect(await done('before', 'list')).toBe('no account is chosen\n')
  await done('before', 'add', ELECTOR)
  const gateway = await dev('before', '--head', '20')
  await untilReady(gateway.url)
  expect((await indexOf(gateway)).accounts).toBe(1)
  expect(await end(gateway)).toBe(0)
  const { stdout } = await runExecutable(alone, ['index', 'info', '--data', recordedHome('before')])
  expect(stdout).toMatch(/^about +chosen accounts: 1\n/)
})

test('an index of all accounts takes none', async () => {
  const gateway = await dev('all', '--head', '5')
  await untilReady(gateway.url)
  expect((await indexOf(gateway)).accounts).toBeNull()
  const { code, stdout, stderr } = await accounts('all', 'add', ONE)
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toMatch(/^tonlith: \S+ is about all accounts already: .*--data, or remove the folder\n$/)
  expect(await done('all', 'list')).toBe('the index is about all accounts\n')
  expect(await end(gateway)).toBe(0)
})

test('an index neither becomes one of all accounts when the choice is gone, nor one of some when there is one', async () => {
  const liteserver = await startArchive({ head: 12 })
  const config = globalConfigOf([{ ...liteserver.address, key: liteserver.publicKey }])
  writeFileSync(join(alone.folder, 'servers.json'), config)
  writeFileSync(join(alone.folder, 'choice'), `${ELECTOR}\n`)
  const some = ['--data', 'chosen', '--index-accounts', 'choice']
  const flags = ['--listen', '127.0.0.1:0', '--global-config', 'servers.json', '--trust', 'proofs', '--index-from', '1']
  const once = async (...more: string[]): Promise<void> => {
    const gateway = await startExecutable(alone, ['serve', ...flags, ...more])
    running.add(gateway)
    await untilReady(gateway.url)
    expect(await end(gateway)).toBe(0)
  }
  const refusal = async (...more: string[]): Promise<string> => {
    const { code, stdout, stderr } = await runExecutable(alone, ['serve', ...flags, ...more])
    expect([code, stdout]).toEqual([1, ''])
    return stderr
  }
  try {
    await once(...some)
    expect(await refusal('--data', 'chosen')).toMatch(
      /^tonlith: \S+ is about chosen accounts, and none is chosen: .+\n$/,
    )
    await runExecutable(alone, ['index', 'accounts', 'add', ONE, '--data', 'chosen'])
    await once('--data', 'chosen')
    await runExecutable(alone, ['index', 'accounts', 'remove', ONE, '--data', 'chosen'])
    await once('--data', 'chosen')
    await once('--data', 'whole')
    expect(await refusal('--data', 'whole', '--index-accounts', 'choice')).toMatch(
      /^tonlith: \S+ is about all accounts, and some are chosen: .+\n$/,
    )
    await once('--data', 'whole')
  } finally {
    await liteserver.stop()
  }
}, 120_000)

test('mistakes end in one line, and change nothing', async () => {
  writeFileSync(join(alone.folder, 'bad'), `${ONE}\nnobody\n`)
  await done('wrong', 'add', ONE)
  const told = async (...args: string[]) => {
    const { code, stdout, stderr } = await accounts('wrong', ...args)
    expect(stdout).toBe('')
    expect(stderr.trimEnd()).not.toContain('\n')
    return [code, stderr] as const
  }
  expect(await told('add', TWO, '--file', 'bad')).toEqual([
    1,
    expect.stringMatching(/nobody is no address \(.*line 2\)/),
  ])
  expect(await told('add', TWO, '0:1')).toEqual([1, expect.stringContaining('0:1 is no address (account 2')])
  expect(await told('remove', ONE, TWO)).toEqual([1, expect.stringContaining(`${TWO} is not in the list`)])
  expect(await told('add')).toEqual([2, expect.stringContaining('needs accounts')])
  expect(await told('drop', ONE)).toEqual([2, expect.stringContaining('does not know drop')])
  expect(await listed('wrong')).toEqual([`${ONE} list`])
})

test('an account that is added gets its history, and verify finds all of it', async () => {
  const HEAD = 80
  const chain = recordedChain()
  const counts = new Map<string, number>()
  for (let seqno = 1; seqno <= HEAD; seqno++)
    for (const { account } of recordedBatch(chain, seqno).transactions)
      counts.set(rawAddress(account), (counts.get(rawAddress(account)) ?? 0) + 1)
  const [added, count] = [...counts].filter(([id]) => id.startsWith('0:')).sort((a, b) => b[1] - a[1])[0]!

  await done('late', 'add', ELECTOR)
  let gateway = await dev('late', '--index-from', `${HEAD - 10}`, '--head', `${HEAD}`)
  await untilReady(gateway.url)
  await done('late', 'add', added)
  expect(await untilAbout(gateway, 2)).toBe(2)
  while ((await indexOf(gateway)).histories?.left !== 0) await Bun.sleep(50)
  expect((await indexOf(gateway)).histories).toEqual({ done: 2, left: 0, accounts: [] } as never)
  const found = async () => {
    const response = await fetch(`${gateway.url}/api/v3/transactions?account=${added}&limit=1000&sort=asc`)
    expect(response.headers.get('x-index-range')).toBe(`${HEAD - 10}-${HEAD}`)
    expect(response.headers.get('x-index-scope')).toBe('chosen-accounts')
    return ((await response.json()) as { transactions: { account: string }[] }).transactions
  }
  const transactions = await found()
  expect(transactions.length).toBe(count)
  expect(transactions.every(({ account }) => account.toLowerCase() === added)).toBe(true)
  expect(await end(gateway)).toBe(0)

  const verify = await runExecutable(alone, ['index', 'verify', '--data', recordedHome('late')])
  expect([verify.code, verify.stdout]).toEqual([0, expect.stringContaining(' 0 differences')])
  gateway = await dev('late', '--index-from', `${HEAD - 10}`, '--head', `${HEAD}`)
  await untilReady(gateway.url)
  expect(await found()).toEqual(transactions)
  expect(await end(gateway)).toBe(0)
}, 120_000)
