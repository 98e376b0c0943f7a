import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ChainBlock, Zerostate } from '../../src/devnet/chain.ts'
import type { RecordedChain } from '../../src/devnet/recorded-chain.ts'
import { type ChainStep, openStoredChain, type StoredChain } from '../../src/devnet/stored-chain.ts'
import { MASTERCHAIN } from '../../src/ton/block-id.ts'
import { recordedChain } from './recorded-chain.ts'

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

export interface CopiedChain {
  folder: string
  chain: StoredChain
  remove(): Promise<void>
}

/** The recorded network in a folder of its own, closed after its last step and opened again. */
export const copiedChain = async (): Promise<CopiedChain> => {
  const folder = mkdtempSync(join(tmpdir(), 'tonlith-chain-'))
  const recorded = recordedChain()
  const growing = await openStoredChain(folder, () => recordedZerostates(recorded))
  for (const step of recordedSteps(recorded)) growing.append(step)
  await growing.close()
  const chain = await openStoredChain(folder, () => [])
  const remove = async (): Promise<void> => {
    await chain.close()
    for (const path of [folder, `${folder}.writer`]) rmSync(path, { recursive: true, force: true })
  }
  return { folder, chain, remove }
}
