import type { RemoteNetwork } from '../../src/devnet/fork/remote-network.ts'
import { type Address, accountPrefix, rawAddress } from '../../src/ton/address.ts'
import { MASTERCHAIN } from '../../src/ton/block-id.ts'
import type { Cell } from '../../src/ton/cell.ts'
import { parseMcStateExtra } from '../../src/ton/tlb/mc-state-extra.ts'
import { shardBlockId, shardOfAccount } from '../../src/ton/tlb/shard-hashes.ts'
import {
  parseShardStateTotals,
  parseShardStateUnsplit,
  shardAccount,
  sharedLib,
} from '../../src/ton/tlb/shard-state.ts'
import { recordedChain } from './recorded-chain.ts'

/** The recorded network at a masterchain block as one that accounts are taken from, without liteservers between. */
export interface RecordedRemote extends RemoteNetwork {
  /** The accounts that were asked for, in raw form. */
  asked: string[]
}

export const recordedRemote = (seqno = recordedChain().last): RecordedRemote => {
  const chain = recordedChain()
  const { state } = chain.masterchain(seqno)!
  const { custom, totals } = parseShardStateUnsplit(state)
  const stateOf = (address: Address): Cell => {
    if (address.workchain === MASTERCHAIN) return state
    const { shard_hashes } = parseMcStateExtra(custom!)
    return chain.block(shardBlockId(shardOfAccount(shard_hashes, address.workchain, accountPrefix(address))!))!.state
  }
  const asked: string[] = []
  return {
    asked,
    account: async (address) => {
      asked.push(rawAddress(address))
      return shardAccount(parseShardStateUnsplit(stateOf(address)).accounts, address.hash)?.account ?? null
    },
    libraries: async (hashes) => {
      const { libraries } = parseShardStateTotals(totals)
      return hashes.flatMap((hash) => sharedLib(libraries, hash)?.lib ?? [])
    },
  }
}

/** Accounts of the recorded network. */
export const RECORDED = {
  /** A wallet whose jetton wallet is next. */
  wallet: '0:7b70732420e06bee531a976d3947ad2364d7d382c78eaa9ab026aa5ff562d589',
  /** Its wallet of a stablecoin, whose code is a library. */
  jettonWallet: '0:4da9d2be51a7cfecea57b405ee7e941d130e2e22cd5c85a7a1f848302c04d64f',
  /** The stablecoin. */
  jetton: '0:80dcafcc3f593d9f28d2b3e9eccd070bce15474e3c6dc879614b839eec438fa0',
  collection: '0:6866865e250041110ad33329c810f9e9f845c81280383f2f83925291454c8e27',
  nobody: `0:${'5b'.repeat(32)}`,
} as const
