import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type OpenedBlock, openBlock } from '../../src/indexer/opened-block.ts'
import { parseBatch } from '../../src/indexer/parse.ts'
import type { Batch } from '../../src/model/batch.ts'
import type { BlockIdExt } from '../../src/ton/block-id.ts'
import { recordedBatches } from '../support/recorded-batches.ts'
import { recordedChain } from '../support/recorded-chain.ts'

interface IndexedBlock {
  file: string
  workchain: number
  shard: string
  seqno: number
  root_hash: string
  file_hash: string
  transactions: number
}

const FAT = 250

/** A block in a file. */
export interface SerializedBlock {
  id: BlockIdExt
  file: string
}

const serialized = (folder: string, { file, workchain, shard, seqno, root_hash }: IndexedBlock): SerializedBlock => {
  const path = join(folder, file)
  const id = {
    workchain,
    shard: BigInt.asIntN(64, BigInt(`0x${shard}`)),
    seqno,
    root_hash: Buffer.from(root_hash, 'hex'),
    file_hash: Buffer.from(new Bun.CryptoHasher('sha256').update(readFileSync(path)).digest()),
  }
  return { id, file: path }
}

const open = ({ id, file }: SerializedBlock): OpenedBlock => openBlock(id, readFileSync(file))

/** Shard blocks of mainnet with at least FAT transactions, and some masterchain block. */
const serializedIn = (folder: string): { masterchain: SerializedBlock; shards: SerializedBlock[] } => {
  const blocks = join(folder, 'blocks')
  const all: IndexedBlock[] = JSON.parse(readFileSync(join(blocks, 'index.json'), 'utf8'))
  const ofMainnet = all.filter(({ file }) => file.startsWith('mainnet/'))
  return {
    masterchain: serialized(blocks, ofMainnet.find(({ workchain }) => workchain === -1)!),
    shards: ofMainnet
      .filter(({ workchain, transactions }) => workchain === 0 && transactions >= FAT)
      .map((block) => serialized(blocks, block)),
  }
}

/** As files: undefined where TONLITH_CHAIN_DATA names no folder. */
export const serializedBlocks = (): ReturnType<typeof serializedIn> | undefined => {
  const folder = process.env['TONLITH_CHAIN_DATA']
  return folder === undefined ? undefined : serializedIn(folder)
}

/** The same, opened. */
export const mainnetBlocks = (folder: string): { masterchain: OpenedBlock; shards: (() => OpenedBlock)[] } => {
  const { masterchain, shards } = serializedIn(folder)
  return { masterchain: open(masterchain), shards: shards.map((shard) => () => open(shard)) }
}

/** Shard blocks of mainnet with at least FAT transactions, each with a masterchain block: not its own, which is not there. */
const mainnetBatches = (folder: string): Batch[] => {
  const { masterchain, shards } = mainnetBlocks(folder)
  return shards.map((open) => withoutMasterchain(parseBatch(masterchain, [open()])))
}

/** The masterchain block is of another time: it is put into that of the shard block, without its own transactions. */
export const withoutMasterchain = (batch: Batch): Batch => {
  const { start_lt, end_lt, gen_utime } = batch.blocks.find(({ id }) => id.workchain === 0)!.info
  return {
    ...batch,
    gen_utime,
    blocks: batch.blocks.map((block) => ({ ...block, info: { ...block.info, start_lt, end_lt, gen_utime } })),
    transactions: batch.transactions.filter(({ account }) => account.workchain === 0),
    accounts: batch.accounts.filter(({ address }) => address.workchain === 0),
  }
}

/** Batches to fill an index with: of mainnet where TONLITH_CHAIN_DATA names a folder, else of our own network. */
export const sampleBatches = (): { name: string; batches: Batch[] } => {
  const folder = process.env['TONLITH_CHAIN_DATA']
  return folder
    ? { name: `mainnet shard blocks of ${FAT} transactions and more`, batches: mainnetBatches(folder) }
    : { name: 'recorded network', batches: [...recordedBatches(recordedChain())] }
}
