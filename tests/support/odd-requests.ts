import fc from 'fast-check'
import { V2_METHODS } from '../../src/api/v2/method-table.ts'
import { cellToBoc } from '../../src/ton/boc-writer.ts'
import { beginCell } from '../../src/ton/builder.ts'
import { libraryCell, prunedCell } from './exotic-cells.ts'

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
/** Bags of cells that are odd. */
export const oddBags = [
  beginCell().endCell(),
  libraryCell(Buffer.alloc(32, 7)),
  pruned,
  beginCell().ref(pruned).endCell(),
  beginCell().uint(0b1000, 4).uint(0b100, 3).int(0, 8).bytes(Buffer.alloc(32)).uint(0, 6).endCell(),
].map((cell) => cellToBoc(cell).toString('base64'))

/** Values that a parameter nearly takes. */
export const oddText = fc.oneof(
  fc.constantFrom(...integers, ...addresses, ...hashes, ...oddBags),
  fc.constantFrom(...oddIntegers, '', '\0', '\ud800', '{}', 'true'),
  fc.string({ unit: 'binary', maxLength: 10 }),
)
/** JSON text, so that numbers of any length and form are among it. */
const json = fc.oneof(
  oddText.map((value) => JSON.stringify(value)),
  fc.constantFrom(...integers, '1.0', '1e400', '-0', '9'.repeat(2000)),
  fc
    .tuple(fc.constantFrom('num', 'cell', 'slice', 'tuple', 'nix'), oddText)
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

const entries = (bytes: string): string[] => [
  '[]',
  '[["num","0x10"]]',
  JSON.stringify([['cell', { bytes }]]),
  JSON.stringify([['slice', { bytes }]]),
  JSON.stringify([{ '@type': 'tvm.stackEntrySlice', slice: { bytes } }]),
]
/** What a parameter of this name takes, as JSON text. */
const fittingFor = (key: string): string[] => {
  if (key === 'stack') return oddBags.flatMap(entries)
  if (/^(boc|body|init_code|init_data|cell)$/.test(key)) return oddBags.map((bag) => JSON.stringify(bag))
  if (/address|source|destination/.test(key)) return addresses.map((address) => JSON.stringify(address))
  if (/hash|libraries|domain|name|method|category/.test(key)) return hashes.map((hash) => JSON.stringify(hash))
  if (key === 'shard') return [String(-(2n ** 63n))]
  return key === 'workchain' ? ['0', '-1'] : ['1', '105', '"360"']
}

/** A call of a method: its parameters by name, each value as JSON text. */
interface OddRequest {
  name: string
  fields: [key: string, value: string, chance: number][]
}

/**
 * Calls that nobody would make, of every method, with values that each parameter nearly takes. Most parameters are there
 * and fit, so that most methods are reached.
 */
export const oddRequest: fc.Arbitrary<OddRequest> = fc
  .oneof(fc.constantFrom(...names), fc.constantFrom(...takingCells))
  .chain((name) => {
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

/** The call as one may make it: in the query of a GET, in the body of a POST, as JSON-RPC. */
export const writtenForms = ({ name, fields }: OddRequest): { query: string; body: string; call: string } => {
  const query = fields.map(([key, value]) => `${key}=${encodeURIComponent(inQuery(value).toWellFormed())}`).join('&')
  const body = `{${fields.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(',')}}`
  return { query, body, call: `{"id":null,"method":"${name}","params":${body}}` }
}
