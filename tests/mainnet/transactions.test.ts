import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { parseBocRoot } from '../../src/ton/boc.ts'
import type { Cell } from '../../src/ton/cell.ts'
import { normalizedMessageHash } from '../../src/ton/message-hash.ts'
import { blockTransactions } from '../../src/ton/tlb/account-blocks.ts'
import { parseBlock } from '../../src/ton/tlb/block.ts'
import { parseBlockExtra } from '../../src/ton/tlb/block-extra.ts'
import { parseBlockInfo } from '../../src/ton/tlb/block-info.ts'
import { parseMessageInfo } from '../../src/ton/tlb/message.ts'
import { outMsgs, parseTransaction } from '../../src/ton/tlb/transaction.ts'
import { parseTransactionDescr, storagePhaseOf, type TransactionDescr } from '../../src/ton/tlb/transaction-descr.ts'
import { ourReading, tonCoreReading } from '../support/ton-core-transaction.ts'

const data = process.env['TONLITH_CHAIN_DATA']

const STATUS = {
  acc_state_uninit: 'uninitialized',
  acc_state_frozen: 'frozen',
  acc_state_active: 'active',
  acc_state_nonexist: 'non-existing',
}
const TYPE: Record<TransactionDescr['_'], string> = {
  trans_ord: 'generic',
  trans_tick_tock: 'tick-tock',
  trans_storage: 'storage',
  trans_split_prepare: 'split-prepare',
  trans_split_install: 'split-install',
  trans_merge_prepare: 'merge-prepare',
  trans_merge_install: 'merge-install',
}
const IN_TYPE = { int_msg_info: 'internal', ext_in_msg_info: 'external-in', ext_out_msg_info: 'external-out' }

const hex = (bytes: Buffer): string => bytes.toString('hex')

/** The row that another parser's table has for the transaction. */
const rowOf = (workchain: number, cell: Cell): Record<string, unknown> => {
  const transaction = parseTransaction(cell)
  const descr = parseTransactionDescr(transaction.description)
  expect(storagePhaseOf(transaction.description)).toEqual('storage_ph' in descr ? descr.storage_ph : null)
  const { in_msg } = transaction
  const in_type = in_msg && IN_TYPE[parseMessageInfo(in_msg)._]
  const sent = [...outMsgs(transaction)].length
  expect(sent).toBe(transaction.outmsg_cnt)
  return {
    account: `${workchain}:${hex(transaction.account_addr)}`,
    lt: String(transaction.lt),
    hash: hex(cell.hash()),
    now: transaction.now,
    type: TYPE[descr._],
    aborted: 'aborted' in descr ? descr.aborted : false,
    in_msg_hash: in_msg && hex(in_msg.hash()),
    ext_in_hash_norm: in_msg && in_type === 'external-in' ? hex(normalizedMessageHash(in_msg)) : null,
    in_type,
    out_msgs: sent,
    total_fees: String(transaction.total_fees.grams),
    prev_lt: String(transaction.prev_trans_lt),
    prev_hash: hex(transaction.prev_trans_hash),
    orig_status: STATUS[transaction.orig_status],
    end_status: STATUS[transaction.end_status],
  }
}

test('all transactions equal those that another parser saw, in all columns', () => {
  if (!data) return console.log('TONLITH_CHAIN_DATA is not set: no transactions of public networks are compared')
  const table = gunzipSync(readFileSync(join(data, 'blocks/expected_transactions.json.gz')))
  const expected = JSON.parse(table.toString('utf8')) as Record<string, unknown[]>
  let compared = 0
  for (const [file, rows] of Object.entries(expected)) {
    const block = parseBlock(parseBocRoot(readFileSync(join(data, 'blocks', file))))
    const { workchain_id } = parseBlockInfo(block.info).shard
    const listed = [...blockTransactions(parseBlockExtra(block.extra).account_blocks)]
    expect({ file, rows: listed.map(({ cell }) => rowOf(workchain_id, cell)) }).toEqual({ file, rows } as never)
    compared += rows.length
  }
  expect(compared).toBeGreaterThan(0)
  console.log(`public networks: ${compared} transactions equal in all columns`)
})

test('all phases and messages read as @ton/core reads them', () => {
  if (!data) return console.log('TONLITH_CHAIN_DATA is not set: no transactions of public networks are read twice')
  const files = readdirSync(join(data, 'blocks'), { recursive: true, encoding: 'utf8' })
  let compared = 0
  for (const file of files.filter((name) => name.endsWith('.boc'))) {
    const block = parseBlock(parseBocRoot(readFileSync(join(data, 'blocks', file))))
    for (const { cell } of blockTransactions(parseBlockExtra(block.extra).account_blocks)) {
      expect(ourReading(cell)).toEqual(tonCoreReading(cell))
      compared++
    }
  }
  console.log(`public networks: ${compared} transactions read as @ton/core reads them`)
}, 60_000)
