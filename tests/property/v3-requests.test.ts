import { afterAll, beforeAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { V3_METHODS } from '../../src/api/v3/method-table.ts'
import { startV3Gateway, type V3Gateway } from '../support/v3-gateway.ts'

/** Whatever is sent to API v3, the answer is JSON: the caller's mistakes are told as such, none of them breaks it. */

const RUNS = Number(process.env['TONLITH_ORACLE_RUNS'] ?? 600)

let gateway: V3Gateway
beforeAll(async () => {
  gateway = await startV3Gateway({ seqnos: Array.from({ length: 40 }, (_, i) => i + 1) })
}, 300_000)
afterAll(() => gateway.stop())

const names = [
  ...new Set(V3_METHODS.flatMap((method) => (method.verb === 'get' ? Object.keys(method.params) : []))),
  'min_mc_seqno',
  'x_no_address_book',
]
const paths = V3_METHODS.flatMap((method) => (method.verb === 'get' ? [method] : []))
const EDGES = [
  '0',
  '1',
  '-1',
  '20',
  '2147483647',
  '2147483648',
  '-2147483648',
  '4294967295',
  '4294967296',
  '18446744073709551615',
  '18446744073709551616',
  '8000000000000000',
  '-9223372036854775808',
  'ffffffffffffffff',
  'asc',
  'desc',
  'in',
  'out',
  'true',
  'null',
  '0'.repeat(64),
  'ff'.repeat(32),
  `${'A'.repeat(43)}=`,
  `0:${'0'.repeat(64)}`,
  `-2147483647:${'f'.repeat(64)}`,
  `2147483647:${'f'.repeat(64)}`,
  `-1:${'3'.repeat(64)}`,
  'AA',
  'AAAAAAAAAAA',
  '//////////8',
]
const value = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...EDGES) },
  { weight: 1, arbitrary: fc.string({ maxLength: 80 }) },
  {
    weight: 1,
    arbitrary: fc.uint8Array({ minLength: 1, maxLength: 60 }).map((b) => Buffer.from(b).toString('base64url')),
  },
)

test('any query is answered in JSON, with a status that is not the fault of the server', async () => {
  const query = fc
    .constantFrom(...paths)
    .chain((method) =>
      fc.tuple(
        fc.constant(method.name),
        fc.array(
          fc.tuple(
            fc.oneof(
              { weight: 12, arbitrary: fc.constantFrom(...Object.keys(method.params), '_') },
              { weight: 1, arbitrary: fc.constantFrom(...names) },
            ),
            value,
          ),
          { maxLength: 5 },
        ),
      ),
    )
  await fc.assert(
    fc.asyncProperty(query, async ([path, pairs]) => {
      const text = pairs.map(([name, each]) => `${name}=${encodeURIComponent(each)}`).join('&')
      const { status, json } = await gateway.get(`${path}?x_timeout=2000&${text}`)
      expect([text, [200, 401, 404, 409, 422].includes(status) ? 'answered' : json]).toEqual([text, 'answered'])
      if (status !== 200) expect(json).toEqual({ error: expect.any(String), code: status })
    }),
    { numRuns: RUNS },
  )
}, 600_000)
