import { afterAll, beforeAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { V2_METHODS } from '../../src/api/v2/method-table.ts'
import { cellToBoc } from '../../src/ton/boc-writer.ts'
import { beginCell } from '../../src/ton/builder.ts'
import { type OpenApi, type SchemaCheck, schemaCheck } from '../support/answer-schema.ts'
import { type ArchiveGateway, startArchiveGateway } from '../support/archive-gateway.ts'
import { libraryCell, prunedCell } from '../support/exotic-cells.ts'

/**
 * Requests that nobody would send, with values that each parameter nearly takes, for every method over the recorded chain:
 * the answer is an envelope that fits its published schema, and never the gateway's own failure. Each is asked in three
 * ways; TONLITH_REQUESTS names another number of them than 3,000.
 */

const REQUESTS = Number(process.env['TONLITH_REQUESTS'] ?? 3_000)

const ORIGIN = 'http://localhost'
let gateway: ArchiveGateway
let check: SchemaCheck
beforeAll(async () => {
  gateway = await startArchiveGateway()
  const document = await gateway.fetch(new Request(`${ORIGIN}/openapi.json`))
  check = schemaCheck((await document.json()) as OpenApi)
})
afterAll(() => gateway.stop())

const integers = [
  '0',
  '1',
  '-1',
  '105',
  '360',
  '361',
  '2147483647',
  '2147483648',
  String(2n ** 63n),
  String(-(2n ** 63n)),
]
const oddIntegers = ['-0', '+5', ' 5', '1.0', '1e3', '0x10', '٣', '1e400', '9'.repeat(2000)]
const addresses = [
  `-1:${'3'.repeat(64)}`,
  `0:${'0'.repeat(64)}`,
  `-2147483648:${'0'.repeat(64)}`,
  'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N',
]
const hashes = ['a'.repeat(64), 'CPUE4WXeEJT-Dwz1fY_rkreWvYnsOt3I44i1G5ojJPM', 'A'.repeat(44), 'a.ton', 'seqno']
const pruned = prunedCell(1, [Buffer.alloc(32)], [3])
const bags = [
  beginCell().endCell(),
  libraryCell(Buffer.alloc(32, 7)),
  pruned,
  beginCell().ref(pruned).endCell(),
  beginCell().uint(0b1000, 4).uint(0b100, 3).int(0, 8).bytes(Buffer.alloc(32)).uint(0, 6).endCell(),
].map((cell) => cellToBoc(cell).toString('base64'))

const text = fc.oneof(
  fc.constantFrom(...integers, ...addresses, ...hashes, ...bags),
  fc.constantFrom(...oddIntegers, '', '\0', '\ud800', '{}', 'true'),
  fc.string({ unit: 'binary', maxLength: 10 }),
)
/** JSON text, so that numbers of any length and form are among it. */
const json = fc.oneof(
  text.map((value) => JSON.stringify(value)),
  fc.constantFrom(...integers, '1.0', '1e400', '-0', '9'.repeat(2000)),
  fc
    .tuple(fc.constantFrom('num', 'cell', 'slice', 'tuple', 'nix'), text)
    .map(([type, value]) => JSON.stringify([[type, type === 'cell' || type === 'slice' ? { bytes: value } : value]])),
  fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.stringify(value)),
)

const names = V2_METHODS.map(({ name }) => name)
const takingCells = ['runGetMethod', 'runGetMethodStd', 'estimateFee', 'sendBoc', 'sendQuery']
const keysOf = (name: string): string[] => [
  ...Object.keys(V2_METHODS.find((method) => method.name === name)!.params),
  '@extra',
  '__proto__',
]

const isAnswer = async (path: string, verb: 'get' | 'post', response: Response): Promise<void> => {
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
  const answer = (await response.json()) as { ok: boolean; code?: number; error?: string }
  expect(answer.ok).toBe(response.status === 200)
  if (!answer.ok) expect(answer.code).toBe(response.status)
  if (response.status >= 500) expect(answer.error).not.toMatch(/internal error|cannot be used/)
  expect(check(path, verb, response.status, answer) ?? []).toEqual([])
}

const entries = (bytes: string): string[] => [
  '[]',
  '[["num","0x10"]]',
  JSON.stringify([['cell', { bytes }]]),
  JSON.stringify([['slice', { bytes }]]),
  JSON.stringify([{ '@type': 'tvm.stackEntrySlice', slice: { bytes } }]),
]
/** What a parameter of this name takes, as JSON text. */
const fittingFor = (key: string): string[] => {
  if (key === 'stack') return bags.flatMap(entries)
  if (/^(boc|body|init_code|init_data|cell)$/.test(key)) return bags.map((bag) => JSON.stringify(bag))
  if (/address|source|destination/.test(key)) return addresses.map((address) => JSON.stringify(address))
  if (/hash|libraries|domain|name|method|category/.test(key)) return hashes.map((hash) => JSON.stringify(hash))
  if (key === 'shard') return [String(-(2n ** 63n))]
  return key === 'workchain' ? ['0', '-1'] : ['1', '105', '"360"']
}

/** Most parameters are there and fit, so that most methods are reached. */
const request = fc.oneof(fc.constantFrom(...names), fc.constantFrom(...takingCells)).chain((name) => {
  const field = (key: string) =>
    fc.tuple(
      fc.constant(key),
      fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...fittingFor(key)) }, { weight: 1, arbitrary: json }),
      fc.integer({ min: 0, max: 9 }),
    )
  const fields = fc.tuple(...keysOf(name).map(field)).map((all) => all.filter(([, , chance]) => chance < 9))
  return fc.record({ name: fc.constant(name), fields })
})

const inQuery = (value: string): string => (value.startsWith('"') ? String(JSON.parse(value)) : value)

test(
  'any values for any method end in an answer of the published form',
  async () => {
    await fc.assert(
      fc.asyncProperty(request, async ({ name, fields }) => {
        const query = fields
          .map(([key, value]) => `${key}=${encodeURIComponent(inQuery(value).toWellFormed())}`)
          .join('&')
        const body = `{${fields.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(',')}}`
        const path = `/api/v2/${name}`
        const ask = (at: string, init?: RequestInit) => gateway.fetch(new Request(ORIGIN + at, init))
        await isAnswer(path, 'get', await ask(`${path}?${query}`))
        await isAnswer(path, 'post', await ask(path, { method: 'POST', body }))
        const call = `{"id":null,"method":"${name}","params":${body}}`
        await isAnswer('/api/v2/jsonRPC', 'post', await ask('/api/v2/jsonRPC', { method: 'POST', body: call }))
      }),
      { numRuns: Math.ceil(REQUESTS / 3) },
    )
  },
  60_000 + 10 * REQUESTS,
)
