import type { Cell } from '../../src/ton/cell.ts'
import { normalizedMessageHash } from '../../src/ton/message-hash.ts'
import { beginParse } from '../../src/ton/slice.ts'
import { loadShardAccount, parseAccount } from '../../src/ton/tlb/account.ts'
import { accountBlocks, blockTransactions, transactionAt } from '../../src/ton/tlb/account-blocks.ts'
import { parseBlock, parseMerkleUpdate } from '../../src/ton/tlb/block.ts'
import { parseBlockExtra } from '../../src/ton/tlb/block-extra.ts'
import { parseBlkPrevInfo, parseBlockInfo, prevBlockIds } from '../../src/ton/tlb/block-info.ts'
import { parseBlockLimits } from '../../src/ton/tlb/block-limits.ts'
import { configAddresses } from '../../src/ton/tlb/config-addresses.ts'
import { parseElectionTimes, parseStakeLimits } from '../../src/ton/tlb/config-elections.ts'
import { configParams, loadConfigParams } from '../../src/ton/tlb/config-params.ts'
import { extraCurrencies, loadCurrencyCollection, parseToMint } from '../../src/ton/tlb/currency.ts'
import { loadBlockIdExt, parseBlkMasterInfo } from '../../src/ton/tlb/ext-blk-ref.ts'
import { parseGasLimitsPrices } from '../../src/ton/tlb/gas-limits-prices.ts'
import { parseGlobalVersion } from '../../src/ton/tlb/global-version.ts'
import { inMsgEntries, parseInMsg, parseInMsgDescr } from '../../src/ton/tlb/in-msg.ts'
import { parseMcBlockDetails, parseMcBlockExtra, shardFees } from '../../src/ton/tlb/mc-block-extra.ts'
import { creatorStats, oldMcBlocks, parseMcStateExtra, parseMcStateHistory } from '../../src/ton/tlb/mc-state-extra.ts'
import { parseMessage } from '../../src/ton/tlb/message.ts'
import { accountOf, loadMsgAddress } from '../../src/ton/tlb/msg-address.ts'
import { parseMsgEnvelope } from '../../src/ton/tlb/msg-envelope.ts'
import { parseMsgForwardPrices } from '../../src/ton/tlb/msg-forward-prices.ts'
import { loadOutMsg, outMsgEntries, parseOutMsgDescr } from '../../src/ton/tlb/out-msg.ts'
import {
  dispatchedMessages,
  dispatchQueues,
  outMsgQueue,
  parseOutMsgQueueInfo,
  processedInfo,
} from '../../src/ton/tlb/out-msg-queue.ts'
import { exactShard, shardDescrFees, shardEntries, shardOfAccount } from '../../src/ton/tlb/shard-hashes.ts'
import {
  parseShardAccounts,
  parseShardState,
  parseShardStateTotals,
  shardAccounts,
  sharedLibs,
} from '../../src/ton/tlb/shard-state.ts'
import { parseStateInit } from '../../src/ton/tlb/state-init.ts'
import { parseStoragePrices } from '../../src/ton/tlb/storage-prices.ts'
import { outMsgs, parseHashUpdate, parseTransaction } from '../../src/ton/tlb/transaction.ts'
import { parseTransactionDescr } from '../../src/ton/tlb/transaction-descr.ts'
import { parseValueFlow } from '../../src/ton/tlb/value-flow.ts'
import { workchains } from '../../src/ton/tlb/workchain-descr.ts'

/** Entries of a hostile dictionary that are looked at. */
const ENOUGH = 200

/** Runs through a list that may be endless for all we know. */
const drain = <T>(list: Iterable<T>, use: (item: T) => unknown = () => undefined): void => {
  let n = 0
  for (const item of list) {
    use(item)
    if (++n >= ENOUGH) return
  }
}

const lt = (cell: Cell) => ({ root: cell, extra: 0n })

/** Every reader of TL-B cells by name, each down to what it leaves closed. */
export const PARSERS: Record<string, (cell: Cell) => unknown> = {
  Account: parseAccount,
  ShardAccount: (cell) => loadShardAccount(beginParse(cell)),
  AccountBlocks: (cell) => drain(accountBlocks(cell)),
  BlockTransactions: (cell) => drain(blockTransactions(cell, { reverse: true })),
  TransactionAt: (cell) => transactionAt(cell, Buffer.alloc(32, 0x55), 1_000_000n),
  Block: parseBlock,
  MerkleUpdate: parseMerkleUpdate,
  BlockExtra: parseBlockExtra,
  BlockInfo: (cell) => prevBlockIds(parseBlockInfo(cell)),
  BlkPrevInfo: (cell) => [parseBlkPrevInfo(cell, false), parseBlkPrevInfo(cell, true)],
  BlkMasterInfo: parseBlkMasterInfo,
  BlockIdExt: (cell) => loadBlockIdExt(beginParse(cell)),
  BlockLimits: parseBlockLimits,
  ConfigAddresses: configAddresses,
  ElectionTimes: parseElectionTimes,
  StakeLimits: parseStakeLimits,
  ConfigParams: (cell) => loadConfigParams(beginParse(cell)),
  ConfigDictionary: (cell) => drain(configParams(cell)),
  CurrencyCollection: (cell) => extraCurrencies(loadCurrencyCollection(beginParse(cell)).other),
  ToMint: parseToMint,
  GasLimitsPrices: parseGasLimitsPrices,
  GlobalVersion: parseGlobalVersion,
  InMsg: parseInMsg,
  InMsgDescr: (cell) => [parseInMsgDescr(cell), drain(inMsgEntries(cell))],
  McBlockExtra: (cell) => {
    const extra = parseMcBlockExtra(cell)
    drain(shardEntries(extra.shard_hashes), ({ descr }) => shardDescrFees(descr))
    drain(shardFees(extra.shard_fees))
    if (extra.config) drain(configParams(extra.config.config))
  },
  McBlockDetails: parseMcBlockDetails,
  ShardHashes: (cell) => [shardOfAccount(cell, 0, 0x5555n << 48n), exactShard(cell, 0, 1n << 60n)],
  McStateExtra: (cell) => drain(shardEntries(parseMcStateExtra(cell).shard_hashes)),
  McStateHistory: (cell) => {
    const history = parseMcStateHistory(cell)
    drain(oldMcBlocks(history.prev_blocks, { reverse: true }))
    if (history.block_create_stats) drain(creatorStats(history.block_create_stats))
  },
  Message: parseMessage,
  MessageHash: normalizedMessageHash,
  MsgAddress: (cell) => accountOf(loadMsgAddress(beginParse(cell))),
  MsgEnvelope: parseMsgEnvelope,
  MsgForwardPrices: parseMsgForwardPrices,
  OutMsg: (cell) => loadOutMsg(beginParse(cell)),
  OutMsgDescr: (cell) => [parseOutMsgDescr(cell), drain(outMsgEntries(cell))],
  OutMsgQueueInfo: (cell) => {
    const { out_queue, proc_info, extra } = parseOutMsgQueueInfo(cell)
    drain(outMsgQueue(out_queue))
    drain(processedInfo(proc_info))
    if (extra) drain(dispatchQueues(extra.dispatch_queue), ([, queue]) => drain(dispatchedMessages(queue)))
  },
  DispatchQueue: (cell) => drain(dispatchQueues(lt(cell)), ([, queue]) => drain(dispatchedMessages(queue))),
  ShardState: parseShardState,
  ShardStateTotals: (cell) => drain(sharedLibs(parseShardStateTotals(cell).libraries)),
  ShardAccounts: (cell) => [parseShardAccounts(cell), drain(shardAccounts(cell))],
  StateInit: parseStateInit,
  StoragePrices: parseStoragePrices,
  Transaction: (cell) => drain(outMsgs(parseTransaction(cell))),
  HashUpdate: parseHashUpdate,
  TransactionDescr: parseTransactionDescr,
  ValueFlow: parseValueFlow,
  Workchains: (cell) => drain(workchains(cell)),
}
