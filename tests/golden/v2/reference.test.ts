import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { V2_METHODS } from '../../../src/api/v2/method-table.ts'
import { type ArchiveGateway, startArchiveGateway } from '../../support/archive-gateway.ts'
import acceptedDifferences from './accepted-differences.json'

/**
 * Asks the whole gateway what toncenter's own C++ implementation was asked on this chain, in the words of deployed SDKs,
 * and compares the answers: values, keys and the order of keys. Every method of the table that was recorded is asked.
 * accepted-differences.json lists what may differ, each with its reason; an entry that nothing needs is a failure too.
 */

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

interface Recorded {
  method: string
  query?: Record<string, string | number | boolean | string[]>
  body?: Json
  status: number
  response: Json
}

interface Accepted {
  method: string
  path: string
  /** Only in answers about this account. */
  address?: string
  reason: string
}

const recorded = Bun.zstdDecompressSync(
  readFileSync(new URL('../../fixtures/chain/v2-reference.jsonl.zst', import.meta.url)),
)
  .toString()
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as Recorded)

const names = new Set(V2_METHODS.flatMap(({ name, aliases }) => [name, ...(aliases ?? [])]))
const byMethod = Map.groupBy(
  recorded.filter(({ method }) => names.has(method)),
  ({ method }) => method,
)

/** `@extra` is ours to choose, and `mc_proof` depends on the head. */
const IGNORED = new Set(['@extra', 'mc_proof'])

const keysOf = (value: Record<string, Json>): string[] => Object.keys(value).filter((key) => !IGNORED.has(key))

/** Paths at which two values differ, in the form of accepted-differences.json. */
function* differences(want: Json, got: Json, path: string): Generator<string> {
  if (Array.isArray(want) && Array.isArray(got)) {
    if (want.length !== got.length) yield `${path}.length`
    for (let i = 0; i < Math.min(want.length, got.length); i++) yield* differences(want[i]!, got[i]!, `${path}[]`)
    return
  }
  const isPair = typeof want === 'object' && typeof got === 'object' && want !== null && got !== null
  if (!isPair || Array.isArray(want) || Array.isArray(got)) {
    if (want !== got) yield path
    return
  }
  const [wanted, given] = [keysOf(want), keysOf(got)]
  if (wanted.join() !== given.join()) yield `${path} keys`
  for (const key of wanted) if (key in got) yield* differences(want[key]!, got[key]!, path ? `${path}.${key}` : key)
}

/** The answers to questions without a seqno were given at whatever the head was. */
const AT_HEAD = /(^|\.)(block_id|sync_utime)(\.|$)/

const isPinned = ({ query, body }: Recorded): boolean =>
  query?.['seqno'] !== undefined || (typeof body === 'object' && body !== null && 'seqno' in body)

const requestFor = ({ method, query, body }: Recorded): Request => {
  const url = new URL(`http://localhost/ton/api/v2/${method}`)
  for (const [key, value] of Object.entries(query ?? {}))
    for (const each of [value].flat()) url.searchParams.append(key, String(each))
  if (body === undefined) return new Request(url.href)
  return new Request(url.href, { method: 'POST', body: JSON.stringify(body) })
}

const accepted: readonly Accepted[] = acceptedDifferences
const used = new Set<unknown>()

const addressOf = ({ query, body }: Recorded): Json | undefined =>
  typeof body === 'object' && body !== null && 'address' in body ? body.address : query?.['address']

const isAccepted = (line: Recorded, path: string): boolean => {
  const entry = accepted.find(
    ({ method, path: where, address }) =>
      method === line.method && where === path && (address === undefined || address === addressOf(line)),
  )
  if (entry) used.add(entry)
  return entry !== undefined
}

describe('answers equal those of the reference', () => {
  let gateway: ArchiveGateway
  beforeAll(async () => {
    gateway = await startArchiveGateway()
  })
  afterAll(() => gateway.stop())

  const compare = async (line: Recorded): Promise<string[]> => {
    const response = await gateway.fetch(requestFor(line))
    const answer = (await response.json()) as Json
    const found = response.status === line.status ? [] : ['http status']
    if (found.length === 0 && line.status === 200) found.push(...differences(line.response, answer, ''))
    return found.filter((path) => (isPinned(line) || !AT_HEAD.test(path)) && !isAccepted(line, path))
  }

  for (const [method, lines] of byMethod)
    test(`${method}: ${lines.length} answers`, async () => {
      const different: unknown[] = []
      for (const line of lines) {
        const paths = await compare(line)
        if (paths.length > 0) different.push({ query: line.query, body: line.body, paths: [...new Set(paths)] })
      }
      expect(different).toEqual([])
    }, 60_000)

  test('every accepted difference is there', () => {
    expect(accepted.filter((entry) => !used.has(entry))).toEqual([])
  })
})
