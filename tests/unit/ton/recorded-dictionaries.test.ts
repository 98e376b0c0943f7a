import { expect, test } from 'bun:test'
import { beginCell, sliceToCell } from '../../../src/ton/builder.ts'
import type { Cell } from '../../../src/ton/cell.ts'
import type { Augmentation } from '../../../src/ton/dictionary-node.ts'
import { cutAugDict, mergeAugDicts } from '../../../src/ton/dictionary-split.ts'
import { type AugDictChange, updateAugDict } from '../../../src/ton/dictionary-update.ts'
import { buildAugDict } from '../../../src/ton/dictionary-writer.ts'
import { beginParse } from '../../../src/ton/slice.ts'
import { accountBlocks } from '../../../src/ton/tlb/account-blocks.ts'
import { type AugDict, loadAugDict } from '../../../src/ton/tlb/aug-dict.ts'
import { parseBlock } from '../../../src/ton/tlb/block.ts'
import { parseBlockExtra } from '../../../src/ton/tlb/block-extra.ts'
import { currencyAug } from '../../../src/ton/tlb/currency.ts'
import { importFeesAug, parseInMsgDescr } from '../../../src/ton/tlb/in-msg.ts'
import { parseMcBlockExtra, shardFeeCreatedAug } from '../../../src/ton/tlb/mc-block-extra.ts'
import { keyMaxLtAug, parseMcStateExtra, parseMcStateHistory } from '../../../src/ton/tlb/mc-state-extra.ts'
import { parseOutMsgDescr } from '../../../src/ton/tlb/out-msg.ts'
import { minLtAug, parseOutMsgQueueInfo } from '../../../src/ton/tlb/out-msg-queue.ts'
import {
  type DepthBalanceInfo,
  depthBalanceAug,
  parseShardAccounts,
  parseShardStateUnsplit,
} from '../../../src/ton/tlb/shard-state.ts'
import { type Counts, count, countsText } from '../../support/counts.ts'
import { augItemsOf, rebuiltAugDict, rebuiltDict } from '../../support/rebuilt-dictionary.ts'
import { recordedBlocks } from '../../support/recorded-blocks.ts'
import { recordedChain } from '../../support/recorded-chain.ts'

const counts: Counts = new Map()

const sameDict = <Y>(one: AugDict<Y>, other: AugDict<Y>, aug: Augmentation<Y>): boolean => {
  const [a, b] = [one, other].map(({ root, extra }) => {
    const builder = beginCell().maybeRef(root)
    aug.store(builder, extra)
    return builder.endCell().hash()
  })
  return a!.equals(b!)
}

const expectRebuilt = <Y>(what: string, dict: AugDict<Y>, keyBits: number, aug: Augmentation<Y>): void => {
  const again = rebuiltAugDict(dict, keyBits, aug)
  if (!sameDict(again, dict, aug)) throw new Error(`${what} is built again to other cells`)
  count(counts, what)
}

const rootsOfBlock = (root: Cell): void => {
  const extra = parseBlockExtra(parseBlock(root).extra)
  expectRebuilt('InMsgDescr', parseInMsgDescr(extra.in_msg_descr), 256, importFeesAug)
  expectRebuilt('OutMsgDescr', parseOutMsgDescr(extra.out_msg_descr), 256, currencyAug)
  expectRebuilt('AccountBlocks', loadAugDict(beginParse(extra.account_blocks), currencyAug.load), 256, currencyAug)
  for (const { transactions } of accountBlocks(extra.account_blocks)) {
    const entries = augItemsOf({ root: sliceToCell(transactions), extra: currencyAug.empty }, 64, currencyAug)
    const { root } = buildAugDict(entries, 64, currencyAug)
    const again = beginParse(root!)
    const there = transactions.clone()
    expect(again.bits(again.remainingBits)).toEqual(there.bits(again.position))
  }
  if (extra.custom) expectRebuilt('ShardFees', parseMcBlockExtra(extra.custom).shard_fees, 96, shardFeeCreatedAug)
}

const rootsOfState = (root: Cell): void => {
  const state = parseShardStateUnsplit(root)
  expectRebuilt('ShardAccounts', parseShardAccounts(state.accounts), 256, depthBalanceAug)
  const queue = parseOutMsgQueueInfo(state.out_msg_queue_info)
  expectRebuilt('OutMsgQueue', queue.out_queue, 352, minLtAug)
  expect(rebuiltDict(queue.proc_info, 96)?.hash()).toEqual(queue.proc_info?.hash())
  if (queue.extra) expectRebuilt('DispatchQueue', queue.extra.dispatch_queue, 256, minLtAug)
  if (!state.custom) return
  const extra = parseMcStateExtra(state.custom)
  const history = parseMcStateHistory(extra.history)
  expectRebuilt('OldMcBlocksInfo', history.prev_blocks, 32, keyMaxLtAug)
}

const chain = recordedChain()
const states = (): Cell[] => {
  const all: Cell[] = []
  for (let seqno = 1; seqno <= chain.last; seqno++) all.push(chain.masterchain(seqno)!.state)
  for (const blocks of chain.shards(0).values()) for (const { state } of blocks) all.push(state)
  return all
}

test('dictionaries of every recorded block and state are built again to the same cells', () => {
  for (const root of recordedBlocks()) rootsOfBlock(root)
  const all = states()
  all.forEach((state, i) => {
    if (i % 67 === 0) rootsOfState(state)
  })
  console.log(`built again: ${countsText(counts)}`)
})

test('the accounts of recorded states are the ones before with the changes', () => {
  let changes = 0
  for (const blocks of chain.shards(0).values()) {
    for (let i = 1; i < blocks.length; i += 9) {
      const [before, after] = [blocks[i - 1]!, blocks[i]!].map(({ state }) =>
        parseShardAccounts(parseShardStateUnsplit(state).accounts),
      )
      const next = augItemsOf(after!, 256, depthBalanceAug)
      const kept = new Set(next.map(({ key }) => key.toString('hex')))
      const list: AugDictChange<DepthBalanceInfo>[] = [...next]
      for (const { key } of augItemsOf(before!, 256, depthBalanceAug))
        if (!kept.has(key.toString('hex'))) list.push({ key, store: null })
      changes += list.length
      expect(sameDict(updateAugDict(before!, list, 256, depthBalanceAug), after!, depthBalanceAug)).toBe(true)
    }
  }
  expect(changes).toBeGreaterThan(0)
})

test('the accounts of every shard can be parted and put together again', () => {
  const prefix = Buffer.from([0b01010101, 0])
  for (const blocks of chain.shards(0).values()) {
    const accounts = parseShardAccounts(parseShardStateUnsplit(blocks.at(-1)!.state).accounts)
    const items = augItemsOf(accounts, 256, depthBalanceAug)
    for (let bits = 0; bits < 12; bits++) {
      const within = (key: Buffer): boolean => (key.readUInt16BE(0) ^ prefix.readUInt16BE(0)) >> (16 - bits) === 0
      const inside = items.filter(({ key }) => within(key))
      const outside = items.filter(({ key }) => !within(key))
      const part = cutAugDict(accounts, prefix, bits, 256, depthBalanceAug)
      expect(sameDict(part, buildAugDict(inside, 256, depthBalanceAug), depthBalanceAug)).toBe(true)
      const rest = buildAugDict(outside, 256, depthBalanceAug)
      expect(sameDict(mergeAugDicts(rest, part, 256, depthBalanceAug), accounts, depthBalanceAug)).toBe(true)
    }
  }
})
