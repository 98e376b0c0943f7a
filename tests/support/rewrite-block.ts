import { type Builder, sliceToCell } from '../../src/ton/builder.ts'
import type { Cell } from '../../src/ton/cell.ts'
import type { Augmentation } from '../../src/ton/dictionary-node.ts'
import { beginParse, type Slice } from '../../src/ton/slice.ts'
import { loadAccountBlock, storeAccountBlock } from '../../src/ton/tlb/account-blocks.ts'
import { buildAugDictCell, loadAugDict } from '../../src/ton/tlb/aug-dict.ts'
import { buildBlock, parseBlock } from '../../src/ton/tlb/block.ts'
import { buildBlockExtra, parseBlockExtra } from '../../src/ton/tlb/block-extra.ts'
import { buildBlkPrevInfo, buildBlockInfo, parseBlkPrevInfo, parseBlockInfo } from '../../src/ton/tlb/block-info.ts'
import { currencyAug } from '../../src/ton/tlb/currency.ts'
import { buildBlkMasterInfo, parseBlkMasterInfo } from '../../src/ton/tlb/ext-blk-ref.ts'
import { importFeesAug, loadInMsg, storeInMsg } from '../../src/ton/tlb/in-msg.ts'
import {
  buildMcBlockDetails,
  buildMcBlockExtra,
  buildShardFees,
  parseMcBlockDetails,
  parseMcBlockExtra,
  shardFees,
} from '../../src/ton/tlb/mc-block-extra.ts'
import { loadOutMsg, storeOutMsg } from '../../src/ton/tlb/out-msg.ts'
import {
  buildShardDescrFees,
  buildShardHashes,
  type ShardEntry,
  shardDescrFees,
  shardEntries,
} from '../../src/ton/tlb/shard-hashes.ts'
import { buildHashUpdate, parseHashUpdate } from '../../src/ton/tlb/transaction.ts'
import { buildValueFlow, parseValueFlow } from '../../src/ton/tlb/value-flow.ts'
import { type Rewrite, rebuiltAugDict } from './rebuilt-dictionary.ts'
import { rewriteInMsg, rewrittenInMsg, rewrittenOutMsg } from './rewrite-message.ts'

const rewriteAug = <Y>(cell: Cell, keyBits: number, aug: Augmentation<Y>, rewrite: Rewrite): Cell =>
  buildAugDictCell(rebuiltAugDict(loadAugDict(beginParse(cell), aug.load), keyBits, aug, rewrite), aug)

const rewriteInfo = (cell: Cell): Cell => {
  const info = parseBlockInfo(cell)
  return buildBlockInfo({
    ...info,
    master_ref: info.master_ref && buildBlkMasterInfo(parseBlkMasterInfo(info.master_ref)),
    prev_ref: buildBlkPrevInfo(parseBlkPrevInfo(info.prev_ref, info.after_merge)),
    prev_vert_ref: info.prev_vert_ref && buildBlkPrevInfo(parseBlkPrevInfo(info.prev_vert_ref, false)),
  })
}

const rewriteAccountBlock = (value: Slice) => {
  const block = loadAccountBlock(value)
  const transactions = { root: sliceToCell(block.transactions), extra: currencyAug.empty }
  const { root } = rebuiltAugDict(transactions, 64, currencyAug, (transaction) => {
    const cell = transaction.ref()
    return (builder) => builder.ref(cell)
  })
  const state_update = buildHashUpdate(parseHashUpdate(block.state_update))
  return (builder: Builder) =>
    storeAccountBlock(builder, { account_addr: block.account_addr, transactions: root!, state_update })
}

const rewrittenEntry = (entry: ShardEntry): ShardEntry => {
  if (entry.descr._ === 'shard_descr') return entry
  return { ...entry, descr: { ...entry.descr, fees: buildShardDescrFees(shardDescrFees(entry.descr)) } }
}

/** ShardHashes, written again from its entries. */
export const rewriteShardHashes = (root: Cell | null): Cell | null =>
  buildShardHashes(Array.from(shardEntries(root), rewrittenEntry).toReversed())

const rewriteMcExtra = (cell: Cell): Cell => {
  const extra = parseMcBlockExtra(cell)
  const details = parseMcBlockDetails(extra.details)
  return buildMcBlockExtra({
    ...extra,
    shard_hashes: rewriteShardHashes(extra.shard_hashes),
    shard_fees: buildShardFees([...shardFees(extra.shard_fees)].toReversed()),
    details: buildMcBlockDetails({
      ...details,
      recover_create_msg: details.recover_create_msg && rewriteInMsg(details.recover_create_msg),
      mint_msg: details.mint_msg && rewriteInMsg(details.mint_msg),
    }),
  })
}

const rewriteExtra = (cell: Cell): Cell => {
  const extra = parseBlockExtra(cell)
  return buildBlockExtra({
    ...extra,
    in_msg_descr: rewriteAug(extra.in_msg_descr, 256, importFeesAug, (value) => {
      const message = rewrittenInMsg(loadInMsg(value))
      return (builder) => storeInMsg(builder, message)
    }),
    out_msg_descr: rewriteAug(extra.out_msg_descr, 256, currencyAug, (value) => {
      const message = rewrittenOutMsg(loadOutMsg(value))
      return (builder) => storeOutMsg(builder, message)
    }),
    account_blocks: rewriteAug(extra.account_blocks, 256, currencyAug, rewriteAccountBlock),
    custom: extra.custom && rewriteMcExtra(extra.custom),
  })
}

/** All that was read of a block, written again; its transactions and its Merkle update are taken as they are. */
export const rewriteBlock = (cell: Cell): Cell => {
  const block = parseBlock(cell)
  return buildBlock({
    ...block,
    info: rewriteInfo(block.info),
    value_flow: buildValueFlow(parseValueFlow(block.value_flow)),
    extra: rewriteExtra(block.extra),
  })
}
