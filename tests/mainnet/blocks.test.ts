import { expect, test } from 'bun:test'
import { hash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { shardHex } from '../../src/ton/block-id.ts'
import { parseBocRoot } from '../../src/ton/boc.ts'
import type { Cell } from '../../src/ton/cell.ts'
import { accountBlocks, blockTransactions } from '../../src/ton/tlb/account-blocks.ts'
import { parseBlock } from '../../src/ton/tlb/block.ts'
import { parseBlockExtra } from '../../src/ton/tlb/block-extra.ts'
import { type BlockInfo, parseBlockInfo, prevBlockIds } from '../../src/ton/tlb/block-info.ts'
import { parseBlkMasterInfo } from '../../src/ton/tlb/ext-blk-ref.ts'
import { parseMcBlockExtra } from '../../src/ton/tlb/mc-block-extra.ts'
import { shardBlockId, shardEntries } from '../../src/ton/tlb/shard-hashes.ts'
import { shardOf } from '../../src/ton/tlb/shard-ident.ts'
import { type Counts, countsText } from '../support/counts.ts'
import { walkBlock } from '../support/walk-block.ts'

const data = process.env['TONLITH_CHAIN_DATA']

interface Indexed {
  file: string
  root_hash: string
  file_hash: string
}

/** Parts of an index entry that are compared with the block. */
const COMPARED = [
  'global_id',
  'workchain',
  'shard',
  'seqno',
  'root_hash',
  'file_hash',
  'utime',
  'start_lt',
  'end_lt',
  'key_block',
  'after_merge',
  'after_split',
  'before_split',
  'gen_version',
  'prev',
  'master_ref',
  'shards',
  'accounts',
  'transactions',
] as const

const masterOf = (info: BlockInfo): { seqno: number; root_hash: string } | null => {
  if (!info.master_ref) return null
  const { seq_no, root_hash } = parseBlkMasterInfo(info.master_ref)
  return { seqno: seq_no, root_hash: root_hash.toString('hex') }
}

const shardsOf = (custom: Cell | null): object[] | undefined =>
  custom
    ? Array.from(shardEntries(parseMcBlockExtra(custom).shard_hashes), (entry) => {
        const { workchain, shard, seqno, root_hash, file_hash } = shardBlockId(entry)
        const hashes = { root_hash: root_hash.toString('hex'), file_hash: file_hash.toString('hex') }
        return { wc: workchain, shard: shardHex(shard), seqno, ...hashes }
      })
    : undefined

/** The index entry that our own reading of the block makes. */
const described = (bytes: Buffer, root: Cell): Record<(typeof COMPARED)[number], unknown> => {
  const block = parseBlock(root)
  const info = parseBlockInfo(block.info)
  const extra = parseBlockExtra(block.extra)
  return {
    global_id: block.global_id,
    workchain: info.shard.workchain_id,
    shard: shardHex(shardOf(info.shard)),
    seqno: info.seq_no,
    root_hash: root.hash().toString('hex'),
    file_hash: hash('sha256', bytes),
    utime: info.gen_utime,
    start_lt: String(info.start_lt),
    end_lt: String(info.end_lt),
    key_block: info.key_block,
    after_merge: info.after_merge,
    after_split: info.after_split,
    before_split: info.before_split,
    gen_version: info.gen_software?.version ?? null,
    prev: prevBlockIds(info).map(({ seqno, root_hash }) => `${seqno}:${root_hash.toString('hex')}`),
    master_ref: masterOf(info),
    shards: shardsOf(extra.custom),
    accounts: [...accountBlocks(extra.account_blocks)].length,
    transactions: [...blockTransactions(extra.account_blocks)].length,
  }
}

test('every block parses to its last leaf and says what the index says', () => {
  if (!data) return console.log('TONLITH_CHAIN_DATA is not set: no blocks of public networks are read')
  const folder = join(data, 'blocks')
  const index = new Map(
    (JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8')) as Indexed[]).map((entry) => [entry.file, entry]),
  )
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.boc'))
  expect(files.toSorted()).toEqual([...index.keys()].toSorted())
  const counts: Counts = new Map()
  for (const file of files) {
    const bytes = readFileSync(join(folder, file))
    const root = parseBocRoot(bytes)
    walkBlock(root, counts)
    const entry = index.get(file)!
    const expected = Object.fromEntries(COMPARED.map((key) => [key, entry[key as keyof Indexed]]))
    expect({ file, ...described(bytes, root) }).toEqual({ file, ...expected } as never)
  }
  console.log(`public networks: ${countsText(counts)}`)
})
