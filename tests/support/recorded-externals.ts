import type { ChainBlock } from '../../src/devnet/chain.ts'
import type { Address } from '../../src/ton/address.ts'
import { MASTERCHAIN } from '../../src/ton/block-id.ts'
import type { Cell } from '../../src/ton/cell.ts'
import { parseAccount, type ShardAccount } from '../../src/ton/tlb/account.ts'
import { accountBlocks, transactionsOf } from '../../src/ton/tlb/account-blocks.ts'
import { parseBlock } from '../../src/ton/tlb/block.ts'
import { parseBlockExtra } from '../../src/ton/tlb/block-extra.ts'
import { parseMcStateExtra } from '../../src/ton/tlb/mc-state-extra.ts'
import { parseMessageInfo } from '../../src/ton/tlb/message.ts'
import { parseShardStateUnsplit, shardAccount } from '../../src/ton/tlb/shard-state.ts'
import { parseTransaction } from '../../src/ton/tlb/transaction.ts'
import { parseTransactionDescr } from '../../src/ton/tlb/transaction-descr.ts'
import { recordedChain } from './recorded-chain.ts'

/** An external message that the recorded network executed on an account as the block before left it. */
export interface RecordedExternal {
  address: Address
  /** The account's entry in the state before. */
  entry: ShardAccount
  message: Cell
  transaction: Cell
  /** The block with the transaction, and the one before it. */
  block: ChainBlock
  before: ChainBlock
}

/** Root of the configuration's dictionary after a masterchain block. */
export const recordedConfig = (seqno: number): Cell => {
  const { custom } = parseShardStateUnsplit(recordedChain().masterchain(seqno)!.state)
  return parseMcStateExtra(custom!).config.config
}

function* externalsIn(block: ChainBlock, before: ChainBlock): Generator<RecordedExternal> {
  const { account_blocks } = parseBlockExtra(parseBlock(block.root).extra)
  const { accounts } = parseShardStateUnsplit(before.state)
  for (const each of accountBlocks(account_blocks)) {
    const [first] = transactionsOf(each)
    const { in_msg, account_addr } = parseTransaction(first!.cell)
    const entry = shardAccount(accounts, account_addr)
    if (!in_msg || !entry || parseMessageInfo(in_msg)._ !== 'ext_in_msg_info') continue
    const address = { workchain: block.id.workchain, hash: account_addr }
    yield { address, entry, message: in_msg, transaction: first!.cell, block, before }
  }
}

/** Every external message of the recorded network that is the first thing which its account did in its block. */
export function* recordedExternals(): Generator<RecordedExternal> {
  const chain = recordedChain()
  for (const workchain of [0, MASTERCHAIN])
    for (const [, blocks] of chain.shards(workchain))
      for (const block of blocks) {
        const before = block.prev.length === 1 && block.prev[0]!.shard === block.id.shard && chain.block(block.prev[0]!)
        if (before) yield* externalsIn(block, before)
      }
}

/**
 * True when a message was skipped that should have carried more of an extra currency than there was: the emulator of
 * @ton/sandbox breaks at that.
 */
export const lacksCurrency = ({ entry, transaction }: RecordedExternal): boolean => {
  const account = parseAccount(entry.account)
  const descr = parseTransactionDescr(parseTransaction(transaction).description)
  if (account._ !== 'account' || descr._ !== 'trans_ord') return false
  return account.storage.balance.other !== null && (descr.action?.skipped_actions ?? 0) > 0
}
