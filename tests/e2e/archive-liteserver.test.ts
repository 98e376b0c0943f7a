import { afterAll, describe, expect, test } from 'bun:test'
import { Address, Cell } from '@ton/core'
import { LiteClient, LiteSingleEngine } from 'ton-lite-client'
import type { ArchiveLiteserver } from '../../src/devnet/archive-liteserver.ts'
import {
  getAccountState,
  getMasterchainInfo,
  getTransactions,
  listBlockTransactions,
  lookupBlock,
} from '../../src/liteserver/client.ts'
import { MASTERCHAIN, SHARD_ALL } from '../../src/ton/block-id.ts'
import { blockTransactions } from '../../src/ton/tlb/account-blocks.ts'
import { parseBlock } from '../../src/ton/tlb/block.ts'
import { parseBlockExtra } from '../../src/ton/tlb/block-extra.ts'
import { ownClient, startArchive } from '../support/archive-client.ts'
import { recordedChain } from '../support/recorded-chain.ts'

const chain = recordedChain()
const stops: (() => void | Promise<void>)[] = []
afterAll(async () => {
  for (const stop of stops.reverse()) await stop()
})

const start = async (options: Parameters<typeof startArchive>[0] = {}): Promise<ArchiveLiteserver> => {
  const server = await startArchive(options)
  stops.push(server.stop)
  return server
}

describe('ton-lite-client, which is not ours,', () => {
  const open = async () => {
    const server = await start()
    const { host, port } = server.address
    const engine = new LiteSingleEngine({ host: `tcp://${host}:${port}`, publicKey: server.publicKey })
    stops.push(() => engine.close())
    await new Promise((resolve) => engine.once('ready', resolve))
    return new LiteClient({ engine })
  }

  test('reads the head, the versions, the shards and the blocks', async () => {
    const client = await open()
    const { last } = await client.getMasterchainInfo()
    expect(last.seqno).toBe(chain.last)
    expect(last.rootHash).toEqual(chain.masterchain(chain.last)!.id.root_hash)
    expect((await client.getVersion()).version).toBe(0x101)
    expect(Math.abs((await client.getCurrentTime()) - Date.now() / 1000)).toBeLessThan(5)
    const { shards } = await client.getAllShardsInfo(last)
    expect(Object.keys(shards)).toEqual(['0'])
    expect(Object.keys(shards['0']!).length).toBe(2)
    const block = await client.getFullBlock(20)
    for (const { workchain, shard, seqno, transactions, rootHash } of block.shards) {
      const stored = chain
        .shards(workchain)
        .get(BigInt(shard))!
        .find(({ id }) => id.seqno === seqno)!
      expect(rootHash).toEqual(stored.id.root_hash)
      const { account_blocks } = parseBlockExtra(parseBlock(stored.root).extra)
      expect(transactions.map(({ hash }) => hash)).toEqual(
        [...blockTransactions(account_blocks)].map(({ cell }) => cell.hash()),
      )
    }
  })

  test('reads accounts with their proofs, their transactions, and the configuration', async () => {
    const client = await open()
    const { last } = await client.getMasterchainInfo()
    const wallet = Address.parse('EQDE-LSnW72ixufRQ2ySmE1tQM7Eg1JPHBMw2Roj9NdCBjdj')
    const { state, balance, lastTx } = await client.getAccountState(wallet, last)
    expect(state?.storage.state.type).toBe('active')
    expect(balance.coins).toBeGreaterThan(0n)
    const { transactions } = await client.getAccountTransactions(
      wallet,
      String(lastTx!.lt),
      Buffer.from(lastTx!.hash.toString(16).padStart(64, '0'), 'hex'),
      5,
    )
    expect(Cell.fromBoc(transactions).length).toBe(5)
    const missing = await client.getAccountState(new Address(0, Buffer.alloc(32, 0xaa)), last)
    expect(missing.state).toBeNull()
    const config = await client.getConfig(last)
    expect(config.config.size).toBeGreaterThan(10)
  })

  test('looks blocks up', async () => {
    const client = await open()
    const shard = String(SHARD_ALL)
    const { id, info } = chain.masterchain(77)!
    const byId = await client.lookupBlockByID({ workchain: MASTERCHAIN, shard, seqno: 77 })
    const byLt = await client.lookupBlockByLt({ workchain: MASTERCHAIN, shard, lt: info.end_lt })
    const byTime = await client.lookupBlockByUtime({ workchain: MASTERCHAIN, shard, utime: info.gen_utime })
    for (const { id: found } of [byId, byLt, byTime]) expect(found.rootHash).toEqual(id.root_hash)
  })
})

describe('our own client', () => {
  test('reads what ton-lite-client reads', async () => {
    const { query } = await ownClient(await start())
    const { last } = await getMasterchainInfo(query)
    expect(last).toEqual(chain.masterchain(chain.last)!.id)
    const { ids } = await listBlockTransactions(query, last, { count: 5 })
    const [first] = ids
    const account = { workchain: MASTERCHAIN, id: first!.account! }
    expect((await getAccountState(query, last, account)).id).toEqual(last)
    const list = await getTransactions(query, account, first!.lt!, first!.hash!, 1)
    expect(list.ids).toEqual([last])
  })

  test('many at a time, many questions each', async () => {
    const server = await start()
    const clients = await Promise.all(Array.from({ length: 20 }, () => ownClient(server)))
    const found = await Promise.all(
      clients.flatMap(({ query }) =>
        Array.from({ length: 30 }, (_, i) =>
          lookupBlock(query, { workchain: MASTERCHAIN, shard: SHARD_ALL, seqno: i + 1 }),
        ),
      ),
    )
    expect(found.every(({ id }, i) => id.seqno === (i % 30) + 1)).toBe(true)
    for (const { connection } of clients) connection.close()
  })
})

describe('the head', () => {
  test('moves on by one block at a time in a replay, and wakes who waits', async () => {
    const server = await start({ head: 100, replayMs: 15 })
    const { query } = await ownClient(server)
    const seen: number[] = []
    for (let seqno = 101; seqno <= 106; seqno++) {
      const { last } = await getMasterchainInfo(query, { wait: { seqno, timeout_ms: 5_000 } })
      seen.push(last.seqno)
    }
    expect(seen).toEqual([101, 102, 103, 104, 105, 106])
  })

  test('stands at the end of the recording', async () => {
    const server = await start({ head: chain.last - 1, replayMs: 5 })
    await Bun.sleep(60)
    expect(server.head()).toBe(chain.last)
  })

  test('hides what comes after it', async () => {
    const server = await start({ head: 50 })
    const { query } = await ownClient(server)
    const later = { workchain: MASTERCHAIN, shard: SHARD_ALL, seqno: 51 }
    await expect(lookupBlock(query, later)).rejects.toThrow('(last known masterchain block: 50)')
    server.setHead(51)
    expect((await lookupBlock(query, later)).id.seqno).toBe(51)
    expect(() => server.setHead(chain.last + 1)).toThrow('the archive has blocks 1 to')
  })

  test('must be in the archive', async () => {
    await expect(start({ head: 0 })).rejects.toThrow('the archive has blocks 1 to')
    await expect(start({ head: chain.last + 1 })).rejects.toThrow('the archive has blocks 1 to')
  })
})

describe('the server', () => {
  test('frees its port, and says so when a port is taken', async () => {
    const first = await startArchive()
    await expect(startArchive({ listen: first.address })).rejects.toThrow(
      `cannot listen on 127.0.0.1:${first.address.port}`,
    )
    const { query } = await ownClient(first)
    const waiting = getMasterchainInfo(query, { wait: { seqno: chain.last + 1, timeout_ms: 9_000 } })
    waiting.catch(() => {})
    await first.stop()
    await expect(waiting).rejects.toThrow()
    const second = await startArchive({ listen: first.address })
    expect(second.address).toEqual(first.address)
    await second.stop()
  })

  test('takes no more connections than it may', async () => {
    const server = await start({ maxConnections: 2 })
    const clients = [await ownClient(server), await ownClient(server)]
    await expect(ownClient(server)).rejects.toThrow()
    clients[0]!.connection.close()
    await Bun.sleep(20)
    expect((await ownClient(server)).connection.closed).toBe(false)
  })
})
