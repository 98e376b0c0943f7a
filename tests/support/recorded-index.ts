import type { Chain } from '../../src/devnet/chain.ts'
import { completeBatch, withAccount } from '../../src/indexer/accounts.ts'
import type { Batch } from '../../src/model/batch.ts'
import { knownCells } from '../../src/store/account-cells.ts'
import type { IndexStore } from '../../src/store/index-store.ts'
import { neededCells } from '../../src/store/write-accounts.ts'
import type { Address } from '../../src/ton/address.ts'
import type { Cell } from '../../src/ton/cell.ts'
import { parseShardStateUnsplit, shardAccount } from '../../src/ton/tlb/shard-state.ts'

/** The Account's cell as a recorded masterchain block leaves it. */
const accountCell = (chain: Chain, { blocks }: Batch, { workchain, hash }: Address): Cell => {
  for (const { id } of blocks.toReversed()) {
    const block = id.workchain === workchain ? chain.block(id) : undefined
    const entry = block && shardAccount(parseShardStateUnsplit(block.state).accounts, hash)
    if (entry) return entry.account
  }
  throw new Error('the recording lacks an account')
}

/** A recorded batch with all cells that the index lacks, as fetching them would give. */
export const completedBatch = (index: IndexStore, chain: Chain, batch: Batch): Batch => {
  const { tables, addresses } = index
  const { batch: completed, missing } = completeBatch(batch, knownCells(tables.account_cells), (account) =>
    neededCells(tables, addresses, account),
  )
  return missing.reduce((whole, address) => withAccount(whole, address, accountCell(chain, batch, address)), completed)
}
