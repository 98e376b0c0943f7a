import type { ChainBlock } from '../../src/devnet/chain.ts'
import type { ShardTop } from '../../src/devnet/collate/collation.ts'
import type { MasterchainCollation } from '../../src/devnet/collate/masterchain-block.ts'
import { type BlockIdExt, MASTERCHAIN } from '../../src/ton/block-id.ts'
import { parseBlock } from '../../src/ton/tlb/block.ts'
import { parseBlockExtra } from '../../src/ton/tlb/block-extra.ts'
import { addCurrencies, NO_CURRENCY } from '../../src/ton/tlb/currency.ts'
import { parseMcBlockExtra } from '../../src/ton/tlb/mc-block-extra.ts'
import { shardBlockId, shardEntries } from '../../src/ton/tlb/shard-hashes.ts'
import { parseValueFlow } from '../../src/ton/tlb/value-flow.ts'
import type { Executor } from '../../src/tvm/executor.ts'
import { externalsOf, type RecollatedChain, sourceOf } from './recollated.ts'

/** The newest block of each shard that a masterchain block names, as a block; not of a shard that has its zerostate only. */
const namedBlocks = (chain: RecollatedChain, { root }: ChainBlock): ChainBlock[] => {
  const { shard_hashes } = parseMcBlockExtra(parseBlockExtra(parseBlock(root).extra).custom!)
  return [...shardEntries(shard_hashes)]
    .map((entry) => chain.block(shardBlockId(entry)))
    .filter((block) => block !== undefined)
}

/** A block of a shard and those before it that the same masterchain block took in, oldest first. */
const takenWith = (chain: RecollatedChain, top: ChainBlock): ChainBlock[] => {
  const taken = [top]
  for (;;) {
    const before = taken[0]!.prev.map((id: BlockIdExt) => chain.block(id))
    const [only] = before
    if (before.length !== 1 || only?.mc_seqno !== top.mc_seqno || only.id.shard !== top.id.shard) return taken
    taken.unshift(only)
  }
}

/** What the masterchain is told of a shard's newest block. */
const topOf = (chain: RecollatedChain, top: ChainBlock): ShardTop => {
  const taken = takenWith(chain, top).map(({ root }) => parseBlock(root))
  const flows = taken.map(({ value_flow }) => parseValueFlow(value_flow))
  return {
    id: top.id,
    info: top.info,
    fees_collected: flows.map(({ fees_collected }) => fees_collected).reduce(addCurrencies, NO_CURRENCY),
    funds_created: flows.map(({ created }) => created).reduce(addCurrencies, NO_CURRENCY),
    minted: NO_CURRENCY,
    creators: taken.map(({ extra }) => parseBlockExtra(extra).created_by),
  }
}

/** What the validator had when it made a recorded block of the masterchain. */
export const recordedMasterchainCollation = (
  chain: RecollatedChain,
  block: ChainBlock,
  executor: Executor,
): MasterchainCollation => {
  const { root, info, prev, id } = block
  const { rand_seed, created_by } = parseBlockExtra(parseBlock(root).extra)
  const master = sourceOf(chain, prev[0]!)
  const named = namedBlocks(chain, block)
  return {
    prev: [master],
    master,
    neighbours: named.map((each) => sourceOf(chain, each.id)),
    shards: named.filter(({ mc_seqno }) => mc_seqno === id.seqno).map((top) => topOf(chain, top)),
    now: info.gen_utime,
    rand_seed,
    created_by,
    externals: externalsOf(root),
    imports: [],
    max_transactions: Number.MAX_SAFE_INTEGER,
    executor,
    masterState: (seqno) => chain.masterchain(seqno)?.state ?? chain.zerostate(MASTERCHAIN)!.root,
  }
}
