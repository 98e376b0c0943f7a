import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createAccountCache } from '../../../src/chain/account-cache.ts'
import { resolveDns } from '../../../src/chain/dns.ts'
import { getMethodsAt } from '../../../src/chain/get-methods.ts'
import { headOf } from '../../../src/chain/head.ts'
import { readToken } from '../../../src/chain/tokens.ts'
import { dnsCategory, encodeDomain } from '../../../src/contracts/dns-name.ts'
import type { DnsResolution } from '../../../src/model/dns.ts'
import { rawAddress, tryParseAddress } from '../../../src/ton/address.ts'
import type { ProvenAccount } from '../../../src/ton/proof/account.ts'
import { stackInt } from '../../../src/ton/stack.ts'
import { type ArchiveReader, startArchiveReader } from '../../support/archive-gateway.ts'
import { rejectionOf } from '../../support/rejection.ts'

/** Accounts of the recorded network. */
const STABLE_WALLET = tryParseAddress('0:4da9d2be51a7cfecea57b405ee7e941d130e2e22cd5c85a7a1f848302c04d64f')!
const JETTON_WALLET = tryParseAddress('0:8653e4b3ce3391baa42b3301e1918e52a920bbcb3a03cdc56496d81207dffce4')!
const COLLECTION = tryParseAddress('0:6866865e250041110ad33329c810f9e9f845c81280383f2f83925291454c8e27')!
const DNS_ITEM = tryParseAddress('0:cccfaa86dd42dbf3cd6165f36385f35c89fe7b22d59e5f3f0ef01663a551f702')!
const DNS_ROOT = tryParseAddress('-1:b503efb0228cd0fb3a4c7ad13e7d910521d3b11cdf9a0be24958beec0f56badf')!
const DNS_MANUAL = tryParseAddress('0:0f6763d91733de66ab872fd4dc1fee829d5be993362e88902778e4bcbf8ca734')!
const NOBODY = { workchain: 0, hash: Buffer.alloc(32, 0xaa) }
const ELSEWHERE = { workchain: 5, hash: Buffer.alloc(32, 0xaa) }
const signal = new AbortController().signal
const NEWEST = { seqno: undefined, signal }
const ALL_HOPS = 100

let reader: ArchiveReader
beforeAll(async () => {
  reader = await startArchiveReader()
})
afterAll(() => reader.stop())

const askedBy = async (run: () => Promise<unknown>): Promise<number> => {
  const before = reader.asked()['getAccountState'] ?? 0
  await run()
  return reader.asked()['getAccountState']! - before
}

describe('get-methods at a block', () => {
  test('see one block, however the chain moves on', async () => {
    const moving = await startArchiveReader({ head: 40 })
    try {
      const methods = await getMethodsAt(moving.chain, NEWEST)
      moving.setHead(360)
      while (headOf(moving.chain).id.seqno < 360) await Bun.sleep(5)
      const [then] = (await methods.run(JETTON_WALLET, 'get_wallet_data'))!
      const newest = await getMethodsAt(moving.chain, NEWEST)
      const [now] = (await newest.run(JETTON_WALLET, 'get_wallet_data'))!
      const pinned = await getMethodsAt(moving.chain, { seqno: 40, signal })
      expect((await pinned.run(JETTON_WALLET, 'get_wallet_data'))![0]).toEqual(then!)
      expect(now).toEqual(stackInt(137000000000))
      expect(then).not.toEqual(now)
    } finally {
      await moving.stop()
    }
  })

  test('read each account once', async () => {
    const methods = await getMethodsAt(reader.chain, NEWEST)
    expect(
      await askedBy(async () => {
        await Promise.all([methods.run(COLLECTION, 'get_collection_data'), methods.run(COLLECTION, 'royalty_params')])
        await methods.run(COLLECTION, 'get_collection_data')
      }),
    ).toBe(1)
  })

  test('have no answer where the exit code is not 0, or there is no code', async () => {
    const methods = await getMethodsAt(reader.chain, NEWEST)
    expect(await methods.run(COLLECTION, 'no_such_method')).toBeUndefined()
    expect(await methods.run(NOBODY, 'get_collection_data')).toBeUndefined()
    expect(await methods.run(ELSEWHERE, 'get_collection_data')).toBeUndefined()
  })

  test('know the DNS root of their block', async () => {
    const rootAt = async (seqno: number) => (await getMethodsAt(reader.chain, { seqno, signal })).dnsRoot()
    expect(rawAddress((await rootAt(360))!)).toBe(rawAddress(DNS_ROOT))
    expect(await rootAt(20)).toBeUndefined()
  })
})

describe('tokens', () => {
  test('are read at the newest block or an old one', async () => {
    expect(await readToken(reader.chain, STABLE_WALLET, NEWEST)).toMatchObject({ balance: 750000000n })
    const old = await readToken(reader.chain, STABLE_WALLET, { seqno: 20, signal })
    expect(old).not.toMatchObject({ balance: 750000000n })
    expect(await readToken(reader.chain, STABLE_WALLET, { seqno: 10, signal })).toBeUndefined()
  })

  test('are nothing else', async () => {
    for (const address of [NOBODY, ELSEWHERE, DNS_ROOT])
      expect(await readToken(reader.chain, address, NEWEST)).toBeUndefined()
  })

  test('may be domains, with the zone of their collection', async () => {
    expect(await readToken(reader.chain, DNS_ITEM, NEWEST)).toMatchObject({ content: { domain: 'scenario-alice.ton' } })
  })

  test('are no matter of an answer when nobody can be asked', async () => {
    const pool = { ...reader.chain.pool, run: () => Promise.reject(new Error('gone')) }
    const broken = { ...reader.chain, pool, accounts: createAccountCache<ProvenAccount>(1) }
    expect(readToken(broken, STABLE_WALLET, NEWEST)).rejects.toThrow('gone')
  })
})

describe('a domain', () => {
  const resolve = (name: string, options: object = {}): Promise<DnsResolution> =>
    resolveDns(reader.chain, {
      resolver: undefined,
      name: encodeDomain(name),
      category: undefined,
      hops: ALL_HOPS,
      ...NEWEST,
      ...options,
    })
  const categoriesOf = (resolution: DnsResolution): string[] =>
    resolution._ === 'resolved' ? resolution.entries.map(({ category }) => category.toString('hex')).sort() : []
  const hashes = (...names: string[]): string[] => names.map((name) => dnsCategory(name).toString('hex')).sort()

  test('is resolved from the root of the configuration on', async () => {
    expect(categoriesOf(await resolve('scenario-alice.ton'))).toEqual(hashes('wallet', 'site', 'dns_next_resolver'))
    expect(await resolve('nobody.com')).toEqual({ _: 'resolved', entries: [] })
  })

  test('may lie below another one, behind four resolvers', async () => {
    expect(categoriesOf(await resolve('sub.scenario-alice.ton'))).toEqual(hashes('wallet'))
    expect(await resolve('sub.scenario-alice.ton', { hops: 2 })).toMatchObject({
      _: 'delegated',
      prefix: Buffer.alloc(1),
      resolver: { hash: DNS_MANUAL.hash },
    })
  })

  test('may be asked for in one category', async () => {
    const wallet = await resolve('sub.scenario-alice.ton', { category: dnsCategory('wallet') })
    expect(wallet).toEqual(await resolve('sub.scenario-alice.ton'))
    expect(await resolve('sub.scenario-alice.ton', { category: dnsCategory('site') })).toEqual({
      _: 'resolved',
      entries: [],
    })
  })

  test('is asked for at the resolver that is named', async () => {
    expect(categoriesOf(await resolve('sub', { resolver: DNS_MANUAL }))).toEqual(hashes('wallet'))
  })

  test('cannot be found without a root', async () => {
    const error = await rejectionOf(resolve('scenario-alice.ton', { seqno: 20 }))
    expect(error?.kind).toBe('notFound')
  })
})
