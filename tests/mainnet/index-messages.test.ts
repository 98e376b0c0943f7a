import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BatchMessage } from '../../src/model/batch.ts'
import { readBatchMessage } from '../../src/model/batch-message.ts'
import { type Address, rawAddressUpper, tryParseAddress } from '../../src/ton/address.ts'
import { parseBocRoot } from '../../src/ton/boc.ts'
import { type Builder, beginCell } from '../../src/ton/builder.ts'
import type { Cell } from '../../src/ton/cell.ts'
import { beginParse } from '../../src/ton/slice.ts'
import { extraCurrencyDict } from '../../src/ton/tlb/currency.ts'
import { madeBatch } from '../support/made-batch.ts'
import { traceMemory } from '../support/trace-memory.ts'

const data = process.env['TONLITH_CHAIN_DATA']

/** A message as API v3 writes it. */
interface WireMessage {
  hash: string
  hash_norm?: string
  source: string | null
  destination: string | null
  value: string | null
  value_extra_currencies: Record<string, string> | null
  fwd_fee: string | null
  ihr_fee: string | null
  extra_flags?: string | null
  created_lt: string | null
  created_at: string | null
  opcode: string | null
  ihr_disabled: boolean | null
  bounce: boolean | null
  bounced: boolean | null
  import_fee: string | null
  message_content: { hash: string; body: string } | null
  init_state: { hash: string; body: string } | null
}

interface WireTransaction {
  hash: string
  lt: string
  now: number
  account: string
  in_msg: WireMessage | null
  out_msgs: WireMessage[] | null
}

interface WireTrace {
  trace_id: string | null
  external_hash: string | null
  start_lt: string
  end_lt: string | null
  start_utime: number
  end_utime: number | null
  trace_info: { trace_state: string; messages: number; transactions: number; pending_messages: number }
  transactions?: Record<string, WireTransaction>
}

const storeAddress = (builder: Builder, text: string): Builder => {
  const { workchain, hash } = tryParseAddress(text)!
  return builder.uint(0b100, 3).int(workchain, 8).bytes(hash)
}

const storeInfo = (builder: Builder, message: WireMessage): Builder => {
  if (message.source === null)
    return storeAddress(builder.uint(0b1000, 4), message.destination!).coins(BigInt(message.import_fee ?? 0))
  if (message.destination === null)
    return storeAddress(builder.uint(0b11, 2), message.source)
      .uint(0, 2)
      .uint(BigInt(message.created_lt!), 64)
      .uint(BigInt(message.created_at!), 32)
  const extra = Object.entries(message.value_extra_currencies ?? {}).map(([id, amount]): [number, bigint] => [
    Number(id),
    BigInt(amount),
  ])
  builder.bit(false).bit(message.ihr_disabled!).bit(message.bounce!).bit(message.bounced!)
  storeAddress(storeAddress(builder, message.source), message.destination)
  return builder
    .coins(BigInt(message.value!))
    .maybeRef(extraCurrencyDict(extra))
    .varUint(BigInt(message.extra_flags ?? message.ihr_fee!), 16)
    .coins(BigInt(message.fwd_fee!))
    .uint(BigInt(message.created_lt!), 64)
    .uint(BigInt(message.created_at!), 32)
}

const fits = (make: () => Cell): Cell | null => {
  try {
    return make()
  } catch {
    return null
  }
}

const storePart = (builder: Builder, cell: Cell, inRef: boolean): Builder =>
  inRef ? builder.bit(true).ref(cell) : builder.bit(false).slice(beginParse(cell))

/**
 * The message's cell: of the forms that init and body can take in it, the one with the hash that the answer names. Null
 * where the answer does not show all of it: an emulated deployment lacks its init.
 */
const messageCell = (message: WireMessage): Cell | null => {
  const body = parseBocRoot(Buffer.from(message.message_content!.body, 'base64'))
  const init = message.init_state && parseBocRoot(Buffer.from(message.init_state.body, 'base64'))
  const hash = Buffer.from(message.hash, 'base64')
  for (const initInRef of [true, false]) {
    for (const bodyInRef of [true, false]) {
      const cell = fits(() => {
        const builder = storeInfo(beginCell(), message)
        if (init) storePart(builder.bit(true), init, initInRef)
        else builder.bit(false)
        return storePart(builder, body, bodyInRef).endCell()
      })
      if (cell?.hash().equals(hash)) return cell
    }
  }
  return null
}

const shown = (address: Address | null): string | null => address && rawAddressUpper(address)
const text = (value: bigint | number | null): string | null => (value === null ? null : String(value))
const base64 = (bytes: Buffer): string => bytes.toString('base64')

const wireOf = (message: BatchMessage) => ({
  hash: base64(message.hash),
  hash_norm: message.hash_norm ? base64(message.hash_norm) : undefined,
  source: shown(message.source),
  destination: shown(message.destination),
  created_lt: text(message.created_lt),
  created_at: text(message.created_at),
  opcode: message.opcode === null ? null : `0x${message.opcode.toString(16).padStart(8, '0')}`,
  body_hash: base64(message.body_hash),
})

const namedBy = (message: WireMessage) => ({
  hash: message.hash,
  hash_norm: message.hash_norm,
  source: message.source,
  destination: message.destination,
  created_lt: message.created_lt,
  created_at: message.created_at,
  opcode: message.opcode,
  body_hash: message.message_content!.hash,
})

/** Traces of the recorded answers of API v3, those of emulations among them, by file. */
function* recordedTraces(folder: string): Generator<{ file: string; trace: Partial<WireTrace> }> {
  const kinds = readdirSync(folder).filter((name) => name.startsWith('v3-traces-'))
  for (const kind of kinds) {
    const files = readdirSync(join(folder, kind), { recursive: true, encoding: 'utf8' })
    for (const file of files.filter((name) => name.endsWith('.json'))) {
      const answer = JSON.parse(readFileSync(join(folder, kind, file), 'utf8')) as { traces?: WireTrace[] } & WireTrace
      for (const trace of answer.traces ?? [answer]) yield { file: `${kind}/${file}`, trace }
    }
  }
}

const messagesOf = ({ in_msg, out_msgs }: WireTransaction): WireMessage[] => [
  ...(in_msg ? [in_msg] : []),
  ...(out_msgs ?? []),
]

test('messages of recorded v3 answers, built again from their fields, are read as the answers show them', () => {
  if (!data) return console.log('TONLITH_CHAIN_DATA is not set: no messages of recorded v3 answers are compared')
  let compared = 0
  let rebuilt = 0
  let normalized = 0
  for (const { file, trace } of recordedTraces(join(data, 'http'))) {
    for (const transaction of Object.values(trace.transactions ?? {})) {
      for (const message of messagesOf(transaction)) {
        const body = parseBocRoot(Buffer.from(message.message_content!.body, 'base64'))
        expect({ file, body: base64(body.hash()) }).toEqual({ file, body: message.message_content!.hash })
        compared++
        const cell = messageCell(message)
        if (!cell) continue
        rebuilt++
        if (message.hash_norm) normalized++
        expect({ file, ...wireOf(readBatchMessage(cell)) }).toEqual({ file, ...namedBy(message) })
      }
    }
  }
  expect(rebuilt).toBeGreaterThan(0)
  console.log(
    `recorded v3 answers: ${compared} bodies, ${rebuilt} whole messages equal, ${normalized} with a normalised hash of their own`,
  )
})

const asRead = (message: WireMessage): BatchMessage => {
  const address = (named: string | null): Address | null => (named === null ? null : tryParseAddress(named)!)
  return {
    kind: message.source === null ? 'ext_in' : message.destination === null ? 'ext_out' : 'internal',
    hash: Buffer.from(message.hash, 'base64'),
    hash_norm: message.hash_norm ? Buffer.from(message.hash_norm, 'base64') : null,
    source: address(message.source),
    destination: address(message.destination),
    created_lt: message.created_lt === null ? null : BigInt(message.created_lt),
    created_at: message.created_at === null ? null : Number(message.created_at),
    opcode: null,
    body_hash: Buffer.from(message.message_content!.hash, 'base64'),
    body: beginCell().endCell(),
  }
}

test('traces of recorded v3 answers are joined as the answers show them, whichever transaction comes first', () => {
  if (!data) return console.log('TONLITH_CHAIN_DATA is not set: no traces of recorded v3 answers are joined')
  let compared = 0
  for (const { file, trace } of recordedTraces(join(data, 'http'))) {
    const { trace_info, transactions } = trace
    if (!trace_info || !transactions) continue
    const read = Object.values(transactions).map(({ account, hash, lt, now, in_msg, out_msgs }) => ({
      account: tryParseAddress(account)!,
      id: { lt: BigInt(lt), hash: Buffer.from(hash, 'base64') },
      now,
      orig_status: 'active' as const,
      end_status: 'active' as const,
      block: 0,
      index: 0,
      cell: beginCell().endCell(),
      in_msg: in_msg && asRead(in_msg),
      out_msgs: (out_msgs ?? []).map(asRead),
    }))
    for (const order of [read, read.toReversed()]) {
      const memory = traceMemory()
      order.forEach((transaction, i) => {
        memory.add(madeBatch(i + 1, [transaction]))
      })
      const joined = [...memory.traces.values()].map((row) => ({
        trace_id: base64(row.root_hash),
        external_hash: row.external_hash && base64(row.external_hash),
        start_lt: String(row.start_lt),
        end_lt: String(row.end_lt),
        start_utime: row.start_utime,
        end_utime: row.end_utime,
        trace_state: row.state,
        messages: row.edges,
        transactions: row.nodes,
        pending_messages: row.pending_edges,
      }))
      const { trace_state, messages, pending_messages } = trace_info
      const { trace_id, external_hash, start_lt, end_lt, start_utime, end_utime } = trace
      const named = { trace_id, external_hash, start_lt, end_lt, start_utime, end_utime, trace_state, messages }
      expect({ file, joined }).toEqual({
        file,
        joined: [{ ...named, transactions: trace_info.transactions, pending_messages } as never],
      })
    }
    compared++
  }
  expect(compared).toBeGreaterThan(0)
  console.log(`recorded v3 answers: ${compared} traces joined as they are shown`)
})
