import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { shardHex } from '../../../src/ton/block-id.ts'
import type { Cell } from '../../../src/ton/cell.ts'
import type { AccountStatus } from '../../../src/ton/tlb/account.ts'
import { blockTransactions } from '../../../src/ton/tlb/account-blocks.ts'
import { parseBlock } from '../../../src/ton/tlb/block.ts'
import { parseBlockExtra } from '../../../src/ton/tlb/block-extra.ts'
import { parseBlockInfo } from '../../../src/ton/tlb/block-info.ts'
import { shardOf } from '../../../src/ton/tlb/shard-ident.ts'
import { outMsgs, parseTransaction } from '../../../src/ton/tlb/transaction.ts'
import { parseTransactionDescr, storagePhaseOf } from '../../../src/ton/tlb/transaction-descr.ts'
import type { TrActionPhase, TrComputePhase, TrStoragePhase } from '../../../src/ton/tlb/transaction-phases.ts'
import { recordedBlocks } from '../../support/recorded-blocks.ts'

const FILE = join(import.meta.dir, '../../fixtures/chain/transactions.jsonl.zst')

const STATUS: Record<AccountStatus, string> = {
  acc_state_uninit: 'uninitialized',
  acc_state_frozen: 'frozen',
  acc_state_active: 'active',
  acc_state_nonexist: 'non-existing',
}

const hex = (bytes: Buffer): string => bytes.toString('hex')

const computeOf = (compute: TrComputePhase): object =>
  compute._ === 'tr_phase_compute_vm'
    ? { compute: compute.exit_code, gas: Number(compute.gas_used) }
    : { compute: `skipped:${compute.reason.slice('cskip_'.length).replaceAll('_', '-')}` }

const actionOf = (action: TrActionPhase | null): object =>
  action
    ? {
        action: action.result_code,
        ...(action.msgs_created > 0 && { msgs: action.msgs_created }),
        ...(action.skipped_actions > 0 && { skipped: action.skipped_actions }),
      }
    : {}

const storageOf = (storage: TrStoragePhase | null): object =>
  storage
    ? {
        ...(storage.storage_fees_due !== null && { storage_due: String(storage.storage_fees_due) }),
        ...(storage.status_change !== 'acst_unchanged' && { storage: storage.status_change.slice('acst_'.length) }),
      }
    : {}

const BOUNCE = { tr_phase_bounce_ok: 'ok', tr_phase_bounce_nofunds: 'no-funds', tr_phase_bounce_negfunds: 'negative' }

/** The row that the recording has for the transaction. */
const rowOf = (block: string, workchain: number, cell: Cell): object => {
  const transaction = parseTransaction(cell)
  const descr = parseTransactionDescr(transaction.description)
  expect(storagePhaseOf(transaction.description)).toEqual('storage_ph' in descr ? descr.storage_ph : null)
  if (descr._ !== 'trans_ord' && descr._ !== 'trans_tick_tock') throw new Error(`unexpected ${descr._}`)
  const { in_msg, orig_status, end_status } = transaction
  return {
    account: `${workchain}:${hex(transaction.account_addr)}`,
    lt: String(transaction.lt),
    hash: hex(cell.hash()),
    now: transaction.now,
    block,
    in_msg: in_msg && hex(in_msg.hash()),
    out_msgs: Array.from(outMsgs(transaction), (message) => hex(message.hash())),
    prev_lt: String(transaction.prev_trans_lt),
    prev_hash: hex(transaction.prev_trans_hash),
    fees: String(transaction.total_fees.grams),
    type: descr._ === 'trans_ord' ? 'generic' : 'tick-tock',
    aborted: descr.aborted,
    destroyed: descr.destroyed,
    ...computeOf(descr.compute_ph),
    ...actionOf(descr.action),
    ...(descr._ === 'trans_ord' && descr.bounce && { bounce: BOUNCE[descr.bounce._] }),
    ...storageOf(descr.storage_ph),
    status: `${STATUS[orig_status]}->${STATUS[end_status]}`,
  }
}

test('every transaction of the recorded network says what its node said', () => {
  const lines = Buffer.from(Bun.zstdDecompressSync(readFileSync(FILE)))
    .toString('utf8')
    .trimEnd()
    .split('\n')
  const expected = new Map(
    lines.map((line) => {
      const { offset: _, length: __, ...row } = JSON.parse(line) as { hash: string; offset: number; length: number }
      return [row.hash, row]
    }),
  )
  let compared = 0
  for (const root of recordedBlocks()) {
    const block = parseBlock(root)
    const { shard, seq_no } = parseBlockInfo(block.info)
    const name = `${shard.workchain_id}:${shardHex(shardOf(shard))}:${seq_no}`
    for (const { cell, lt } of blockTransactions(parseBlockExtra(block.extra).account_blocks)) {
      const row = rowOf(name, shard.workchain_id, cell)
      expect(row).toEqual(expected.get(hex(cell.hash())) as never)
      expect(parseTransaction(cell).lt).toBe(lt)
      compared++
    }
  }
  expect(compared).toBe(expected.size)
  console.log(`recorded network: ${compared} transactions equal in all columns`)
})
