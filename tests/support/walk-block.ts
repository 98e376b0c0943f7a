import { type Cell, PRUNED_BRANCH } from '../../src/ton/cell.ts'
import { accountBlocks, transactionsOf } from '../../src/ton/tlb/account-blocks.ts'
import { parseBlock, parseMerkleUpdate } from '../../src/ton/tlb/block.ts'
import { parseBlockExtra } from '../../src/ton/tlb/block-extra.ts'
import { type BlockInfo, parseBlkPrevInfo, parseBlockInfo, prevBlockIds } from '../../src/ton/tlb/block-info.ts'
import { extraCurrencies } from '../../src/ton/tlb/currency.ts'
import { parseBlkMasterInfo } from '../../src/ton/tlb/ext-blk-ref.ts'
import { type InMsg, inMsgEntries, parseInMsg, parseInMsgDescr } from '../../src/ton/tlb/in-msg.ts'
import { parseMcBlockDetails, parseMcBlockExtra, shardFees } from '../../src/ton/tlb/mc-block-extra.ts'
import { parseMessage } from '../../src/ton/tlb/message.ts'
import { accountOf } from '../../src/ton/tlb/msg-address.ts'
import { parseMsgEnvelope } from '../../src/ton/tlb/msg-envelope.ts'
import { type OutMsg, outMsgEntries, parseOutMsgDescr } from '../../src/ton/tlb/out-msg.ts'
import { shardDescrFees, shardEntries } from '../../src/ton/tlb/shard-hashes.ts'
import { parseStateInit } from '../../src/ton/tlb/state-init.ts'
import { outMsgs, parseHashUpdate, parseTransaction } from '../../src/ton/tlb/transaction.ts'
import { parseTransactionDescr } from '../../src/ton/tlb/transaction-descr.ts'
import { parseValueFlow } from '../../src/ton/tlb/value-flow.ts'
import { type Counts, count } from './counts.ts'
import { walkConfig } from './walk-config.ts'
import { walkShardState } from './walk-state.ts'

const walkMessage = (cell: Cell, counts: Counts): void => {
  const { info, init } = parseMessage(cell)
  count(counts, info._)
  if (init) {
    parseStateInit(init)
    count(counts, 'init')
  }
  if (info._ === 'int_msg_info') count(counts, 'message extra currencies', extraCurrencies(info.value.other).length)
  if (info._ !== 'ext_in_msg_info' && !accountOf(info.src)) throw new Error('source without account')
}

/** Reads a transaction to its last field and message. */
export const walkTransaction = (cell: Cell, counts: Counts): void => {
  const transaction = parseTransaction(cell)
  count(counts, 'transactions')
  if (transaction.in_msg) walkMessage(transaction.in_msg, counts)
  let sent = 0
  for (const message of outMsgs(transaction)) {
    walkMessage(message, counts)
    sent++
  }
  if (sent !== transaction.outmsg_cnt) throw new Error('outmsg_cnt is not the number of messages')
  parseHashUpdate(transaction.state_update)
  const descr = parseTransactionDescr(transaction.description)
  count(counts, descr._)
  if (descr._ === 'trans_split_install' || descr._ === 'trans_merge_install')
    parseTransaction(descr.prepare_transaction)
}

const walkEnvelope = (cell: Cell, counts: Counts): void => {
  const envelope = parseMsgEnvelope(cell)
  count(counts, envelope._)
  if (envelope.metadata) count(counts, 'metadata')
  walkMessage(envelope.msg, counts)
}

const walkInMsg = (message: InMsg, counts: Counts): void => {
  count(counts, message._)
  if ('msg' in message) walkMessage(message.msg, counts)
  if ('in_msg' in message) walkEnvelope(message.in_msg, counts)
  if ('out_msg' in message) walkEnvelope(message.out_msg, counts)
  if ('transaction' in message) parseTransaction(message.transaction)
}

const walkOutMsg = (message: OutMsg, counts: Counts): void => {
  count(counts, message._)
  if ('msg' in message) walkMessage(message.msg, counts)
  if ('out_msg' in message) walkEnvelope(message.out_msg, counts)
  if ('transaction' in message) parseTransaction(message.transaction)
  if ('imported' in message) walkInMsg(parseInMsg(message.imported), counts)
  if ('reimport' in message) walkInMsg(parseInMsg(message.reimport), counts)
}

const walkMasterExtra = (cell: Cell, counts: Counts): void => {
  const extra = parseMcBlockExtra(cell)
  for (const { descr } of shardEntries(extra.shard_hashes)) {
    shardDescrFees(descr)
    count(counts, descr._)
    count(counts, descr.split_merge_at._)
  }
  for (const _ of shardFees(extra.shard_fees)) count(counts, 'shard fees')
  const { recover_create_msg, mint_msg } = parseMcBlockDetails(extra.details)
  for (const message of [recover_create_msg, mint_msg]) if (message) walkInMsg(parseInMsg(message), counts)
  if (extra.config) walkConfig(extra.config.config, counts)
}

const walkHeader = (cell: Cell): BlockInfo => {
  const info = parseBlockInfo(cell)
  prevBlockIds(info)
  if (info.master_ref) parseBlkMasterInfo(info.master_ref)
  if (info.prev_vert_ref) parseBlkPrevInfo(info.prev_vert_ref, false)
  return info
}

/** Reads a block to its last leaf and gives its header; every kind of thing that it met is counted. */
export const walkBlock = (root: Cell, counts: Counts): BlockInfo => {
  const block = parseBlock(root)
  const info = walkHeader(block.info)
  count(counts, parseValueFlow(block.value_flow)._)
  const extra = parseBlockExtra(block.extra)
  for (const accounts of accountBlocks(extra.account_blocks)) {
    count(counts, 'account blocks')
    for (const { cell } of transactionsOf(accounts)) walkTransaction(cell, counts)
  }
  parseInMsgDescr(extra.in_msg_descr)
  for (const [, message] of inMsgEntries(extra.in_msg_descr)) walkInMsg(message, counts)
  parseOutMsgDescr(extra.out_msg_descr)
  for (const [, message] of outMsgEntries(extra.out_msg_descr)) walkOutMsg(message, counts)
  if (extra.custom) walkMasterExtra(extra.custom, counts)
  const update = parseMerkleUpdate(block.state_update)
  for (const state of [update.old, update.new]) if (state.type !== PRUNED_BRANCH) walkShardState(state, counts)
  count(counts, 'blocks')
  return info
}
