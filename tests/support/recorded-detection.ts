import type { RecordedChain } from '../../src/devnet/recorded-chain.ts'
import type { FetchAccount } from '../../src/indexer/account-source.ts'
import { createDetector, type Detector } from '../../src/indexer/detect.ts'
import { noDetectionCounts } from '../../src/indexer/detection-counts.ts'
import { createConfigSource, type DetectionSource } from '../../src/indexer/detection-source.ts'
import { type OpenedBlock, openBlock } from '../../src/indexer/opened-block.ts'
import { readAccountState } from '../../src/indexer/parse-accounts.ts'
import { batchTransfers } from '../../src/indexer/transfers.ts'
import type { Batch } from '../../src/model/batch.ts'
import type { IndexStore } from '../../src/store/index-store.ts'
import { neededCells } from '../../src/store/write-accounts.ts'
import type { Address } from '../../src/ton/address.ts'
import { type BlockIdExt, MASTERCHAIN } from '../../src/ton/block-id.ts'
import type { Cell } from '../../src/ton/cell.ts'
import { parseMcStateExtra } from '../../src/ton/tlb/mc-state-extra.ts'
import {
  parseShardStateTotals,
  parseShardStateUnsplit,
  shardAccount,
  sharedLib,
} from '../../src/ton/tlb/shard-state.ts'
import { createLocalTvm } from '../../src/tvm/local.ts'

/** What a detector asks the network for, out of a recorded one. */
export const recordedDetectionSource = (chain: RecordedChain): DetectionSource & { fetchAccount: FetchAccount } => {
  const open = (id: BlockIdExt): OpenedBlock => openBlock(id, chain.block(id)!.data)
  const masterchainState = (seqno: number): Cell =>
    seqno === 0 ? chain.zerostate(MASTERCHAIN)!.root : chain.masterchain(seqno)!.state
  const config = createConfigSource({
    source: {
      masterchainId: async (seqno) => chain.masterchain(seqno)!.id,
      block: async (id) => ({ ...open(id), bytes: 0 }),
    },
    first: async () => parseMcStateExtra(parseShardStateUnsplit(masterchainState(0)).custom!).config.config,
    signal: new AbortController().signal,
  })
  const { libraries } = parseShardStateTotals(parseShardStateUnsplit(masterchainState(chain.last)).totals)
  const stateOf = ({ workchain, hash }: Address, seqno: number) => {
    const blocks = [...chain.shards(workchain).values()].flat().filter((block) => block.mc_seqno <= seqno)
    for (const { state } of blocks.sort((a, b) => b.id.seqno - a.id.seqno)) {
      const entry = shardAccount(parseShardStateUnsplit(state).accounts, hash)
      if (entry) return entry
    }
    const zerostate = chain.zerostate(workchain)
    return zerostate && shardAccount(parseShardStateUnsplit(zerostate.root).accounts, hash)
  }
  return {
    fetchAccount: async (address, { seqno }) => stateOf(address, seqno)?.account ?? null,
    config,
    libraries: async (hashes) =>
      hashes.flatMap((hash) => {
        const found = sharedLib(libraries, hash)
        return found ? [found.lib] : []
      }),
    account: async (address, { seqno }) => {
      const entry = stateOf(address, seqno)
      const account =
        entry && readAccountState(address, entry.account, { lt: entry.last_trans_lt, hash: entry.last_trans_hash })
      return account ? { account, atBlock: true } : undefined
    },
  }
}

/** A detector of a recorded network, with the TVM in this thread. */
export const recordedDetector = (
  chain: RecordedChain,
  source: DetectionSource = recordedDetectionSource(chain),
): Detector => createDetector({ tvm: createLocalTvm(), source, counts: noDetectionCounts() })

/** Finds out what the accounts of complete recorded batches are that follow each other, and which transfers they hold. */
export const recordedDetection = (chain: RecordedChain): ((store: IndexStore, batch: Batch) => Promise<Batch>) => {
  const source = recordedDetectionSource(chain)
  const detector = recordedDetector(chain, source)
  return async (store, batch) => {
    const { tables, addresses } = store
    store.environment.renew()
    const config = await source.config(openBlock(batch.mc, chain.block(batch.mc)!.data))
    const detected = await detector.detect(
      store,
      batch,
      config,
      (account) => neededCells(tables, addresses, account)?.data === true,
    )
    return { ...detected, transfers: batchTransfers(store, detected) }
  }
}
