import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Address } from '@ton/core'
import { TonClient } from '@ton/ton'
import { extTransaction } from '../../src/api/v2/serialize/transactions.ts'
import { type Json, stringifyJson } from '../../src/common/lossless-json.ts'
import { readTransaction } from '../../src/model/transaction.ts'
import { parseBocRoot } from '../../src/ton/boc.ts'

const data = process.env['TONLITH_CHAIN_DATA']

interface Recorded {
  data: string
  address?: { account_address: string }
  in_msg?: Record<string, unknown>
  out_msgs: Record<string, unknown>[]
  [key: string]: unknown
}

/** Keys of a transaction and of a message that all versions of toncenter agree on. */
const TRANSACTION_KEYS = ['utime', 'data', 'transaction_id', 'fee', 'storage_fee', 'other_fee']
const MESSAGE_KEYS = ['source', 'destination', 'value', 'fwd_fee', 'created_lt', 'body_hash', 'msg_data']

const isRecorded = (value: object): value is Recorded =>
  'transaction_id' in value && 'out_msgs' in value && 'data' in value && String(value.data).startsWith('te6')

/** Every transaction with its own bytes anywhere in a JSON value. */
function* transactionsIn(value: unknown): Generator<Recorded> {
  if (typeof value !== 'object' || value === null) return
  if (isRecorded(value)) yield value
  else for (const each of Object.values(value)) yield* transactionsIn(each)
}

/** The Python server put `@extra` into every object, and its tonlib of 2022 left the StateInit out. */
const withoutExtra = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (key, each) => (key === '@extra' || key === 'init_state' ? undefined : each))

const picked = (value: Record<string, unknown>, keys: readonly string[]): unknown =>
  withoutExtra(Object.fromEntries(keys.map((key) => [key, value[key]])))

/** The Python server broke the base64 of a body into lines of 76 characters. */
const messageOf = (message: Record<string, unknown>): unknown => ({
  ...(picked(message, MESSAGE_KEYS) as object),
  message: String(message['message'] ?? '').replaceAll('\n', ''),
})

const shape = (transaction: Recorded): unknown => ({
  ...(picked(transaction, TRANSACTION_KEYS) as object),
  in_msg: transaction.in_msg?.['created_lt'] === undefined ? undefined : messageOf(transaction.in_msg),
  out_msgs: transaction.out_msgs.map(messageOf),
})

const workchainOf = ({ in_msg, address }: Recorded): number =>
  Buffer.from(String(address?.account_address ?? in_msg?.['destination']), 'base64url').readInt8(1)

/** Every recorded transaction that carries its bytes, and how the gateway shows these. */
function* recordedAndShown(): Generator<{ recorded: Recorded; shown: Recorded }> {
  const files = readdirSync(join(data!, 'http'), { recursive: true, encoding: 'utf8' })
  for (const file of files.filter((name) => name.startsWith('v2') && name.endsWith('.json')))
    for (const recorded of transactionsIn(JSON.parse(readFileSync(join(data!, 'http', file), 'utf8')))) {
      const transaction = readTransaction(workchainOf(recorded), parseBocRoot(Buffer.from(recorded.data, 'base64')))
      yield { recorded, shown: JSON.parse(extTransaction(transaction)('toncenter')) as Recorded }
    }
}

test('transactions that toncenter answered with are shown as it showed them', () => {
  if (!data) return console.log('TONLITH_CHAIN_DATA is not set: no recorded answers are compared')
  let compared = 0
  for (const { recorded, shown } of recordedAndShown()) {
    expect(shape(shown)).toEqual(shape(recorded))
    compared++
  }
  console.log(`${compared} recorded transactions compared`)
  expect(compared).toBeGreaterThan(0)
})

test('all of them pass the schemas of @ton/ton, which finds the same transactions in them', async () => {
  if (!data) return console.log('TONLITH_CHAIN_DATA is not set: no recorded answers are shown to @ton/ton')
  const all = [...recordedAndShown()].map(({ shown }) => shown)
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: () => new Response(`{"ok":true,"result":${stringifyJson(all as unknown as Json)}}`),
  })
  try {
    const client = new TonClient({ endpoint: `http://127.0.0.1:${server.port}/jsonRPC` })
    const seen = await client.getTransactions(Address.parse(`0:${'a5'.repeat(32)}`), { limit: all.length })
    const hashes = all.map((each) => parseBocRoot(Buffer.from(each.data, 'base64')).hash())
    expect(seen.map((each) => each.hash())).toEqual(hashes)
  } finally {
    await server.stop(true)
  }
})
