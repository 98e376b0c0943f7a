import { expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { folderReader, readRecording } from '../../src/devnet/archive.ts'
import { buildChain } from '../../src/devnet/recorded-chain.ts'
import type { BlockIdExt } from '../../src/ton/block-id.ts'
import { parseBocRoot } from '../../src/ton/boc.ts'
import { beginCell } from '../../src/ton/builder.ts'
import type { Cell } from '../../src/ton/cell.ts'
import type { PrevBlocks } from '../../src/ton/prev-blocks.ts'
import { beginParse } from '../../src/ton/slice.ts'
import { parseStack, type StackValue } from '../../src/ton/stack.ts'
import { loadShardAccount } from '../../src/ton/tlb/account.ts'
import { parseBlock, parseMerkleUpdate } from '../../src/ton/tlb/block.ts'
import { parseShardStateUnsplit, shardAccount } from '../../src/ton/tlb/shard-state.ts'
import { tvmConfig } from '../../src/tvm/config.ts'
import { createExecutor } from '../../src/tvm/executor.ts'
import { type Difference, replayBlock, replayChain } from '../support/replayed-transactions.ts'

/** Transactions that validators made, made anew from the states that they had before. */

const data = process.env['TONLITH_CHAIN_DATA']
const SPLIT_CHAIN = 'chain-split.tar.xz'

interface FatBlock {
  transactions: number
  block_boc_base64: string
  previous_accounts: { account: string; shard_account_boc_base64: string }[]
  config: {
    config_root_boc_base64: string
    prev_blocks_stack_boc_base64: string
    libraries_boc_base64: [string]
  }
}

const fromBase64 = (text: string): Cell => parseBocRoot(Buffer.from(text, 'base64'))

const listOf = (value: StackValue | undefined): readonly StackValue[] => {
  if (value?._ !== 'vm_stk_tuple') throw new Error('not a tuple')
  return value.data
}

const numberOf = (value: StackValue | undefined): bigint => {
  if (value?._ !== 'vm_stk_int') throw new Error('not a number')
  return value.value
}

const hashOf = (value: StackValue | undefined): Buffer =>
  Buffer.from(numberOf(value).toString(16).padStart(64, '0'), 'hex')

const blockOf = (value: StackValue | undefined): BlockIdExt => {
  const [workchain, shard, seqno, root_hash, file_hash] = listOf(value)
  return {
    workchain: Number(numberOf(workchain)),
    shard: BigInt.asIntN(64, numberOf(shard)),
    seqno: Number(numberOf(seqno)),
    root_hash: hashOf(root_hash),
    file_hash: hashOf(file_hash),
  }
}

const prevBlocksOf = (value: Cell): PrevBlocks => {
  const stack = beginCell().uint(1, 24).ref(beginCell().endCell()).slice(beginParse(value)).endCell()
  const [blocks, key, hundredths] = listOf(parseStack(stack)[0])
  return {
    last_mc_blocks: listOf(blocks).map(blockOf),
    prev_key_block: blockOf(key),
    last_mc_blocks_100: listOf(hundredths).map(blockOf),
  }
}

/** The masterchain state is not part of the file, so the network is put together from what is. */
const networkOf = ({ config }: FatBlock) => {
  const prevBlocks = prevBlocksOf(fromBase64(config.prev_blocks_stack_boc_base64))
  return {
    config: tvmConfig(fromBase64(config.config_root_boc_base64)),
    libraries: fromBase64(config.libraries_boc_base64[0]),
    prevBlocks: () => prevBlocks,
  }
}

const replayFatBlock = async (fat: FatBlock): Promise<{ count: number; differences: Difference[] }> => {
  const accounts = new Map(
    fat.previous_accounts.map(({ account, shard_account_boc_base64 }) => {
      const entry = loadShardAccount(beginParse(fromBase64(shard_account_boc_base64)))
      return [account.slice(account.indexOf(':') + 1), entry]
    }),
  )
  const block = fromBase64(fat.block_boc_base64)
  const { new: state } = parseMerkleUpdate(parseBlock(block).state_update)
  const differences: Difference[] = []
  const replayed = {
    block,
    network: networkOf(fat),
    before: (id: Buffer) => accounts.get(id.toString('hex')) ?? null,
    after: (id: Buffer) => shardAccount(parseShardStateUnsplit(state).accounts, id),
  }
  const count = replayBlock(await createExecutor(), replayed, (difference) => differences.push(difference))
  return { count, differences }
}

test('the transactions of fat mainnet blocks come out the same', async () => {
  if (!data) return console.log('no TONLITH_CHAIN_DATA: no mainnet blocks are replayed')
  const files = readdirSync(join(data, 'bench')).filter((name) => name.startsWith('fat_block_'))
  expect(files.length).toBeGreaterThan(0)
  for (const name of files) {
    const fat = JSON.parse(readFileSync(join(data, 'bench', name), 'utf8')) as FatBlock
    expect(await replayFatBlock(fat)).toEqual({ count: fat.transactions, differences: [] })
  }
}, 180_000)

test('the transactions of a chain that splits and merges come out the same', async () => {
  if (!data) return console.log('no TONLITH_CHAIN_DATA: no chain that splits is replayed')
  const folder = mkdtempSync(join(tmpdir(), 'tonlith-split-'))
  try {
    const archive = join(data, '..', SPLIT_CHAIN)
    const { exitCode } = Bun.spawnSync(['tar', 'xJf', archive, '--strip-components=1', '-C', folder])
    expect(exitCode).toBe(0)
    const chain = buildChain(readRecording(folderReader(folder)))
    const differences: Difference[] = []
    const count = await replayChain(await createExecutor(), chain, (difference) => differences.push(difference))
    expect(differences).toEqual([])
    const listed = readFileSync(join(folder, 'transactions.jsonl'), 'utf8').trimEnd().split('\n')
    expect(count).toBe(listed.length)
  } finally {
    rmSync(folder, { recursive: true })
  }
}, 300_000)
