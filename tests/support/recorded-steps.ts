import type { ChainBlock, Zerostate } from '../../src/devnet/chain.ts'
import type { RecordedChain } from '../../src/devnet/recorded-chain.ts'
import type { ChainStep } from '../../src/devnet/stored-chain.ts'
import { MASTERCHAIN } from '../../src/ton/block-id.ts'

/** The zerostates of a recorded network. */
export const recordedZerostates = (chain: RecordedChain): Zerostate[] => [
  chain.zerostate(MASTERCHAIN)!,
  chain.zerostate(0)!,
]

/** A recorded network as a producer would have made it, one masterchain block at a time. */
export function* recordedSteps(chain: RecordedChain): Generator<ChainStep> {
  const bySeqno = Map.groupBy([...chain.shards(0).values()].flat(), ({ mc_seqno }) => mc_seqno)
  for (let seqno = 1; seqno <= chain.last; seqno++)
    yield {
      shardBlocks: inOrder(bySeqno.get(seqno) ?? []),
      masterchainBlock: chain.masterchain(seqno)!,
      signatures: chain.signatures(seqno),
    }
}

/** Predecessors have lower seqnos. */
const inOrder = (blocks: readonly ChainBlock[]): ChainBlock[] => blocks.toSorted((a, b) => a.id.seqno - b.id.seqno)
