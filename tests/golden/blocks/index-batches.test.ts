import { expect, test } from 'bun:test'
import type { Batch, BatchTransaction } from '../../../src/model/batch.ts'
import { rawAddress } from '../../../src/ton/address.ts'
import { type BlockIdExt, shardHex } from '../../../src/ton/block-id.ts'
import { recordedBatches } from '../../support/recorded-batches.ts'
import { recordedChain } from '../../support/recorded-chain.ts'
import { type BlockLine, recordedLines } from '../../support/recorded-lines.ts'

interface TransactionLine {
  account: string
  lt: string
  hash: string
  now: number
  block: string
  in_msg: string | null
  out_msgs: string[]
}

const hex = (bytes: Buffer): string => bytes.toString('hex')
const placeOf = ({ workchain, shard, seqno }: BlockIdExt): string => `${workchain}:${shardHex(shard)}:${seqno}`

const blockLines = ({ mc, blocks }: Batch): BlockLine[] =>
  blocks.map(({ id, info, tx_count, prev }) => ({
    workchain: id.workchain,
    shard: shardHex(id.shard),
    seqno: id.seqno,
    root_hash: hex(id.root_hash),
    file_hash: hex(id.file_hash),
    mc_seqno: mc.seqno,
    gen_utime: info.gen_utime,
    start_lt: String(info.start_lt),
    end_lt: String(info.end_lt),
    txs: tx_count,
    prev: prev.map(placeOf),
    ...(info.after_split && { after_split: true }),
    ...(info.after_merge && { after_merge: true }),
    ...(info.before_split && { before_split: true }),
    ...(info.key_block && { key_block: true }),
  }))

const transactionLine = ({ blocks }: Batch, transaction: BatchTransaction): TransactionLine => ({
  account: rawAddress(transaction.account),
  lt: String(transaction.id.lt),
  hash: hex(transaction.id.hash),
  now: transaction.now,
  block: placeOf(blocks[transaction.block]!.id),
  in_msg: transaction.in_msg && hex(transaction.in_msg.hash),
  out_msgs: transaction.out_msgs.map(({ hash }) => hex(hash)),
})

const batches = [...recordedBatches(recordedChain())]

const sorted = <T>(list: T[], key: (item: T) => string): T[] => list.sort((a, b) => (key(a) < key(b) ? -1 : 1))

test('the batches of the recorded network hold every block of it, each under its masterchain block', () => {
  const key = ({ root_hash }: BlockLine): string => root_hash
  const expected = recordedLines<BlockLine & { offset: number; length: number }>('blocks.jsonl').map(
    ({ offset: _, length: __, ...line }) => line,
  )
  expect(sorted(batches.flatMap(blockLines), key)).toEqual(sorted(expected, key))
})

test('the batches of the recorded network hold every transaction of it, with its messages', () => {
  const key = ({ hash }: TransactionLine): string => hash
  const expected = recordedLines<TransactionLine>('transactions.jsonl').map((line): TransactionLine => {
    const { account, lt, hash, now, block, in_msg, out_msgs } = line
    return { account, lt, hash, now, block, in_msg, out_msgs }
  })
  const actual = batches.flatMap((batch) => batch.transactions.map((one) => transactionLine(batch, one)))
  expect(sorted(actual, key)).toEqual(sorted(expected, key))
})

test('blocks, transactions and accounts stand in the order that their places depend on', () => {
  for (const { mc, blocks, shard_tops, transactions, accounts } of batches) {
    const wide = (value: bigint | number): string => (BigInt(value) + (1n << 64n)).toString(16).padStart(17, '0')
    const byId = ({ workchain, shard, seqno }: BlockIdExt): string => wide(workchain) + wide(shard) + wide(seqno)
    const ordered = (keys: string[]): void => {
      expect(keys).toEqual(keys.toSorted())
      expect(new Set(keys).size).toBe(keys.length)
    }
    ordered(blocks.map(({ id }) => byId(id)))
    ordered(shard_tops.map(byId))
    ordered(transactions.map(({ account, id }) => wide(id.lt) + wide(account.workchain) + hex(account.hash)))
    ordered(accounts.map(({ address }) => wide(address.workchain) + hex(address.hash)))
    for (const { account, block } of transactions) expect(blocks[block]!.id.workchain).toBe(account.workchain)
    expect(new Set(transactions.map(({ account }) => rawAddress(account))).size).toBe(accounts.length)
    expect(blocks.filter(({ id }) => id.workchain === -1).map(({ id }) => id.seqno)).toEqual([mc.seqno])
  }
})
