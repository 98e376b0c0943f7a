import { type BlockIdExt, MASTERCHAIN, sameBlock } from '../../../src/ton/block-id.ts'
import type { Cell } from '../../../src/ton/cell.ts'
import { parseBlkPrevInfo } from '../../../src/ton/tlb/block-info.ts'
import { addCurrencies, type CurrencyCollection, NO_CURRENCY } from '../../../src/ton/tlb/currency.ts'
import { masterBlockIdOf } from '../../../src/ton/tlb/ext-blk-ref.ts'
import { parseInMsg } from '../../../src/ton/tlb/in-msg.ts'
import {
  parseMcBlockDetails,
  parseMcBlockExtra,
  type ShardFeeCreated,
  shardFeeCreatedAug,
} from '../../../src/ton/tlb/mc-block-extra.ts'
import {
  type KeyMaxLt,
  keyMaxLtAug,
  loadKeyExtBlkRef,
  oldMcBlock,
  parseMcStateExtra,
  parseMcStateHistory,
} from '../../../src/ton/tlb/mc-state-extra.ts'
import { parseMsgEnvelope } from '../../../src/ton/tlb/msg-envelope.ts'
import { type ShardEntry, shardBlockId, shardEntries } from '../../../src/ton/tlb/shard-hashes.ts'
import { checkAugDict } from './augmented.ts'
import type { ReadBlock } from './checked-block.ts'
import type { ReadState } from './checked-state.ts'
import { amountText, type Need, sameAmount } from './fault.ts'

/** Hashes of the messages that the masterchain makes by itself: what is recovered for the elector, what is minted. */
export const specialMessages = ({ extra }: ReadBlock): Set<string> => {
  const found = new Set<string>()
  if (!extra.custom) return found
  const { recover_create_msg, mint_msg } = parseMcBlockDetails(parseMcBlockExtra(extra.custom).details)
  for (const cell of [recover_create_msg, mint_msg]) {
    const message = cell && parseInMsg(cell)
    if (message && 'in_msg' in message) found.add(parseMsgEnvelope(message.in_msg).msg.hash().toString('hex'))
  }
  return found
}

/** The shards that a masterchain block names. */
export const shardsOf = ({ extra }: ReadBlock): ShardEntry[] => [
  ...shardEntries(parseMcBlockExtra(extra.custom!).shard_hashes),
]

/** An entry of ShardHashes is what the header and the value flow of its block say. */
const checkEntry = (entry: ShardEntry, { info, id }: ReadBlock, need: Need): void => {
  const { descr } = entry
  const name = `entry of shard block ${id.seqno}`
  need(descr.start_lt === info.start_lt && descr.end_lt === info.end_lt, `${name}: other logical times`)
  need(descr.gen_utime === info.gen_utime, `${name}: another time`)
  need(descr.before_split === info.before_split, `${name}: another before_split`)
  need(descr.want_split === info.want_split && descr.want_merge === info.want_merge, `${name}: other wishes`)
  need(descr.min_ref_mc_seqno === info.min_ref_mc_seqno, `${name}: another min_ref_mc_seqno`)
}

const sumOf = (blocks: readonly ReadBlock[]): ShardFeeCreated =>
  blocks.reduce<ShardFeeCreated>(
    ({ fees, create }, { flow }) => ({
      fees: addCurrencies(fees, flow.fees_collected),
      create: addCurrencies(create, flow.created),
    }),
    { fees: NO_CURRENCY, create: NO_CURRENCY },
  )

/** Subtrees of old blocks that were found right. */
const RIGHT_HISTORY = new WeakMap<Cell, KeyMaxLt>()

const configOf = (state: ReadState) => parseMcStateExtra(state.state.custom!).config

/**
 * What a masterchain block says of the shards, of the masterchain's history and of the configuration.
 * @param committed the shard blocks that it brings, each behind its predecessors
 */
export const checkMasterchain = (
  block: ReadBlock,
  committed: readonly ReadBlock[],
  before: ReadState,
  after: ReadState,
  previous: { id: BlockIdExt; end_lt: bigint; key: boolean },
  need: Need,
): void => {
  const extra = parseMcBlockExtra(block.extra.custom!)
  const stateExtra = parseMcStateExtra(after.state.custom!)
  const sameCell = (a: Cell | null, b: Cell | null): boolean => (a && b ? a.hash().equals(b.hash()) : a === b)
  need(sameCell(extra.shard_hashes, stateExtra.shard_hashes), 'block and state name other shards')

  const byRoot = new Map(committed.map((shard) => [shard.id.root_hash.toString('hex'), shard]))
  const entries = shardsOf(block)
  const old = [...shardEntries(parseMcStateExtra(before.state.custom!).shard_hashes)]
  const reached = new Set<string>()
  const reach = (id: BlockIdExt): void => {
    const found = byRoot.get(id.root_hash.toString('hex'))
    if (!found || reached.has(found.id.root_hash.toString('hex'))) return
    reached.add(found.id.root_hash.toString('hex'))
    for (const prev of found.prev) reach(prev)
  }
  for (const entry of entries) {
    const id = shardBlockId(entry)
    const top = byRoot.get(id.root_hash.toString('hex'))
    if (top) {
      need(sameBlock(top.id, id), 'an entry of ShardHashes names another shard than its block')
      checkEntry(entry, top, need)
    } else
      need(
        id.seqno === 0 || old.some((known) => sameBlock(shardBlockId(known), id)),
        `shard block ${id.seqno} is not there`,
      )
    reach(id)
  }
  need(reached.size === committed.length, 'a shard block is not behind any of those in ShardHashes')

  const sums = sumOf(committed)
  checkAugDict(extra.shard_fees, {
    keyBits: 96,
    aug: shardFeeCreatedAug,
    extraOf: (value) => shardFeeCreatedAug.load(value),
    what: 'ShardFees',
  })
  const is = (name: string, stated: CurrencyCollection, found: CurrencyCollection): void =>
    need(sameAmount(stated, found), `${name} is ${amountText(stated)}, not ${amountText(found)}`)
  is('fees of shards', extra.shard_fees.extra.fees, sums.fees)
  is('what shards created', extra.shard_fees.extra.create, sums.create)
  is('fees_imported', block.flow.fees_imported, sums.fees)
  const made = [
    parseMcStateExtra(before.state.custom!).global_balance,
    block.flow.created,
    block.flow.minted,
    sums.create,
    ...committed.map(({ flow }) => flow.minted),
  ]
  is('global_balance', stateExtra.global_balance, made.reduce(addCurrencies))
  is(
    'total_validator_fees and what was recovered',
    addCurrencies(after.totals.total_validator_fees, block.flow.recovered),
    addCurrencies(before.totals.total_validator_fees, block.flow.fees_collected),
  )

  const history = parseMcStateHistory(stateExtra.history)
  const keyMaxLt = (key: boolean, max_end_lt: bigint): KeyMaxLt => ({ key, max_end_lt })
  checkAugDict(history.prev_blocks, {
    keyBits: 32,
    aug: keyMaxLtAug,
    extraOf: (value) => {
      const { key, blk_ref } = loadKeyExtBlkRef(value)
      return keyMaxLt(key, blk_ref.end_lt)
    },
    right: RIGHT_HISTORY,
    what: 'OldMcBlocksInfo',
  })
  const last = oldMcBlock(history.prev_blocks, block.id.seqno - 1)
  need(
    last !== null && sameBlock(masterBlockIdOf(last.blk_ref), previous.id),
    'the state does not list the block before',
  )
  need(
    last!.key === previous.key && last!.blk_ref.end_lt === previous.end_lt,
    'the block before is listed with other words',
  )
  need(oldMcBlock(history.prev_blocks, block.id.seqno) === null, 'the state lists the block itself')

  const configs = [configOf(before), configOf(after)].map(({ config }) => config.hash().toString('hex'))
  need(block.info.key_block === extra.key_block, 'header and McBlockExtra differ in key_block')
  need(block.info.key_block || configs[0] === configs[1], 'the configuration changes in a block that is no key block')
  if (extra.config)
    need(extra.config.config.hash().toString('hex') === configs[1], 'a key block with another configuration')
  need(history.after_key_block === block.info.key_block, 'after_key_block is wrong')
  const prevRef = parseBlkPrevInfo(block.info.prev_ref, false)[0]!
  need(prevRef.end_lt === previous.end_lt && block.id.workchain === MASTERCHAIN, 'another end_lt of the block before')
}
