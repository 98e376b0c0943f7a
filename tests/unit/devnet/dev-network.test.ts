import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLogger } from '../../../src/common/logger.ts'
import { createDevNetwork } from '../../../src/devnet/dev-network.ts'
import { refusedWith } from '../../../src/devnet/network-control.ts'
import { cellToBoc } from '../../../src/ton/boc-writer.ts'
import { beginCell } from '../../../src/ton/builder.ts'
import { DEV_TIME, startTestNetwork, type TestNetwork, testOptions } from '../../support/dev-chain.ts'

setDefaultTimeout(30_000)

const SOMEBODY = `0:${'51'.repeat(32)}`

let network: TestNetwork
/** One whose clock goes far ahead. */
let far: TestNetwork
beforeAll(async () => {
  network = await startTestNetwork({ shards: 2 })
  far = await startTestNetwork({ time: 1_300_000_000 })
})
afterAll(async () => {
  await network.remove()
  await far.remove()
})

const status = () => network.control.status()
const shards = async (): Promise<string[]> => (await status()).shards.map(({ shard }) => shard)

describe('a new network', () => {
  test('stands still, with its shards, before the time that it was told', async () => {
    const { seqno, utime, now, real_time, block_interval, pending } = await status()
    expect(seqno).toBeGreaterThan(8)
    expect(utime).toBeLessThanOrEqual(DEV_TIME)
    expect([now, real_time, block_interval, pending]).toEqual([DEV_TIME, false, null, 0])
    expect(await shards()).toEqual(['4000000000000000', 'c000000000000000'])
  })

  test('tells the accounts that it begins with', async () => {
    const { faucet, wallets, contracts } = network.started.accounts
    expect(faucet).toMatch(/^0:[0-9a-f]{64}$/)
    expect(wallets.filter(({ address }) => address.startsWith('0:')).length).toBe(10)
    for (const { mnemonic } of wallets) expect(mnemonic.split(' ').length).toBe(24)
    expect(contracts.length).toBe(2)
  })
})

describe('blocks', () => {
  test('are made when they are asked for, each a second later', async () => {
    const before = await status()
    const { seqno, utime } = await network.control.mine(3)
    expect([seqno - before.seqno, utime - before.now]).toEqual([3, 2])
  })

  test('have the time that is set', async () => {
    const { now } = await status()
    expect(await network.control.setTime({ advance: 3600 })).toEqual({ now: now + 3600 })
    expect(await network.control.setTime({ now: now + 7200 })).toEqual({ now: now + 7200 })
    expect((await network.control.mine(1)).utime).toBe(now + 7200)
    await expect(network.control.setTime({ now })).rejects.toThrow('cannot go back')
  })
})

describe('the faucet', () => {
  test('pays, and tells the transaction', async () => {
    const before = await status()
    const paid = await network.control.faucet(SOMEBODY, 1_234_567_891n)
    expect(paid.mc_seqno).toBeGreaterThan(before.seqno)
    expect([paid.message_hash, paid.transaction_hash].every((hash) => /^[0-9a-f]{64}$/.test(hash))).toBe(true)
    expect(paid.lt).toBeGreaterThan(0n)
    expect((await status()).pending).toBe(0)
  })

  test('pays many at once', async () => {
    const paid = await Promise.all(Array.from({ length: 10 }, () => network.control.faucet(SOMEBODY, 1n)))
    expect(new Set(paid.map(({ transaction_hash }) => transaction_hash)).size).toBe(10)
  })

  test('answers once the account has it: in another shard that is a block later', async () => {
    const before = await status()
    const near = await network.control.faucet(`0:${'e1'.repeat(32)}`, 5n)
    const other = await network.control.faucet(SOMEBODY, 5n)
    const master = await network.control.faucet(`-1:${'51'.repeat(32)}`, 5n)
    expect([near, other, master].map(({ mc_seqno }) => mc_seqno - before.seqno)).toEqual([1, 3, 4])
  })

  test('pays after a step of the clock, however long, before any block was made', async () => {
    for (const advance of [599, 600, 86_400, 10 * 31_536_000 - 1_000_000]) {
      const { now } = await far.control.setTime({ advance })
      const { seqno } = await far.control.status()
      expect((await far.control.faucet(SOMEBODY, 5n)).mc_seqno).toBeGreaterThan(seqno)
      expect((await far.control.status()).utime).toBeGreaterThanOrEqual(now)
      await far.control.setTime({ advance })
      const value = cellToBoc(beginCell().uint(advance, 32).endCell())
      expect((await far.control.setConfig(-1234, value)).utime).toBeGreaterThanOrEqual(now + advance)
    }
  })

  test('says in one line why the contract refuses', () => {
    const words = 'rejected by transaction AB:\nexitcode=36, steps=33, gas_used=0\nVM Log (truncated):\n...execute NOW'
    expect(refusedWith(words)).toMatch(/^the contract refuses the message with exit code 36: .*dev mine.*$/)
    expect(refusedWith('mempool is full')).toBe('mempool is full')
  })

  test('does not pay what it does not have, or nobody', async () => {
    await expect(network.control.faucet(`5:${'51'.repeat(32)}`, 5n)).rejects.toThrow('the faucet cannot pay that')
    await expect(network.control.faucet(SOMEBODY, 10n ** 18n)).rejects.toThrow('the faucet pays at most')
    await expect(network.control.faucet('nobody', 1n)).rejects.toThrow('no account address')
  })
})

describe('shards', () => {
  test('are split and merged', async () => {
    await network.control.resplit('split', '4000000000000000')
    expect(await shards()).toEqual(['2000000000000000', '6000000000000000', 'c000000000000000'])
    await network.control.faucet(SOMEBODY, 1n)
    await network.control.resplit('merge', '6000000000000000')
    expect(await shards()).toEqual(['4000000000000000', 'c000000000000000'])
  })

  test('that are not there, or may not be, are refused', async () => {
    await expect(network.control.resplit('split', '8000000000000000')).rejects.toThrow('is not there')
    await expect(network.control.resplit('merge', '4000000000000000')).rejects.toThrow('cannot be merged')
  })
})

describe('the configuration', () => {
  test('changes with a key block', async () => {
    const value = beginCell().uint(7, 32).endCell()
    const { seqno } = await network.control.setConfig(-1234, cellToBoc(value))
    expect((await status()).seqno).toBe(seqno)
  })

  test('takes nothing that is no cell, or that would break the network', async () => {
    await expect(network.control.setConfig(-1234, Buffer.from('x'))).rejects.toThrow('no bag of one cell')
    await expect(network.control.setConfig(34, cellToBoc(beginCell().endCell()))).rejects.toThrow()
    const other = cellToBoc(beginCell().endCell())
    await expect(network.control.setConfig(777, other)).rejects.toThrow('there is no configuration parameter 777')
    await network.control.mine(1)
  })

  test('takes no value with which no transaction can be made, and no version that its blocks do not have', async () => {
    const noAccounts = cellToBoc(beginCell().uint(0b1011, 30).endCell())
    await expect(network.control.setConfig(31, noAccounts)).rejects.toThrow()
    const old = cellToBoc(beginCell().uint(0xc4, 8).uint(12, 32).uint(494, 64).endCell())
    await expect(network.control.setConfig(8, old)).rejects.toThrow('global version 13 only')
    await network.control.faucet(SOMEBODY, 1n)
  })

  test('stays as it is where it has the value already', async () => {
    const before = await status()
    const value = beginCell().uint(7, 32).endCell()
    expect(await network.control.setConfig(-1234, cellToBoc(value))).toEqual({
      seqno: before.seqno,
      utime: before.utime,
    })
  })
})

describe('accounts that are put in', () => {
  const file = (...accounts: object[]) => ({ file: Buffer.from(JSON.stringify(accounts)) })
  const [left, master] = [`0:${'21'.repeat(32)}`, `-1:${'21'.repeat(32)}`]

  test('are there with the next block', async () => {
    const before = await status()
    const loaded = await network.control.load(file({ address: left, balance: '5' }, { address: master, balance: '6' }))
    expect([loaded.accounts, loaded.seqno]).toEqual([2, before.seqno + 1])
    const again = await network.control.load(file({ address: left, balance: '7' }))
    expect([again.accounts, again.present]).toEqual([0, [left]])
  })

  test('leave all as it is where one cannot be', async () => {
    const { seqno } = await status()
    await expect(network.control.load(file({ address: left }, { address: `5:${'21'.repeat(32)}` }))).rejects.toThrow()
    await expect(network.control.load({ file: Buffer.from('x') })).rejects.toThrow('accounts to load')
    expect((await network.control.mine(1)).seqno).toBe(seqno + 1)
  })
})

describe('snapshots', () => {
  test('are gone back to, and the chain goes on from there', async () => {
    const before = await network.control.snapshot('one')
    const { now } = await status()
    await network.control.faucet(SOMEBODY, 5n)
    await network.control.mine(5)
    expect((await status()).snapshots).toEqual(['one'])
    const { liteserver } = network.started
    expect(await network.control.restore('one')).toEqual(before)
    const after = await status()
    expect([after.seqno, after.utime]).toEqual([before.seqno, before.utime])
    expect(after.now).toBeLessThanOrEqual(now)
    expect((await network.control.mine(1)).seqno).toBe(before.seqno + 1)
    expect(network.started.liteserver).toEqual(liteserver)
    await network.control.faucet(SOMEBODY, 5n)
  })

  test('that are not there, or are there already, are refused, and the network goes on', async () => {
    await expect(network.control.restore('two')).rejects.toThrow('no snapshot two')
    await expect(network.control.snapshot('one')).rejects.toThrow('already')
    await expect(network.control.snapshot('../x')).rejects.toThrow('name of a snapshot')
    await network.control.mine(1)
  })
})

test('a network goes on where it was ended, and is begun anew when that is asked for', async () => {
  const first = await startTestNetwork()
  const { seqno } = await first.control.mine(2)
  const { utime } = await first.control.status()
  await first.stop()
  const said: string[] = []
  const logger = createLogger('info', 'json', (line) => said.push(line))
  const second = await createDevNetwork(testOptions(first.folder, { shards: 2, load: '/nowhere', logger }))
  expect(said[0]).toContain('not loaded: the network is there already')
  expect(said[1]).toContain('the network is there already with so many shards')
  expect((await second.control.status()).seqno).toBe(seqno)
  expect((await second.control.mine(1)).utime).toBeGreaterThanOrEqual(utime)
  expect(second.started.zeroState).toEqual(first.started.zeroState)
  await second.stop()
  const third = await startTestNetwork({ folder: first.folder, fresh: true, time: DEV_TIME + 5 })
  expect((await third.control.status()).seqno).toBeLessThan(seqno)
  expect(third.started.zeroState).not.toEqual(first.started.zeroState)
  await third.remove()
})

test('shards are split and merged every so many blocks', async () => {
  const own = await startTestNetwork({ resplitEvery: 8 })
  const seen = new Set<number>()
  for (let i = 0; i < 40; i++) {
    await own.control.mine(1)
    seen.add((await own.control.status()).shards.length)
  }
  expect([...seen].sort()).toEqual([1, 2])
  await own.remove()
})

describe('accounts from a file', () => {
  const address = `0:${'61'.repeat(32)}`
  const withFile = async (text: string): Promise<TestNetwork> => {
    const folder = mkdtempSync(join(tmpdir(), 'tonlith-load-'))
    const load = join(folder, 'accounts.json')
    writeFileSync(load, text)
    return startTestNetwork({ folder, load })
  }

  test('are there from the beginning', async () => {
    const own = await withFile(JSON.stringify([{ address, balance: '7000000000' }]))
    const other = await startTestNetwork()
    expect(own.started.zeroState).not.toEqual(other.started.zeroState)
    await own.remove()
    await other.remove()
  })

  test('that cannot be read end the start', async () => {
    await expect(withFile('[{"address": "nobody"}]')).rejects.toThrow('accounts to load: number 1')
    await expect(startTestNetwork({ load: '/nowhere/accounts.json' })).rejects.toThrow('cannot be read')
  })
})

test('a network that can neither be replaced nor go on says so', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tonlith-lost-'))
  let broken = false
  const options = Object.defineProperty(testOptions(folder), 'time', {
    enumerable: true,
    get: () => {
      if (broken) throw new Error('no clock any more')
      return DEV_TIME
    },
  })
  const own = await createDevNetwork(options)
  await expect(own.control.restore('missing')).rejects.toThrow('no snapshot missing')
  await own.control.mine(1)
  broken = true
  await expect(own.control.restore('missing')).rejects.toThrow('no clock any more')
  expect(String(await own.lost)).toContain('no clock any more')
  await expect(own.control.mine(1)).rejects.toThrow('being replaced')
  await own.stop()
  rmSync(folder, { recursive: true, force: true })
})
