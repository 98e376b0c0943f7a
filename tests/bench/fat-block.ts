import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type OpenedBlock, openBlock } from '../../src/indexer/opened-block.ts'
import { readAccountState } from '../../src/indexer/parse-accounts.ts'
import type { BatchAccount } from '../../src/model/batch.ts'
import { tryParseAddress } from '../../src/ton/address.ts'
import type { BlockIdExt } from '../../src/ton/block-id.ts'
import { parseBocRoot } from '../../src/ton/boc.ts'
import type { Cell } from '../../src/ton/cell.ts'
import { dictLookup } from '../../src/ton/dictionary.ts'
import { beginParse } from '../../src/ton/slice.ts'
import { loadShardAccount } from '../../src/ton/tlb/account.ts'

interface FatBlockFile {
  block: { workchain: number; shard: string; seqno: number; root_hash: string }
  block_boc_base64: string
  previous_accounts: { account: string; shard_account_boc_base64: string }[]
  config: { config_root_boc_base64: string; libraries_boc_base64: string[] }
}

const fromBase64 = (text: string): Cell => parseBocRoot(Buffer.from(text, 'base64'))

/** A full block of mainnet with all that surrounds it, of the folder that TONLITH_CHAIN_DATA names. */
export const readFatBlock = (folder: string) => {
  const path = join(folder, 'bench', 'fat_block_66519406.json')
  const { block, block_boc_base64, previous_accounts, config }: FatBlockFile = JSON.parse(readFileSync(path, 'utf8'))
  const bytes = Buffer.from(block_boc_base64, 'base64')
  const id: BlockIdExt = {
    workchain: block.workchain,
    shard: BigInt.asIntN(64, BigInt(`0x${block.shard}`)),
    seqno: block.seqno,
    root_hash: Buffer.from(block.root_hash, 'hex'),
    file_hash: hash('sha256', bytes, 'buffer'),
  }
  const roots = config.libraries_boc_base64.map(fromBase64)
  return {
    open: (): OpenedBlock => openBlock(id, bytes),
    /** Its accounts as they were before it. */
    before: previous_accounts.flatMap(({ account, shard_account_boc_base64 }): BatchAccount[] | BatchAccount => {
      const entry = loadShardAccount(beginParse(fromBase64(shard_account_boc_base64)))
      const last = { lt: entry.last_trans_lt, hash: entry.last_trans_hash }
      return readAccountState(tryParseAddress(account)!, entry.account, last) ?? []
    }),
    config: fromBase64(config.config_root_boc_base64),
    libraries: async (hashes: readonly Buffer[]): Promise<Cell[]> =>
      hashes.flatMap(
        (hash) =>
          roots
            .map((root) => dictLookup(root, 256, hash))
            .find((value) => value)
            ?.ref() ?? [],
      ),
  }
}
