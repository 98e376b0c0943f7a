import type { Chain, ChainBlock } from '../../src/devnet/chain.ts'
import type { BlockSource, CollatedBlock, ShardCollation } from '../../src/devnet/collate/collation.ts'
import { type BlockIdExt, MASTERCHAIN } from '../../src/ton/block-id.ts'
import type { Cell } from '../../src/ton/cell.ts'
import { blockTransactions } from '../../src/ton/tlb/account-blocks.ts'
import { parseBlock } from '../../src/ton/tlb/block.ts'
import { parseBlockExtra } from '../../src/ton/tlb/block-extra.ts'
import { masterBlockIdOf, parseBlkMasterInfo } from '../../src/ton/tlb/ext-blk-ref.ts'
import { parseMcStateExtra } from '../../src/ton/tlb/mc-state-extra.ts'
import { parseMessageInfo } from '../../src/ton/tlb/message.ts'
import { shardBlockId, shardEntries } from '../../src/ton/tlb/shard-hashes.ts'
import { parseShardStateUnsplit } from '../../src/ton/tlb/shard-state.ts'
import { parseTransaction } from '../../src/ton/tlb/transaction.ts'
import type { Executor } from '../../src/tvm/executor.ts'

/** What a collation looks up. */
export type RecollatedChain = Pick<Chain, 'block' | 'masterchain' | 'zerostate'>

/** A block or zerostate of a chain as a collation takes it. */
export const sourceOf = (chain: RecollatedChain, id: BlockIdExt): BlockSource => {
  const block = chain.block(id)
  if (block) return { id, state: block.state, end_lt: block.info.end_lt }
  const zerostate = chain.zerostate(id.workchain)
  if (!zerostate?.id.root_hash.equals(id.root_hash)) throw new Error('no such block')
  return { id: zerostate.id, state: zerostate.root, end_lt: 0n }
}

/** The external messages that a block ran, in the order of their transactions. */
export const externalsOf = (root: Cell): Cell[] =>
  [...blockTransactions(parseBlockExtra(parseBlock(root).extra).account_blocks)]
    .map(({ cell, lt }) => ({ lt, message: parseTransaction(cell).in_msg }))
    .filter(({ message }) => message && parseMessageInfo(message)._ === 'ext_in_msg_info')
    .sort((a, b) => (a.lt < b.lt ? -1 : 1))
    .map(({ message }) => message!)

/** What the validator had when it made a recorded block of a shard. */
export const recordedCollation = (
  chain: RecollatedChain,
  { root, info, prev, id }: ChainBlock,
  executor: Executor,
): ShardCollation => {
  const master = sourceOf(chain, masterBlockIdOf(parseBlkMasterInfo(info.master_ref!)))
  const { rand_seed, created_by } = parseBlockExtra(parseBlock(root).extra)
  const { shard_hashes } = parseMcStateExtra(parseShardStateUnsplit(master.state).custom!)
  return {
    workchain: id.workchain,
    shard: id.shard,
    prev: prev.map((each) => sourceOf(chain, each)),
    master,
    neighbours: [...shardEntries(shard_hashes)].map((entry) => sourceOf(chain, shardBlockId(entry))),
    now: info.gen_utime,
    rand_seed,
    created_by,
    externals: externalsOf(root),
    imports: [],
    max_transactions: Number.MAX_SAFE_INTEGER,
    executor,
    masterState: (seqno) => chain.masterchain(seqno)?.state ?? chain.zerostate(MASTERCHAIN)!.root,
    before_split: info.before_split,
    choices: { defer_messages_after: 10 },
  }
}

/** Names of the parts of a block that are not as the validator made them. */
export const differences = (made: CollatedBlock, { root, state }: ChainBlock): string[] => {
  const ours = parseBlock(made.root)
  const theirs = parseBlock(root)
  const [a, b] = [parseBlockExtra(ours.extra), parseBlockExtra(theirs.extra)]
  const parts: [string, Cell, Cell][] = [
    ['in_msg_descr', a.in_msg_descr, b.in_msg_descr],
    ['out_msg_descr', a.out_msg_descr, b.out_msg_descr],
    ['account_blocks', a.account_blocks, b.account_blocks],
    ['value_flow', ours.value_flow, theirs.value_flow],
    ['info', ours.info, theirs.info],
    ['extra', ours.extra, theirs.extra],
    ['state', made.state, state],
  ]
  return parts.filter(([, one, other]) => !one.hash().equals(other.hash())).map(([name]) => name)
}
