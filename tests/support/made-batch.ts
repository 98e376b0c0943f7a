import { hash } from 'node:crypto'
import type { Batch, BatchMessage, BatchTransaction, MessageKind } from '../../src/model/batch.ts'
import { MASTERCHAIN, SHARD_ALL } from '../../src/ton/block-id.ts'
import { beginCell } from '../../src/ton/builder.ts'

const EMPTY = beginCell().endCell()

/** 32 bytes that stand for `name`. */
export const madeHash = (name: string): Buffer => hash('sha256', name, 'buffer')

/** A message by name; only what the trace join looks at is real. */
export const madeMessage = (name: string, kind: MessageKind = 'internal'): BatchMessage => ({
  kind,
  hash: madeHash(`message ${name}`),
  hash_norm: null,
  source: kind === 'ext_in' ? null : { workchain: 0, hash: madeHash(`source ${name}`) },
  destination: kind === 'ext_out' ? null : { workchain: 0, hash: madeHash(`destination ${name}`) },
  created_lt: kind === 'ext_in' ? null : 1n,
  created_at: kind === 'ext_in' ? null : 1,
  opcode: null,
  body_hash: EMPTY.hash(),
  body: EMPTY,
})

/** A transaction by name, of an account of its own. */
export const madeTransaction = (
  name: string,
  lt: bigint,
  now: number,
  in_msg: BatchMessage | null,
  out_msgs: BatchMessage[],
): BatchTransaction => ({
  account: { workchain: 0, hash: madeHash(`account ${name}`) },
  id: { lt, hash: madeHash(`transaction ${name}`) },
  now,
  orig_status: 'active',
  end_status: 'active',
  block: 0,
  index: 0,
  cell: EMPTY,
  in_msg,
  out_msgs,
})

/** The batch of a masterchain block with these transactions and nothing else. */
export const madeBatch = (seqno: number, transactions: BatchTransaction[]): Batch => ({
  mc: {
    workchain: MASTERCHAIN,
    shard: SHARD_ALL,
    seqno,
    root_hash: madeHash(`root ${seqno}`),
    file_hash: madeHash(`file ${seqno}`),
  },
  gen_utime: seqno,
  blocks: [],
  shard_tops: [],
  transactions: transactions
    .toSorted((a, b) => (a.id.lt < b.id.lt ? -1 : a.id.lt > b.id.lt ? 1 : 0))
    .map((transaction, index) => ({ ...transaction, index })),
  accounts: [],
})
