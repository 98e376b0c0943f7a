import fc from 'fast-check'
import type { Method } from '../../src/api/v3/method.ts'
import { V3_METHODS } from '../../src/api/v3/method-table.ts'
import { oddBags, oddText } from './odd-requests.ts'

/** A request of API v3 that nobody would make: its path under /api/v3/ with the query, and the body of a POST. */
export interface OddIndexRequest {
  path: string
  body?: string
}

const accounts = [
  '0:238215e50493d828cb002c2395a9cd5bc4d05c861bf007a4a50612b9f7e987ea',
  'EQDNP61-OQe6UjpzOXDXYt_QHTMHP4D9Xgcv4JBcM2iqeDeZ',
  '0:F324B1D4635511547ABA3E066F12E288AE3350694CB16DE5886D29748E5849F3',
  '0:6866865E250041110AD33329C810F9E9F845C81280383F2F83925291454C8E27',
  '0:248b7f45389e6780e78be8b6efec1f4a4db635f77cd8c1182efe778356c9e285',
  `-1:${'3'.repeat(64)}`,
]
const lists = [
  accounts.join(','),
  Array.from({ length: 300 }, (_, n) => `0:${n.toString(16).padStart(64, '0')}`).join(','),
]

/** What a parameter of this name takes. */
const fittingFor = (name: string): readonly string[] => {
  if (/hash|trace_id/.test(name))
    return ['a'.repeat(64), 'A'.repeat(44), 'CPUE4WXeEJT+Dwz1fY/rkreWvYnsOt3I44i1G5ojJPM=']
  if (name === 'domain') return ['scenario-alice.ton', 'Nobody.TON.', '.', '\u202e.ton']
  if (name === 'bodies') return oddBags
  if (name === 'opcodes' || name === 'opcode') return ['0x0f8a7ea5', '0', '-1', 'ffffffff']
  if (name === 'direction') return ['in', 'out', 'both']
  if (name === 'sort') return ['asc', 'desc']
  if (name === 'cursor') return ['AAAAAA', 'AAAAAAV7zwMAAABdAAAD', 'A'.repeat(2000)]
  if (name === 'shard') return ['8000000000000000', '-9223372036854775808']
  if (/^(limit|offset|index)$/.test(name)) return ['0', '1', '7', '1000']
  if (/seqno|utime|lt$|workchain/.test(name)) return ['0', '1', '100', '1795820900', '-1']
  if (/^(include|exclude|parse|check|use|only|sort_by)_/.test(name)) return ['true', '0', 'on']
  return /address|account|wallet|master|source|destination/.test(name) ? [...accounts, ...lists] : ['1']
}

const value = (name: string): fc.Arbitrary<string> =>
  fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...fittingFor(name)) }, { weight: 1, arbitrary: oddText })

const COMMON = ['_', 'x_no_address_book', 'x_no_metadata', '__proto__', 'address[]']

const queryOf = (names: readonly string[]): fc.Arbitrary<string> =>
  fc
    .tuple(
      ...[...names, ...COMMON].map((name) =>
        fc.tuple(fc.constant(name), value(name), fc.nat(names.includes(name) ? 2 : 30)),
      ),
    )
    .map((pairs) =>
      pairs
        .filter(([, , chance]) => chance === 0)
        .map(([name, text]) => `${name}=${encodeURIComponent(text.toWellFormed())}`)
        .join('&'),
    )

const bodyOf = (names: readonly string[]): fc.Arbitrary<string> =>
  fc
    .tuple(...names.map((name) => fc.tuple(fc.constant(name), fc.array(value(name), { maxLength: 5 }))))
    .map((fields) => JSON.stringify(Object.fromEntries(fields)))

const requestOf = (method: Method<never>): fc.Arbitrary<OddIndexRequest> =>
  method.verb === 'get'
    ? queryOf(Object.keys(method.params)).map((query) => ({ path: `${method.name}?${query}` }))
    : bodyOf(Object.keys(method.body)).map((body) => ({ path: method.name, body }))

/** Requests of every method of API v3 but those that a liteserver answers. */
export const oddIndexRequest: fc.Arbitrary<OddIndexRequest> = fc
  .constantFrom(...V3_METHODS.filter((method) => method.group !== 'api/v2'))
  .chain(requestOf)
