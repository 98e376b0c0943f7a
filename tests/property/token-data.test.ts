import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { render } from '../../src/api/v2/dialect.ts'
import { tokenData } from '../../src/api/v2/serialize/tokens.ts'
import { readTokenContent } from '../../src/contracts/content.ts'
import { parseDnsRecord, parseDnsRecords } from '../../src/contracts/dns.ts'
import { resolveDomain } from '../../src/contracts/dns-resolver.ts'
import type { GetMethods } from '../../src/contracts/get-methods.ts'
import { stackAddress } from '../../src/contracts/get-methods.ts'
import { findToken } from '../../src/contracts/token.ts'
import { beginCell } from '../../src/ton/builder.ts'
import type { Cell } from '../../src/ton/cell.ts'
import { STACK_NULL, type StackValue, stackInt, stackSlice, stackTuple } from '../../src/ton/stack.ts'
import { anyCell } from '../support/cell-arbitrary.ts'
import { type Counts, count } from '../support/counts.ts'
import { dnsRecords, nextResolver } from '../support/dns-records.ts'
import { failureOf } from '../support/failure.ts'
import { account } from '../support/fake-contracts.ts'
import { chunkedCell, offchainContent, onchainContent, snakeCell } from '../support/token-content.ts'

/** Cells that look like content, like records, or like nothing. */
const bytes = fc.uint8Array({ maxLength: 300 }).map((each) => Buffer.from(each))
const name = fc.constantFrom('uri', 'name', 'description', 'image', 'image_data', 'symbol', 'decimals', 'other')
const value = fc.oneof(
  bytes.map((each) => snakeCell(0, each)),
  bytes.map((each) => snakeCell(undefined, each)),
  bytes.map((each) => chunkedCell(each)),
)
const content = fc.oneof(
  fc.dictionary(name, value).map(onchainContent),
  bytes.map((each) => offchainContent(each)),
)
/** Random cells behind the first byte of content. */
const nearContent = fc
  .tuple(fc.constantFrom(0, 1), anyCell, anyCell)
  .map(([tag, a, b]) => beginCell().uint(tag, 8).bit(true).ref(a).ref(b).endCell())
/** Dictionaries whose forks share their branches, as deep as the keys go. */
const bomb = fc.tuple(fc.constantFrom(8, 32, 256), anyCell).map(([depth, leaf]) => {
  let node = beginCell().uint(0, 2).ref(leaf).endCell()
  for (let i = 0; i < depth; i++) node = beginCell().uint(0, 2).ref(node).ref(node).endCell()
  return node
})
const dictBomb = fc
  .tuple(fc.constantFrom(0, 1), bomb)
  .map(([tag, root]) => beginCell().uint(tag, 8).bit(true).ref(root).endCell())
const hostileCell: fc.Arbitrary<Cell> = fc.oneof(anyCell, content, nearContent, bomb, dictBomb)

const stackValue: fc.Arbitrary<StackValue> = fc.oneof(
  fc.constant(STACK_NULL),
  fc.constant<StackValue>({ _: 'vm_stk_nan' }),
  fc.constant(stackTuple([])),
  fc.bigInt({ min: -(2n ** 256n), max: 2n ** 256n - 1n }).map(stackInt),
  fc.nat(64).map((n) => stackInt(n * 8)),
  hostileCell.map((cell): StackValue => ({ _: 'vm_stk_cell', cell })),
  anyCell.map(stackSlice),
  fc.nat(3).map((n) => stackAddress(account(n))),
  fc.nat(3).map((n): StackValue => ({ _: 'vm_stk_cell', cell: nextResolver(account(n)) })),
)

const inSlice = (each: Buffer): StackValue => stackSlice(beginCell().bytes(each).endCell())
const int = fc.bigInt({ min: -1n, max: 2n ** 256n - 1n }).map(stackInt)
const address = fc.oneof(
  fc.nat(2).map((n) => stackAddress(account(n))),
  fc.constant(STACK_NULL),
)
const inCell = hostileCell.map((cell): StackValue => ({ _: 'vm_stk_cell', cell }))
const records = fc.dictionary(name, fc.constant(nextResolver(account(2))), { minKeys: 1 }).map(dnsRecords)
const inRecords = records.map((cell): StackValue => ({ _: 'vm_stk_cell', cell }))

/** What get-methods answer that keep to the standards. */
const plausible: Record<string, fc.Arbitrary<StackValue[]>> = {
  get_jetton_data: fc.tuple(int, int, address, inCell, inCell),
  get_wallet_data: fc.tuple(int, address, address, inCell),
  get_wallet_address: fc.tuple(address),
  is_claimed: fc.tuple(int),
  get_collection_data: fc.tuple(int, inCell, address),
  get_nft_data: fc.tuple(int, int, address, address, inCell),
  get_nft_address_by_index: fc.tuple(address),
  get_nft_content: fc.tuple(inCell),
  dnsresolve: fc.tuple(
    fc.nat(16).map((n) => stackInt(n * 8)),
    fc.oneof(inCell, inRecords),
  ),
  get_domain: fc.tuple(
    fc
      .oneof(
        bytes.filter((each) => each.length < 127),
        fc.constant(Buffer.from('alice')),
      )
      .map(inSlice),
  ),
  get_full_domain: fc.tuple(fc.constantFrom('me\0t\0bob\0', 'x\0', '').map((each) => inSlice(Buffer.from(each)))),
}

/** Contracts that answer by the standards, or nothing, or anything; all addresses answer the same. */
const hostileMethods = fc
  .record(
    Object.fromEntries(
      Object.entries(plausible).map(([method, answer]) => [
        method,
        fc.oneof({ weight: 5, arbitrary: answer }, fc.array(stackValue, { maxLength: 6 }), fc.constant(undefined)),
      ]),
    ),
  )
  .chain((answers) => fc.subarray(Object.keys(answers)).map((answered) => ({ answers, answered })))
  .map(
    ({ answers, answered }): GetMethods => ({
      run: async (_, method) => (answered.includes(method) ? answers[method] : undefined),
      dnsRoot: async () => account(0, -1),
    }),
  )

describe('hostile cells', () => {
  test('are content or malformed', () => {
    fc.assert(
      fc.property(hostileCell, (cell) => {
        expect(['none', 'malformed']).toContain(failureOf(() => readTokenContent(cell)))
      }),
      { numRuns: 400 },
    )
  }, 60_000)

  test('are a DNS record of some kind, and a set of records or a typed error', () => {
    fc.assert(
      fc.property(hostileCell, (cell) => {
        expect(failureOf(() => parseDnsRecord(cell))).toBe('none')
        expect(['none', 'malformed', 'limit']).toContain(failureOf(() => parseDnsRecords(cell)))
      }),
      { numRuns: 400 },
    )
  }, 60_000)
})

describe('hostile contracts', () => {
  test('are a token that can be shown, or none', async () => {
    const counts: Counts = new Map()
    await fc.assert(
      fc.asyncProperty(hostileMethods, async (methods) => {
        const token = await findToken(methods, account(1))
        count(counts, token ? ('content' in token ? `${token._} ${token.content._}` : token._) : 'none')
        if (token) for (const dialect of ['spec', 'toncenter'] as const) render(tokenData(account(1), token), dialect)
      }),
      { numRuns: 400 },
    )
    expect(counts.size).toBeGreaterThan(3)
  }, 60_000)

  test('resolve a name to something within their hops', async () => {
    const domain = fc.uint8Array({ minLength: 1, maxLength: 127 }).map((each) => Buffer.from(each))
    await fc.assert(
      fc.asyncProperty(hostileMethods, domain, fc.nat(100), async (methods, encoded, hops) => {
        const question = { resolver: account(0), name: encoded, category: undefined, hops }
        expect(['resolved', 'delegated']).toContain((await resolveDomain(methods, question))._)
      }),
      { numRuns: 400 },
    )
  }, 60_000)
})

test('bytes come back from a snake and from chunks as they were', () => {
  const long = fc.uint8Array({ maxLength: 5000 }).map((each) => Buffer.from(each))
  fc.assert(
    fc.property(long, fc.integer({ min: 7, max: 120 }), (each, size) => {
      for (const cell of [snakeCell(0, each, size), chunkedCell(each, size)])
        expect(readTokenContent(onchainContent({ image_data: cell }))).toEqual({
          _: 'onchain',
          attributes: { image_data: each.toString('base64') },
        })
    }),
    { numRuns: 100 },
  )
})
