import { describe, expect, test } from 'bun:test'
import { dnsCategory, encodeDomain } from '../../../src/contracts/dns-name.ts'
import { type DnsQuestion, resolveDomain, resolverOf } from '../../../src/contracts/dns-resolver.ts'
import { sliceAt } from '../../../src/contracts/get-methods.ts'
import { rawAddress } from '../../../src/ton/address.ts'
import { beginCell } from '../../../src/ton/builder.ts'
import type { Cell } from '../../../src/ton/cell.ts'
import { STACK_NULL, type StackValue, stackInt } from '../../../src/ton/stack.ts'
import { dnsRecords, nextResolver, smcAddress, textRecord } from '../../support/dns-records.ts'
import { account, type FakeContract, fakeContracts } from '../../support/fake-contracts.ts'

const [ROOT, ZONE, ITEM, WALLET] = [account(1, -1), account(2), account(3), account(4)]
const ALL = 100
const cell = (of: Cell): StackValue => ({ _: 'vm_stk_cell', cell: of })

/** A resolver by the names that it knows, in DNS form, and what it has for them. */
const resolver = (names: Record<string, Cell>): FakeContract => ({
  dnsresolve: (args) => {
    const slice = sliceAt(args, 0)
    const asked = slice.bytes(slice.remainingBits / 8).toString()
    const known = Object.keys(names).find((name) => asked.startsWith(name))
    return known === undefined ? [stackInt(0), STACK_NULL] : [stackInt(known.length * 8), cell(names[known]!)]
  },
})

const WALLET_RECORD = smcAddress(WALLET)
const contracts = () =>
  fakeContracts({
    [rawAddress(ROOT)]: resolver({ ton: nextResolver(ZONE) }),
    [rawAddress(ZONE)]: resolver({ '\0alice': nextResolver(ITEM), '\0text': textRecord('no resolver') }),
    [rawAddress(ITEM)]: resolver({ '\0': dnsRecords({ wallet: WALLET_RECORD }) }),
  })

const resolve = (name: string, options: Partial<DnsQuestion> = {}, of = contracts()) =>
  resolveDomain(of, { resolver: ROOT, name: encodeDomain(name), category: undefined, hops: ALL, ...options })

describe('a name', () => {
  test('is resolved over all delegations', async () => {
    expect(await resolve('alice.ton')).toEqual({
      _: 'resolved',
      entries: [{ category: dnsCategory('wallet'), record: { _: 'dns_smc_address', smc_addr: WALLET } }],
    })
  })

  test('is resolved no further than is allowed', async () => {
    expect(await resolve('alice.ton', { hops: 0 })).toEqual({
      _: 'delegated',
      prefix: Buffer.from('ton'),
      resolver: ZONE,
    })
    expect(await resolve('alice.ton', { hops: 1 })).toEqual({
      _: 'delegated',
      prefix: Buffer.from('\0alice'),
      resolver: ITEM,
    })
  })

  test('that nobody knows has no records', async () => {
    for (const name of ['bob.ton', 'alice.com', 'text.ton', 'sub.text.ton'])
      expect(await resolve(name)).toEqual({ _: 'resolved', entries: [] })
  })

  test('in one category is its record alone', async () => {
    const asked: unknown[] = []
    const only = fakeContracts({
      [rawAddress(ROOT)]: {
        dnsresolve: ([, category]) => {
          asked.push(category)
          return [stackInt(16), cell(WALLET_RECORD)]
        },
      },
    })
    const category = dnsCategory('wallet')
    expect(await resolve('a', { category }, only)).toEqual({
      _: 'resolved',
      entries: [{ category, record: { _: 'dns_smc_address', smc_addr: WALLET } }],
    })
    expect(asked).toEqual([stackInt(BigInt(`0x${category.toString('hex')}`))])
  })
})

describe('a resolver that does not keep to the standard', () => {
  const answering = (answer: StackValue[] | undefined) =>
    resolve('alice.ton', {}, fakeContracts({ [rawAddress(ROOT)]: { dnsresolve: answer } }))
  const next = cell(nextResolver(ROOT))

  test('knows nothing', async () => {
    for (const answer of [
      undefined,
      [],
      [stackInt(8)],
      [stackInt(80), STACK_NULL],
      [stackInt(80), cell(beginCell().endCell())],
      [stackInt(-8), next],
      [stackInt(7), next],
      [stackInt(88), next],
      [stackInt(2n ** 200n), next],
      [{ _: 'vm_stk_nan' } as const, next],
      [stackInt(16), next],
      [stackInt(24), cell(textRecord('x'))],
    ])
      expect(await answering(answer)).toEqual({ _: 'resolved', entries: [] })
  })

  test('cannot keep us busy', async () => {
    const loop = fakeContracts({ [rawAddress(ROOT)]: { dnsresolve: [stackInt(8), cell(nextResolver(ROOT))] } })
    const name = Buffer.alloc(127)
    const result = await resolveDomain(loop, { resolver: ROOT, name, category: undefined, hops: 0x7fffffff })
    expect(result._).toBe('delegated')
    expect(loop.asked.length).toBe(65)
  })
})

describe('the resolver of a name', () => {
  const of = (name: string, root: FakeContract) =>
    resolverOf(
      fakeContracts({ [rawAddress(ROOT)]: root, [rawAddress(ZONE)]: resolver({ '\0t': nextResolver(ITEM) }) }),
      ROOT,
      encodeDomain(name),
    )

  test('is told by its parents, with or without the zero byte', async () => {
    expect(await of('ton', resolver({ ton: nextResolver(ZONE) }))).toEqual(ZONE)
    expect(await of('ton', resolver({ 'ton\0': nextResolver(ZONE) }))).toEqual(ZONE)
    expect(await of('t.me', resolver({ 'me\0t': nextResolver(ZONE) }))).toEqual(ZONE)
    expect(await of('t.me', resolver({ me: nextResolver(ZONE) }))).toEqual(ITEM)
  })

  test('is unknown where they do not tell', async () => {
    expect(await of('ton', {})).toBeUndefined()
    expect(await of('ton', resolver({ ton: textRecord('x') }))).toBeUndefined()
    expect(await of('x.me', resolver({ me: nextResolver(ZONE) }))).toBeUndefined()
  })
})
