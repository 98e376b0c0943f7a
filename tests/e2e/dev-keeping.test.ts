import { afterAll, beforeAll, expect, test } from 'bun:test'
import { hash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Address, beginCell, internal, toNano } from '@ton/core'
import { TonClient } from '@ton/ton'
import { blockIdText } from '../../src/ton/block-id.ts'
import { openCheckedChain } from '../support/checked-chain.ts'
import { copyExecutable, type Lonely } from '../support/executable.ts'
import { type LiveNetwork, startLiveNetwork } from '../support/live-network.ts'
import { printedWallets, sendMined } from '../support/live-wallet.ts'
import { connectQuery } from '../support/query-client.ts'

/** What a live network keeps, loads and forgets, and that the same orders make the same blocks. */

const MANUAL = ['--block-interval', 'manual', '--index', 'off', '--time', '1800000000']

let alone: Lonely
beforeAll(async () => {
  alone = await copyExecutable()
})
afterAll(() => alone.remove())

/** Runs a network for as long as `use` takes, and ends it in order. */
const during = async <T>(
  data: string,
  flags: readonly string[],
  use: (network: LiveNetwork) => Promise<T>,
): Promise<T> => {
  const network = await startLiveNetwork(alone, data, ...flags)
  try {
    return await use(network)
  } finally {
    expect(await network.end()).toBe(0)
  }
}

/** Names and hashes of all blocks, each of which was checked. */
const blocksOf = async (network: LiveNetwork): Promise<string[]> => {
  const { query, connection } = await connectQuery(network.liteserver)
  try {
    const chain = await openCheckedChain(query)
    await chain.advance((await network.status()).seqno)
    return [...chain.ids.values()].map((id) => `${blockIdText(id)} ${id.file_hash.toString('hex')}`)
  } finally {
    connection.close()
  }
}

const pay = async (network: LiveNetwork, name: string): Promise<void> => {
  const [, , payer] = await printedWallets(await network.status())
  const to = new Address(0, hash('sha256', name, 'buffer'))
  const client = new TonClient({ endpoint: network.rpc })
  await sendMined(network, client, payer!, internal({ to, value: toNano(1), bounce: false }))
  await network.mine(2)
}

const balanceOf = (network: LiveNetwork, address: string): Promise<{ result: string }> =>
  network.get(`/api/v2/getAddressBalance?address=${address}`)

test('it goes on after its end with every block that it had', async () => {
  const before = await during('kept', MANUAL, async (network) => {
    await pay(network, 'one')
    return blocksOf(network)
  })
  const after = await during('kept', MANUAL, async (network) => {
    await pay(network, 'two')
    return blocksOf(network)
  })
  expect(after.length).toBeGreaterThan(before.length)
  expect(after.slice(0, before.length)).toEqual(before)
})

test('--fresh begins anew', async () => {
  const before = await during('fresh', MANUAL, async (network) => (await network.mine(20)).seqno)
  const after = await during('fresh', [...MANUAL, '--fresh'], async (network) => (await network.status()).seqno)
  expect(after).toBeLessThan(before)
})

test('the same orders at the same time make the same blocks', async () => {
  const run = (data: string) =>
    during(data, MANUAL, async (network) => {
      for (const name of ['one', 'two', 'three']) await pay(network, name)
      await network.call('time', { advance: 3_600 })
      await network.call('resplit', { action: 'split', shard: '4000000000000000' })
      await pay(network, 'four')
      return blocksOf(network)
    })
  const [first, second] = [await run('first'), await run('second')]
  expect(first.length).toBeGreaterThan(20)
  expect(second).toEqual(first)
})

test('--load gives it accounts, whose contracts run', async () => {
  const account = (name: string) => {
    const code = beginCell().storeUint(0x802a, 16).endCell().toBoc().toString('base64')
    const data = beginCell().storeUint(7, 32).endCell().toBoc().toString('hex')
    return { address: `0:${hash('sha256', name, 'hex')}`, balance: toNano(12).toString(), code, data }
  }
  writeFileSync(join(alone.folder, 'accounts.json'), JSON.stringify([account('first'), account('second')]))
  await during('loaded', [...MANUAL, '--load', 'accounts.json'], async (network) => {
    expect((await balanceOf(network, account('second').address)).result).toBe(toNano(12).toString())
    const client = new TonClient({ endpoint: network.rpc })
    const { stack } = await client.runMethod(Address.parse(account('first').address), 'answer')
    expect(stack.skip(1).readNumber()).toBe(42)
    expect((await blocksOf(network)).length).toBeGreaterThan(10)
  })
})
