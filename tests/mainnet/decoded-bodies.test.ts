import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { readBody } from '../../src/contracts/body.ts'
import { type BodyJson, type BodyObject, bodyJson, decodedPayload } from '../../src/contracts/body-json.ts'
import { SCHEME_TEXTS } from '../../src/contracts/schemes.ts'
import { parseScheme } from '../../src/contracts/tlb/syntax.ts'
import { parseBocRoot } from '../../src/ton/boc.ts'
import type { Cell } from '../../src/ton/cell.ts'
import { beginParse } from '../../src/ton/slice.ts'

/** What stands in a recorded message beside its body: today's form, or one of two that the reference had before. */
type Recorded = Record<string, unknown> | null

interface Body {
  file: string
  boc: string
  decoded: Recorded
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** Every message's content in a recorded answer, wherever it stands. */
const contentsOf = (value: unknown, file: string): Body[] => {
  if (!isObject(value)) return []
  const { message_content: content } = value
  const own =
    isObject(content) && typeof content.body === 'string'
      ? [{ file, boc: content.body, decoded: (content.decoded ?? null) as Recorded }]
      : []
  return [...own, ...Object.values(value).flatMap((each) => contentsOf(each, file))]
}

const data = process.env['TONLITH_CHAIN_DATA']
const folder = data && join(data, 'http')
const bodies = (): Body[] =>
  folder === undefined
    ? []
    : readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.json'))
        .flatMap((name) => contentsOf(JSON.parse(readFileSync(join(folder, name), 'utf8')), name))

const isCurrent = ({ decoded }: Body): boolean => typeof decoded?.['@type'] === 'string'

/** A value without what is told differently of it in the oldest form: kinds under other keys, all as text. */
const leaves = (value: BodyJson | unknown): string[] =>
  isObject(value) ? Object.values(value).flatMap(leaves) : [String(value)]

test('what recorded answers tell of bodies is what we tell, to the byte', () => {
  const recorded = bodies()
  if (folder === undefined) return console.log('no TONLITH_CHAIN_DATA: no recorded bodies are compared')
  const current = recorded.filter(isCurrent)
  for (const { file, boc, decoded } of current) {
    const told = bodyJson(parseBocRoot(Buffer.from(boc, 'base64')))
    expect([file, boc, JSON.stringify(told)]).toEqual([file, boc, JSON.stringify(decoded)])
  }
  expect(current.length).toBeGreaterThan(0)
  console.log(`${current.length} recorded bodies agree`)
})

test('what the reference did not know in answers of today is unknown to us', () => {
  const recorded = bodies()
  const today = new Set(recorded.filter(isCurrent).map(({ file }) => file))
  const unknown = recorded.filter(({ file, decoded }) => decoded === null && today.has(file))
  for (const { file, boc } of unknown)
    expect([file, boc, bodyJson(parseBocRoot(Buffer.from(boc, 'base64')))]).toEqual([file, boc, null])
  console.log(`${unknown.length} recorded bodies are unknown to both`)
})

/** Of what was told under `type` and `data`: the constructor's name, one field of it, or all of it in an older form. */
const fits = (type: unknown, told: unknown, body: BodyObject): boolean => {
  if (type === '@type') return body['@type'] === told
  if (typeof type !== 'string') return false
  if (type in body) return Bun.deepEquals(body[type], told)
  const known = new Set(leaves(body))
  const numbers = leaves(told).filter((text) => /^[0-9]{3,}$|^[0-9A-F]{64}$/.test(text))
  return body['@type'] === type && numbers.every((text) => known.has(text))
}

test('what older answers tell of bodies is in what we tell', () => {
  let compared = 0
  for (const { file, boc, decoded } of bodies()) {
    if (decoded === null || typeof decoded['@type'] === 'string') continue
    const body = decodedPayload(parseBocRoot(Buffer.from(boc, 'base64')))!
    const { type, data: told, comment } = decoded
    const agrees = comment === undefined ? fits(type, told, body) : body.comment === comment && body.type === type
    expect([file, boc, type, told, agrees, body['@type']]).toEqual([file, boc, type, told, true, body['@type']])
    compared++
  }
  if (folder !== undefined) console.log(`${compared} bodies of older answers agree`)
})

/** The distinct bodies of recorded traces. */
const traceBodies = (): Cell[] => {
  if (data === undefined) return []
  const traces = join(data, 'traces', 'traces')
  const bocs = readdirSync(traces)
    .filter((name) => name.endsWith('.json.gz'))
    .flatMap((name) => contentsOf(JSON.parse(gunzipSync(readFileSync(join(traces, name))).toString()), name))
    .map(({ boc }) => boc)
  return [...new Set(bocs)].map((boc) => parseBocRoot(Buffer.from(boc, 'base64')))
}

const KINDS = new Set(['InternalMsgBody', 'ExternalMsgBody', 'ForwardPayload'])
const OPCODES = new Set(SCHEME_TEXTS.flatMap(parseScheme).flatMap(({ type, tag }) => (KINDS.has(type) ? [tag] : [])))
const opcodeOf = (body: Cell): string =>
  body.bits < 32 ? 'none' : beginParse(body).uint(32).toString(16).padStart(8, '0')

/** Opcodes of the table under which recorded bodies of another form stand, which stay unknown. */
const OTHERS: Readonly<Record<string, string>> = {
  '178d4519': 'one of another minter, without what is forwarded',
  '642b7d07': 'one of a minter that is asked in other words',
  '7bdd97de': 'notifications of burns that name no one to answer',
  ca444ce6: 'a log of a burn in another form',
  f9471134: 'logs of new stakes under the opcode of what asks for them',
}

/** Opcodes behind whose fields recorded bodies hold more. */
const LONGER: Readonly<Record<string, string>> = {
  '47d54391': 'deposits with a number of the referrer',
  '595f07bc': 'a burn with a reference that no bit announces',
  '7bdd97de': 'notifications of burns with a custom payload',
  be5a7595: 'an empty dictionary',
  d68a4ac1: 'one more amount',
  f93bb43f: 'the bit that says where the parameters stand',
}

test('what recorded traces have under a known opcode is told to the last bit', () => {
  const bodies = traceBodies()
  if (data === undefined) return console.log('no TONLITH_CHAIN_DATA: no bodies of traces are told')
  const missed = new Map<string, number>()
  const cut = new Map<string, string>()
  let told = 0
  let whole = 0
  for (const body of bodies) {
    const opcode = opcodeOf(body)
    const read = readBody(body)
    if (read) told++
    else if (OPCODES.has(Number.parseInt(opcode, 16))) missed.set(opcode, (missed.get(opcode) ?? 0) + 1)
    if (!read) continue
    const { remainingBits, remainingRefs } = read.rest
    if (remainingBits + remainingRefs > 0) cut.set(opcode, `${remainingBits} bits, ${remainingRefs} references`)
    else whole++
  }
  console.log(`${bodies.length} distinct bodies of traces, ${told} told, ${whole} to the last bit`)
  expect([...missed].filter(([opcode]) => !(opcode in OTHERS))).toEqual([])
  expect([...cut].filter(([opcode]) => !(opcode in LONGER))).toEqual([])
  expect(whole).toBeGreaterThan(bodies.length / 2)
})
