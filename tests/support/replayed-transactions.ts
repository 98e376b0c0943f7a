import type { Chain, ChainBlock } from '../../src/devnet/chain.ts'
import type { ExecutionNetwork } from '../../src/devnet/execution-network.ts'
import { executionNetwork } from '../../src/devnet/execution-network.ts'
import type { RecordedChain } from '../../src/devnet/recorded-chain.ts'
import { type BlockIdExt, blockIdText, MASTERCHAIN } from '../../src/ton/block-id.ts'
import { beginCell } from '../../src/ton/builder.ts'
import type { Cell } from '../../src/ton/cell.ts'
import { beginParse } from '../../src/ton/slice.ts'
import { loadShardAccount, type ShardAccount } from '../../src/ton/tlb/account.ts'
import { accountBlocks, transactionsOf } from '../../src/ton/tlb/account-blocks.ts'
import { parseBlock } from '../../src/ton/tlb/block.ts'
import { parseBlockExtra } from '../../src/ton/tlb/block-extra.ts'
import { masterBlockIdOf, parseBlkMasterInfo } from '../../src/ton/tlb/ext-blk-ref.ts'
import { parseShardStateUnsplit, shardAccount } from '../../src/ton/tlb/shard-state.ts'
import { parseTransaction } from '../../src/ton/tlb/transaction.ts'
import { parseTransactionDescr } from '../../src/ton/tlb/transaction-descr.ts'
import type { Executed, ExecutionContext, Executor } from '../../src/tvm/executor.ts'

/** Finds an account's entry in a state; null when there is none. */
export type FindAccount = (id: Buffer) => ShardAccount | null

/** A transaction that came out otherwise than in the block, or an account that the block leaves otherwise. */
export interface Difference {
  block?: string
  account: string
  lt: bigint
  what: string
}

const NO_ACCOUNT = beginCell().bit(false).endCell()

/** TL-B ShardAccount of an entry; that of an account that does not exist for null. */
export const shardAccountCell = (entry: ShardAccount | null): Cell =>
  beginCell()
    .ref(entry?.account ?? NO_ACCOUNT)
    .bytes(entry?.last_trans_hash ?? Buffer.alloc(32))
    .uint(entry?.last_trans_lt ?? 0n, 64)
    .endCell()

const executedAgain = (executor: Executor, account: Cell, transaction: Cell, context: ExecutionContext): Executed => {
  const { in_msg, description } = parseTransaction(transaction)
  if (in_msg) return executor.ordinary(account, in_msg, context)
  const descr = parseTransactionDescr(description)
  if (descr._ !== 'trans_tick_tock') throw new Error(`a transaction of kind ${descr._}`)
  return executor.tickTock(account, descr.is_tock ? 'tock' : 'tick', context)
}

const whatDiffers = (executed: Executed, transaction: Cell): string | undefined => {
  if (!executed.done) return executed.reason
  return executed.transaction.hash().equals(transaction.hash()) ? undefined : 'another transaction'
}

/** An account that was deleted has no entry behind the block. */
const sameEnd = (account: Cell, after: ShardAccount | null): boolean => {
  const made = loadShardAccount(beginParse(account))
  if (!after) return made.account.hash().equals(NO_ACCOUNT.hash())
  return shardAccountCell(after).hash(0).equals(account.hash())
}

/**
 * Makes every transaction of a block anew, account by account, each from what the executor left before it; gives how many
 * there were. `differs` hears of what is not as in the block, and the rest of that account is passed over.
 */
export const replayBlock = (
  executor: Executor,
  {
    block,
    network,
    before,
    after,
  }: { block: Cell; network: ExecutionNetwork; before: FindAccount; after: FindAccount },
  differs: (difference: Difference) => void,
): number => {
  const { account_blocks, rand_seed } = parseBlockExtra(parseBlock(block).extra)
  let count = 0
  for (const each of accountBlocks(account_blocks)) {
    const say = (lt: bigint, what: string): void => differs({ account: each.account_addr.toString('hex'), lt, what })
    let account = shardAccountCell(before(each.account_addr))
    let what: string | undefined
    for (const { cell, lt } of transactionsOf(each)) {
      count++
      if (what) continue
      try {
        const executed = executedAgain(executor, account, cell, {
          ...network,
          now: parseTransaction(cell).now,
          lt,
          rand_seed,
        })
        what = whatDiffers(executed, cell)
        if (executed.done) account = executed.account
      } catch (error) {
        what = String(error)
      }
      if (what) say(lt, what)
    }
    if (!what && !sameEnd(account, after(each.account_addr))) say(-1n, 'another account')
  }
  return count
}

const accountIn =
  (states: readonly Cell[]): FindAccount =>
  (id) => {
    for (const state of states) {
      const found = shardAccount(parseShardStateUnsplit(state).accounts, id)
      if (found) return found
    }
    return null
  }

/** Makes every transaction of a recorded block anew, from the states that its predecessors left. */
const replayRecordedBlock = (
  executor: Executor,
  chain: Chain,
  { id, root, info, prev, state }: ChainBlock,
  differs: (difference: Difference) => void,
): number => {
  const stateOf = (of: BlockIdExt): Cell => chain.block(of)?.state ?? chain.zerostate(of.workchain)!.root
  const master = info.master_ref ? masterBlockIdOf(parseBlkMasterInfo(info.master_ref)) : prev[0]!
  const network = executionNetwork(master, stateOf(master))
  const block = { block: root, network, before: accountIn(prev.map(stateOf)), after: accountIn([state]) }
  return replayBlock(executor, block, (difference) => differs({ ...difference, block: blockIdText(id) }))
}

/** Makes every transaction of a recorded chain anew; gives how many there are. */
export const replayChain = async (
  executor: Executor,
  chain: RecordedChain,
  differs: (difference: Difference) => void,
): Promise<number> => {
  let count = 0
  for (const workchain of [MASTERCHAIN, 0])
    for (const blocks of chain.shards(workchain).values())
      for (const block of blocks) {
        count += replayRecordedBlock(executor, chain, block, differs)
        await executor.ready()
      }
  return count
}
