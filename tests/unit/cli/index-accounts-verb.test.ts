import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ChosenAccounts, openChosenAccounts } from '../../../src/cli/chosen-accounts.ts'
import { accountsVerb } from '../../../src/cli/index-accounts-verb.ts'
import { silentLogger } from '../../../src/common/logger.ts'
import { parseIndexCommand } from '../../../src/config/index-command.ts'
import { readHistories, settleHistories, writeHistory } from '../../../src/store/histories.ts'
import { noteScope } from '../../../src/store/index-scope.ts'
import { indexFolder, openIndexStore } from '../../../src/store/index-store.ts'
import { txKey, u32u64Key } from '../../../src/store/keys.ts'
import { NO_VALUE } from '../../../src/store/tables.ts'
import { BOUNCEABLE, friendlyAddress, tryParseAddress } from '../../../src/ton/address.ts'
import { rejectionOf } from '../../support/rejection.ts'

const raw = (digit: string, workchain = 0): string => `${workchain}:${digit.repeat(64)}`
const [ONE, TWO, MASTER] = [raw('1'), raw('2'), raw('3', -1)]
const friendly = (text: string): string => friendlyAddress(tryParseAddress(text)!, BOUNCEABLE)

let data: string
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'tonlith-accounts-'))
})
afterEach(() => rmSync(data, { recursive: true, force: true }))

const run = async (...args: string[]): Promise<string[]> => {
  const { action } = parseIndexCommand(['accounts', ...args])
  if (action.action !== 'accounts') throw new Error('another action')
  const lines: string[] = []
  await accountsVerb(action.of, data, (line) => lines.push(line))
  return lines
}
const told = async (...args: string[]) => (await rejectionOf(run(...args)))?.message
const listed = async (): Promise<string[]> => (await run('list')).slice(1).map((line) => line.split(' ', 1)[0]!)

/** An index as a server leaves it. */
const makeIndex = async (accounts: string[] | undefined): Promise<void> => {
  const store = await openIndexStore(indexFolder(data), 'test')
  noteScope(store, accounts)
  settleHistories(store, accounts)
  await store.environment.close()
}

describe('tonlith index accounts', () => {
  test('adds accounts in any form, once, from the line and from a file', async () => {
    const file = join(data, 'more')
    writeFileSync(file, `# mine\n${friendly(TWO)} # two\n\n${ONE.toUpperCase()}\n`)
    expect(await run('add', friendly(ONE), ONE, MASTER)).toEqual(['added 2 accounts to 0'])
    expect(await run('add', '--file', file, ONE)).toEqual(['added 1 account to 2'])
    const lines = await run('list')
    expect(lines[0]).toMatch(/^ACCOUNT +SINCE +CHOSEN BY +HISTORY$/)
    expect(lines[1]).toMatch(/^-1:3{64} {2}\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ {2}list {7}-$/)
    expect(await listed()).toEqual([MASTER, ONE, TWO])
    expect(await run('remove', friendly(ONE), TWO)).toEqual(['removed 2 accounts'])
    expect(await listed()).toEqual([MASTER])
  })

  test('one that is wrong is told with its place, and nothing is done', async () => {
    await run('add', ONE)
    const file = join(data, 'bad')
    writeFileSync(file, `${TWO}\n\n0:12\n`)
    expect(await told('add', TWO, 'nobody', 'nothing')).toBe('nobody is no address (account 2 on the command line)')
    expect(await told('add', TWO, '--file', file)).toBe(`0:12 is no address (${file}, line 3)`)
    expect(await told('remove', ONE, '--file', file)).toBe(`0:12 is no address (${file}, line 3)`)
    expect(await told('add', '--file', join(data, 'none'))).toContain('the file of accounts cannot be read')
    expect(await told('remove', ONE, TWO)).toBe(`${TWO} is not in the list; tonlith index accounts list tells what is`)
    expect(await listed()).toEqual([ONE])
  })

  test('an index of all accounts takes none, and nothing is kept', async () => {
    await makeIndex(undefined)
    expect(await told('add', ONE)).toMatch(/ is about all accounts already: .*--data/)
    expect(await run('list')).toEqual(['the index is about all accounts'])
  })

  test('an index of chosen accounts takes more, and shows those of its file', async () => {
    expect(await run('list')).toEqual(['no account is chosen'])
    await makeIndex([ONE, TWO])
    await run('add', TWO)
    const lines = await run('list')
    expect(lines[1]).toMatch(new RegExp(`^${TWO} .* list +waiting$`))
    expect(lines[2]).toMatch(new RegExp(`^${ONE} +- +index_accounts +waiting$`))
  })

  test('shows how far histories are, and what came back after it was destroyed', async () => {
    const accounts = [MASTER, ONE, TWO]
    await makeIndex(accounts)
    const store = await openIndexStore(indexFolder(data), 'test')
    for (const [i, history] of [...readHistories(store)].entries())
      writeHistory(store, { ...history, state: 'complete', oldest_lt: BigInt(i * 100) })
    const older = u32u64Key(store.addresses.find(tryParseAddress(TWO) ?? null)!, 199n, txKey(0n))
    store.environment.transaction(() => store.tables.tx_by_account.putSync(older, NO_VALUE))
    await store.environment.close()
    const texts = (await run('list')).slice(1).map((line) => line.replace(/^.* index_accounts +/, ''))
    expect(texts).toEqual(['none found: it had none, or was gone', 'complete', 'complete since it came back at lt 200'])
  })
})

describe('a server', () => {
  let chosen: ChosenAccounts
  const open = async (...ofFile: string[]) => {
    chosen = await openChosenAccounts(data, ofFile.length === 0 ? undefined : ofFile, silentLogger)
    return chosen
  }
  const next = async () => {
    await Bun.sleep(1)
    return chosen.read()
  }
  afterEach(() => chosen.close())

  test('sees each change, and the same list until then', async () => {
    expect((await open()).read()).toBeUndefined()
    await run('add', TWO, MASTER)
    const list = await next()
    expect(list).toEqual([MASTER, TWO])
    expect(await next()).toBe(list)
    await run('add', ONE)
    expect(await next()).toEqual([MASTER, ONE, TWO])
    await run('remove', ONE, TWO, MASTER)
    expect(await next()).toEqual([])
  })

  test('has those of its file beside', async () => {
    await run('add', TWO)
    expect((await open(TWO, ONE)).read()).toEqual([ONE, TWO])
    await run('remove', TWO)
    expect(await next()).toEqual([ONE, TWO])
  })

  test('knows after a restart that all were removed', async () => {
    await run('add', ONE)
    await run('remove', ONE)
    expect((await open()).read()).toEqual([])
  })
})
