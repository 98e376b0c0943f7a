import { expect, test } from 'bun:test'
import { hash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { type OpenedBlock, openBlock } from '../../src/indexer/opened-block.ts'
import { parseBatch } from '../../src/indexer/parse.ts'
import type { BatchMessage, BatchTransaction } from '../../src/model/batch.ts'
import { rawAddress } from '../../src/ton/address.ts'
import { MASTERCHAIN } from '../../src/ton/block-id.ts'
import { isWhole } from '../../src/ton/partial-tree.ts'
import { parseHashUpdate, parseTransaction } from '../../src/ton/tlb/transaction.ts'
import { type Counts, countsText } from '../support/counts.ts'

const data = process.env['TONLITH_CHAIN_DATA']

interface Indexed {
  file: string
  workchain: number
  shard: string
  seqno: number
  root_hash: string
}

/** Columns of the other parser's table that a batch has too. */
interface Row {
  account: string
  lt: string
  hash: string
  now: number
  in_msg_hash: string | null
  ext_in_hash_norm: string | null
  in_type: string | null
  out_msgs: number
}

const IN_TYPE = { internal: 'internal', ext_in: 'external-in', ext_out: 'external-out' }

const hex = (bytes: Buffer): string => bytes.toString('hex')

const normOf = ({ kind, hash, hash_norm }: BatchMessage): string | null =>
  kind === 'ext_in' ? hex(hash_norm ?? hash) : null

const rowOf = ({ account, id, now, in_msg, out_msgs }: BatchTransaction): Row => ({
  account: rawAddress(account),
  lt: String(id.lt),
  hash: hex(id.hash),
  now,
  in_msg_hash: in_msg && hex(in_msg.hash),
  ext_in_hash_norm: in_msg && normOf(in_msg),
  in_type: in_msg && IN_TYPE[in_msg.kind],
  out_msgs: out_msgs.length,
})

const columns = (row: Row): Row => ({
  account: row.account,
  lt: row.lt,
  hash: row.hash,
  now: row.now,
  in_msg_hash: row.in_msg_hash,
  ext_in_hash_norm: row.ext_in_hash_norm,
  in_type: row.in_type ?? null,
  out_msgs: row.out_msgs,
})

const byHash = (a: Row, b: Row): number => (a.hash < b.hash ? -1 : 1)

const count = (counts: Counts, name: string, n = 1): void => {
  counts.set(name, (counts.get(name) ?? 0) + n)
}

const loadBlocks = (folder: string): Map<string, OpenedBlock> => {
  const index = JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8')) as Indexed[]
  return new Map(
    index.map(({ file, workchain, shard, seqno, root_hash }) => {
      const bytes = readFileSync(join(folder, file))
      const id = {
        workchain,
        shard: BigInt.asIntN(64, BigInt(`0x${shard}`)),
        seqno,
        root_hash: Buffer.from(root_hash, 'hex'),
        file_hash: hash('sha256', bytes, 'buffer'),
      }
      return [file, openBlock(id, bytes)]
    }),
  )
}

test('every block gives the transactions, messages and accounts that another parser saw', () => {
  if (!data) return console.log('TONLITH_CHAIN_DATA is not set: no blocks of public networks go through the indexer')
  const folder = join(data, 'blocks')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.boc'))
  const table = gunzipSync(readFileSync(join(folder, 'expected_transactions.json.gz'))).toString('utf8')
  const expected = JSON.parse(table) as Record<string, Row[]>
  const opened = loadBlocks(folder)
  expect([...opened.keys()].toSorted()).toEqual(files.toSorted())
  const some = [...opened.values()].find(({ id, block }) => id.workchain === MASTERCHAIN && block.global_id === -239)!
  const counts: Counts = new Map()
  for (const [file, block] of opened) {
    const masterchain = block.id.workchain === MASTERCHAIN
    const batch = masterchain ? parseBatch(block, []) : parseBatch(some, [block])
    const place = batch.blocks.findIndex(({ id }) => id === block.id)
    const transactions = batch.transactions.filter((transaction) => transaction.block === place)
    const rows = transactions.map(rowOf).sort(byHash)
    expect({ file, rows }).toEqual({ file, rows: (expected[file] ?? []).map(columns).sort(byHash) })
    expect(batch.blocks[place]?.tx_count).toBe(rows.length)
    const last = new Map(transactions.map((transaction) => [rawAddress(transaction.account), transaction]))
    for (const account of batch.accounts) {
      const transaction = last.get(rawAddress(account.address))
      if (!transaction) continue
      const { state_update } = parseTransaction(transaction.cell)
      expect(account.state_hash).toEqual(parseHashUpdate(state_update).new_hash)
      expect(account.last_transaction).toEqual(transaction.id)
      count(counts, `${account.status} accounts`)
      if (account.data && !isWhole(account.data, 0)) count(counts, 'with pruned data')
    }
    count(counts, 'blocks')
    count(counts, 'transactions', rows.length)
    for (const { in_msg, out_msgs } of transactions) count(counts, 'messages', out_msgs.length + (in_msg ? 1 : 0))
  }
  expect(counts.get('transactions')).toBe(Object.values(expected).reduce((sum, rows) => sum + rows.length, 0))
  console.log(`public networks, through the indexer: ${countsText(counts)}`)
}, 60_000)
