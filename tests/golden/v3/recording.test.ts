import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { type BlockLine, recordedLines, recordedText } from '../../support/recorded-lines.ts'
import { ALL_SEQNOS, everyRow, startV3Gateway, type V3Gateway } from '../../support/v3-gateway.ts'

/** The recorded network as its own node told of it, against what API v3 serves of its blocks. */

setDefaultTimeout(120_000)

interface TransactionLine {
  account: string
  lt: string
  hash: string
  now: number
  block: string
  in_msg: string | null
  out_msgs: string[]
  prev_lt: string
  prev_hash: string
  fees: string
  type: string
  aborted: boolean
  destroyed: boolean
  compute: number | string
  gas?: number
  action?: number
  status: string
}

interface Step {
  name: string
  ext_hash: string
  trace: { hash: string; parent: string | null }[]
}

interface BlockId {
  workchain: number
  shard: string
  seqno: number
}

interface Block extends BlockId {
  root_hash: string
  file_hash: string
  gen_utime: string
  start_lt: string
  end_lt: string
  tx_count: number
  masterchain_block_ref: BlockId
  prev_blocks: BlockId[]
}

interface Message {
  hash: string
  in_msg_tx_hash?: string
  out_msg_tx_hash?: string
}

interface Transaction {
  account: string
  hash: string
  lt: string
  now: number
  mc_block_seqno: number
  trace_id: string
  prev_trans_hash: string
  prev_trans_lt: string
  orig_status: string
  end_status: string
  total_fees: string
  description: {
    type: string
    aborted?: boolean
    destroyed?: boolean
    compute_ph?: { skipped: boolean; reason?: string; exit_code?: number; gas_used?: string }
    action?: { result_code: number }
  }
  block_ref: BlockId
  in_msg: Message | null
  out_msgs: Message[]
}

interface TraceNode {
  tx_hash: string
  in_msg_hash?: string
  children: TraceNode[]
}

interface Trace {
  trace_id: string
  trace_info: { trace_state: string; transactions: number }
  is_incomplete: boolean
  trace: TraceNode
  transactions_order: string[]
  transactions: Record<string, Transaction>
}

const base64 = (hex: string): string => Buffer.from(hex, 'hex').toString('base64')
const placeOf = ({ workchain, shard, seqno }: BlockId): string => `${workchain}:${shard.toLowerCase()}:${seqno}`
const short = (shard: string): string => shard.replace(/^0+/, '')
const blockText = (text: string): string => {
  const [workchain, shard, seqno] = text.split(':') as [string, string, string]
  return `${workchain}:${short(shard)}:${seqno}`
}

let gateway: V3Gateway
beforeAll(async () => {
  gateway = await startV3Gateway({ seqnos: ALL_SEQNOS })
}, 300_000)
afterAll(() => gateway.stop())

describe('API v3 serves of the recording', () => {
  test('every block', async () => {
    const served = await everyRow<Block>(gateway, 'blocks?sort=asc', 'blocks')
    const seen = served.map((block) => ({
      place: placeOf(block),
      root_hash: block.root_hash,
      file_hash: block.file_hash,
      mc_seqno: block.masterchain_block_ref.seqno,
      gen_utime: block.gen_utime,
      start_lt: block.start_lt,
      end_lt: block.end_lt,
      txs: block.tx_count,
      prev: block.prev_blocks.map(placeOf),
    }))
    const expected = recordedLines<BlockLine>('blocks.jsonl').map((line) => ({
      place: `${line.workchain}:${short(line.shard)}:${line.seqno}`,
      root_hash: base64(line.root_hash),
      file_hash: base64(line.file_hash),
      mc_seqno: line.mc_seqno,
      gen_utime: String(line.gen_utime),
      start_lt: line.start_lt,
      end_lt: line.end_lt,
      txs: line.txs,
      prev: line.prev.map(blockText),
    }))
    const byPlace = (a: { place: string }, b: { place: string }): number => (a.place < b.place ? -1 : 1)
    expect(seen.sort(byPlace)).toEqual(expected.sort(byPlace))
  })

  test('every transaction, with its messages', async () => {
    const served = await everyRow<Transaction>(gateway, 'transactions?sort=asc', 'transactions')
    const mcSeqnos = new Map(
      recordedLines<BlockLine>('blocks.jsonl').map((line) => [
        `${line.workchain}:${short(line.shard)}:${line.seqno}`,
        line.mc_seqno,
      ]),
    )
    const byHash = new Map(served.map((transaction) => [transaction.hash, transaction]))
    const expected = recordedLines<TransactionLine>('transactions.jsonl')
    expect(byHash.size).toBe(expected.length)
    expect(served).toHaveLength(expected.length)
    for (const line of expected) {
      const seen = byHash.get(base64(line.hash))!
      const { compute_ph, action } = seen.description
      const [workchain, id] = line.account.split(':') as [string, string]
      expect({
        account: seen.account,
        lt: seen.lt,
        now: seen.now,
        block: placeOf(seen.block_ref),
        mc_seqno: seen.mc_block_seqno,
        in_msg: seen.in_msg?.hash ?? null,
        out_msgs: seen.out_msgs.map(({ hash }) => hash),
        prev_lt: seen.prev_trans_lt,
        prev_hash: seen.prev_trans_hash,
        fees: seen.total_fees,
        type: seen.description.type,
        aborted: seen.description.aborted,
        destroyed: seen.description.destroyed,
        compute: compute_ph?.skipped ? `skipped:${compute_ph.reason}` : compute_ph?.exit_code,
        gas: compute_ph?.gas_used,
        action: action?.result_code,
        status: `${seen.orig_status}->${seen.end_status}`,
      }).toEqual({
        account: `${workchain}:${id.toUpperCase()}`,
        lt: line.lt,
        now: line.now,
        block: blockText(line.block),
        mc_seqno: mcSeqnos.get(blockText(line.block))!,
        in_msg: line.in_msg === null ? null : base64(line.in_msg),
        out_msgs: line.out_msgs.map(base64),
        prev_lt: line.prev_lt,
        prev_hash: base64(line.prev_hash),
        fees: line.fees,
        type: line.type === 'generic' ? 'ord' : line.type === 'tick-tock' ? 'tick_tock' : line.type,
        aborted: line.aborted,
        destroyed: line.destroyed,
        compute: typeof line.compute === 'string' ? line.compute.replaceAll('-', '_') : line.compute,
        gas: line.gas === undefined ? undefined : String(line.gas),
        action: line.action,
        status: line.status.replaceAll('non-existing', 'nonexist').replaceAll('uninitialized', 'uninit'),
      })
    }
  })

  test('every message once, with the transactions on both of its sides; one from outside with each that took it', async () => {
    const served = await everyRow<Message>(gateway, 'messages?sort=asc', 'messages')
    const seen = served.map(({ hash, in_msg_tx_hash, out_msg_tx_hash }) => [hash, in_msg_tx_hash, out_msg_tx_hash])
    const recorded = recordedLines<TransactionLine>('transactions.jsonl')
    const senders = new Map(recorded.flatMap(({ hash, out_msgs }) => out_msgs.map((message) => [message, hash])))
    const taken = recorded.flatMap(({ hash, in_msg }) => {
      const sender = in_msg === null ? undefined : senders.get(in_msg)
      return in_msg === null ? [] : [[base64(in_msg), base64(hash), sender && base64(sender)]]
    })
    const arrived = new Set(recorded.map(({ in_msg }) => in_msg))
    const left = [...senders].flatMap(([message, hash]) =>
      arrived.has(message) ? [] : [[base64(message), undefined, base64(hash)]],
    )
    expect(seen.map(String).sort()).toEqual([...taken, ...left].map(String).sort())
  })

  test('the whole trace of every step of its scenario', async () => {
    const steps = (JSON.parse(recordedText('traces.json')) as Step[]).filter(({ trace }) => trace.length > 0)
    expect(steps.length).toBeGreaterThan(250)
    for (const { name, ext_hash, trace } of steps) {
      const { json } = await gateway.get(`traces?msg_hash=${ext_hash}`)
      // A message that the wallet takes twice has two traces.
      const root = base64(trace.find(({ parent }) => parent === null)!.hash)
      const seen = (json['traces'] as Trace[]).find(({ trace_id }) => trace_id === root)
      if (!seen) throw new Error(`no trace of ${name}`)
      const parents = new Map<string, string | null>()
      const walk = (node: TraceNode, parent: string | null): void => {
        parents.set(node.tx_hash, parent)
        expect(node.in_msg_hash).toBe(seen.transactions[node.tx_hash]?.in_msg?.hash)
        for (const child of node.children) walk(child, node.tx_hash)
      }
      walk(seen.trace, null)
      const expected = trace.map(({ hash, parent }): [string, string | null] => [
        base64(hash),
        parent && base64(parent),
      ])
      expect([name, [...parents].sort()]).toEqual([name, expected.sort()])
      expect(seen.transactions_order.toSorted()).toEqual([...parents.keys()].sort())
      expect(Object.keys(seen.transactions)).toEqual([...parents.keys()].sort())
      expect([seen.is_incomplete, seen.trace_info.trace_state]).toEqual([false, 'complete'])
      expect(new Set(Object.values(seen.transactions).map(({ trace_id }) => trace_id))).toEqual(
        new Set([seen.trace_id]),
      )
    }
  })
})
