import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { decode, decodeCall, encode } from '../../src/ton/tl/codec.ts'
import type { Constructor } from '../../src/ton/tl/constructor.ts'
import { decodeAnswer, decodeMessage, decodeRequest, unwrapQuery } from '../../src/ton/tl/lite-api.ts'
import { CONSTRUCTORS, FUNCTIONS, type LiteServerMethod } from '../../src/ton/tl/schema.ts'

const data = process.env['TONLITH_CHAIN_DATA']

/** The combinators of a TL text: name, explicit id if there is one, and the text that the CRC32 is taken of. */
const combinators = (text: string): { name: string; explicit: number | undefined; canonical: string }[] =>
  text
    .replace(/\/\/.*|---\w+---/g, '')
    .split(';')
    .map((each) => each.replace(/[()]/g, '').trim().split(/\s+/).join(' '))
    .filter((each) => each !== '')
    .map((each) => {
      const [name, explicit] = each.split(' ', 1)[0]!.split('#')
      return {
        name: name!,
        explicit: explicit === undefined ? undefined : Number.parseInt(explicit, 16),
        canonical: each.replace(/^\S+/, name!),
      }
    })

test('the table has every combinator of the scheme with its id', () => {
  if (!data) return console.log('TONLITH_CHAIN_DATA is not set: the ids are not compared with the text of the scheme')
  const table: Record<string, Constructor> = { ...CONSTRUCTORS, ...FUNCTIONS }
  const found = combinators(readFileSync(join(data, '../schema/lite_api.tl'), 'utf8')).filter(({ name }) =>
    name.includes('.'),
  )
  expect(found.length).toBeGreaterThan(80)
  for (const { name, explicit, canonical } of found) {
    const id = (explicit ?? crc32(canonical)).toString(16)
    expect(`${name}#${table[name]?.id.toString(16)}`).toBe(`${name}#${id}`)
    expect(table[name]?.explicit ?? false).toBe(explicit !== undefined)
  }
})

interface Recording {
  id: string
  hex: string
}

const questionFor = (id: string): LiteServerMethod | undefined => {
  const answer: Constructor | undefined = (CONSTRUCTORS as Record<string, Constructor>)[id]
  const entry = Object.entries(FUNCTIONS as Record<string, Constructor>).find(([, { type }]) => type === answer?.type)
  return entry?.[0] as LiteServerMethod | undefined
}

const rewrite = ({ id, hex }: Recording): Buffer => {
  const bytes = Buffer.from(hex, 'hex')
  if (id.startsWith('adnl.')) {
    const message = decodeMessage(bytes)
    if (message._ === 'adnl.message.query') decodeRequest(unwrapQuery(message.query)!)
    return encode(message)
  }
  if (id === 'liteServer.query') decodeRequest(unwrapQuery(bytes)!)
  const method = questionFor(id)
  if (method) return encode(decodeAnswer(method, bytes))
  return encode(id in FUNCTIONS ? decodeCall(bytes) : decode('adnl.Message', bytes))
}

test('recorded bytes of mainnet liteservers are written back as they were', () => {
  if (!data) return console.log('TONLITH_CHAIN_DATA is not set: no recorded liteserver bytes are read')
  const recordings = JSON.parse(readFileSync(join(data, 'proofs/liteserver-tl/recordings.json'), 'utf8')) as Recording[]
  expect(recordings.length).toBeGreaterThan(0)
  for (const recording of recordings) expect(rewrite(recording).toString('hex')).toBe(recording.hex)
})
