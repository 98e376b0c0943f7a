import type { Chain } from '../../../src/devnet/chain.ts'
import { type BlockIdExt, blockIdText, MASTERCHAIN } from '../../../src/ton/block-id.ts'
import { parseBocRoot } from '../../../src/ton/boc.ts'
import type { Cell } from '../../../src/ton/cell.ts'
import { parseMcStateExtra } from '../../../src/ton/tlb/mc-state-extra.ts'
import { shardBlockId, shardEntries } from '../../../src/ton/tlb/shard-hashes.ts'
import type { Counts } from '../counts.ts'
import { type RawBlock, type ReadBlock, readBlock } from './checked-block.ts'
import { checkCreated, checkFlow } from './checked-flow.ts'
import { checkMasterchain, shardsOf, specialMessages } from './checked-masterchain.ts'
import { checkMessages } from './checked-messages.ts'
import {
  balanceBefore,
  checkAccounts,
  checkStateHeader,
  queuedMessages,
  type ReadState,
  type RightAccounts,
  readState,
  stateAfter,
} from './checked-state.ts'
import { checkedFees, checkTransactions } from './checked-transactions.ts'
import { ChainFault, needOf } from './fault.ts'
import { createMessageLedger } from './message-ledger.ts'

/** What a chain that was found right holds. */
export interface ChainReport {
  /** Seqno of the last masterchain block. */
  last: number
  blocks: number
  keyBlocks: number
  splits: number
  merges: number
  transactions: number
  /** External messages that were taken and sent, internal ones that were sent, delivered, and are under way. */
  messages: { in: number; out: number; sent: number; delivered: number; pending: number }
  /** Nano-units in all accounts, in messages under way, as fees that no validator has got yet, burned; and what was issued. */
  value: { accounts: bigint; underWay: bigint; fees: bigint; burned: bigint; issued: bigint }
  /** How often which TL-B constructor was met. */
  counts: Counts
}

/** Goes through a chain from its zerostates on; throws ChainFault at the first block that is wrong. */
export interface ChainCheck {
  /** One masterchain block with the shard blocks that it commits, each behind its predecessors. */
  step(masterchain: RawBlock, shardBlocks: readonly RawBlock[]): void
  /** The root of the state after a block that is the newest of its shard. */
  state(id: BlockIdExt): Cell | undefined
  report(): ChainReport
}

/** The newest block of a shard. */
interface Top {
  id: BlockIdExt
  end_lt: bigint
  gen_utime: number
  key: boolean
  state: ReadState
}

const keyOf = (id: BlockIdExt): string => `${blockIdText(id)}${id.root_hash.toString('hex')}`

export const createChainCheck = (zerostates: readonly { id: BlockIdExt; data: Buffer }[]): ChainCheck => {
  let tops = new Map<string, Top>()
  let master: Top
  const masters = new Map<number, { id: BlockIdExt; end_lt: bigint }>()
  const right: RightAccounts = new WeakMap()
  const ledger = createMessageLedger()
  const counts: Counts = new Map()
  const report = { last: 0, blocks: 0, keyBlocks: 0, splits: 0, merges: 0, transactions: 0, in: 0, out: 0 }
  let underWay = 0n
  let burned = 0n

  const begin = ({ id, data }: { id: BlockIdExt; data: Buffer }): Top => {
    const root = parseBocRoot(data)
    if (!root.hash().equals(id.root_hash)) throw new ChainFault('a zerostate has another hash')
    const state = readState(root)
    const top = { id, end_lt: state.state.gen_lt, gen_utime: state.state.gen_utime, key: true, state }
    checkAccounts(state, right, needOf(id))
    tops.set(keyOf(id), top)
    return top
  }
  for (const zerostate of zerostates) {
    const top = begin(zerostate)
    if (zerostate.id.workchain === MASTERCHAIN) master = top
  }
  masters.set(0, { id: master!.id, end_lt: master!.end_lt })

  const checkOrder = ({ id, info, prev, master: ref }: ReadBlock, before: readonly Top[]): void => {
    const need = needOf(id)
    need(before.length === prev.length, 'a predecessor is not the newest block of its shard')
    need(info.seq_no === Math.max(...prev.map(({ seqno }) => seqno)) + 1, 'the seqno does not follow')
    need(info.end_lt > info.start_lt, 'end_lt is not behind start_lt')
    for (const { end_lt, gen_utime } of before) {
      need(info.start_lt >= end_lt, 'start_lt lies in the block before')
      need(info.gen_utime >= gen_utime, 'it was made before the block before')
    }
    if (!ref) return
    const known = masters.get(ref.seqno)
    need(known !== undefined && keyOf(known.id) === keyOf(ref), 'it refers to a masterchain block that is not there')
    need(info.start_lt >= known!.end_lt, 'start_lt lies in the masterchain block that it refers to')
    need(info.min_ref_mc_seqno <= ref.seqno, 'min_ref_mc_seqno lies ahead')
  }

  const take = (raw: RawBlock, known: ReadonlyMap<string, Top>): { block: ReadBlock; top: Top } => {
    const need = needOf(raw.id)
    const block = readBlock(raw, counts)
    const before = block.prev.flatMap((id) => known.get(keyOf(id)) ?? [])
    checkOrder(block, before)
    const states = before.map(({ state }) => state)
    const after = stateAfter(block, states)
    checkStateHeader(block, after, need)
    checkAccounts(after, right, need)
    const { transactions, putIn } = checkTransactions(block, states, after, need)
    const messages = checkMessages(block, transactions, specialMessages(block), need)
    checkFlow(block, balanceBefore(block, states), after, messages, checkedFees(block), putIn, need)
    checkCreated(block, master.state, need)
    ledger.block(messages, need)
    burned += block.flow.burned?.grams ?? 0n
    report.blocks++
    report.transactions += transactions.size
    report.in += messages.external.in
    report.out += messages.external.out
    if (block.info.after_split) report.splits++
    if (block.info.after_merge) report.merges++
    const { end_lt, gen_utime, key_block } = block.info
    return { block, top: { id: raw.id, end_lt, gen_utime, key: key_block, state: after } }
  }

  const value = (): ChainReport['value'] => ({
    accounts: [...tops.values()].reduce((sum, { state }) => sum + state.totals.total_balance.grams, 0n),
    underWay,
    burned,
    fees: master.state.totals.total_validator_fees.grams,
    issued: parseMcStateExtra(master.state.state.custom!).global_balance.grams,
  })

  return {
    step: (masterchain, shardBlocks) => {
      const known = new Map(tops)
      const committed = shardBlocks.map((raw) => {
        const { block, top } = take(raw, known)
        known.set(keyOf(raw.id), top)
        return block
      })
      const { block, top } = take(masterchain, known)
      const need = needOf(masterchain.id)
      need(masterchain.id.seqno === report.last + 1, 'it does not follow')
      checkMasterchain(block, committed, master.state, top.state, master, need)
      if (block.info.key_block) report.keyBlocks++
      master = top
      masters.set(top.id.seqno, top)
      tops = new Map([[keyOf(top.id), top]])
      for (const entry of shardsOf(block)) {
        const id = shardBlockId(entry)
        const shard = known.get(keyOf(id))
        need(shard !== undefined, 'a shard without a block')
        tops.set(keyOf(id), shard!)
      }
      const queued = new Map<string, Cell>()
      for (const { id, state } of tops.values())
        for (const [key, envelope] of queuedMessages(state, id.workchain, needOf(id))) queued.set(key, envelope)
      underWay = ledger.queues(queued, need).grams
      report.last = top.id.seqno
      const { accounts, fees, issued } = value()
      need(
        accounts + underWay + fees + burned === issued,
        'accounts, messages, fees and what was burned are not what was issued',
      )
    },
    state: (id) => tops.get(keyOf(id))?.state.root,
    report: () => {
      const { in: taken, out, ...rest } = report
      const { sent, delivered, pending } = ledger
      return {
        ...rest,
        messages: { in: taken, out, sent, delivered, pending },
        value: value(),
        counts,
      }
    },
  }
}

/** The shard blocks that a masterchain block commits, each behind its predecessors. */
const committedBy = (chain: Chain, seqno: number): RawBlock[] => {
  const found = new Map<string, RawBlock>()
  const visit = (id: BlockIdExt): void => {
    const block = id.seqno === 0 ? undefined : chain.block(id)
    if (!block || block.mc_seqno !== seqno || found.has(keyOf(id))) return
    for (const prev of block.prev) visit(prev)
    found.set(keyOf(id), block)
  }
  const { custom } = readState(chain.masterchain(seqno)!.state).state
  for (const entry of shardEntries(parseMcStateExtra(custom!).shard_hashes)) visit(shardBlockId(entry))
  return [...found.values()]
}

/**
 * Checks all blocks of a chain, and that the states that it gives out are those that the blocks lead to. Throws ChainFault
 * and what parsers throw.
 */
export const checkChain = (chain: Chain, until = chain.last): ChainReport => {
  const check = createChainCheck([chain.zerostate(MASTERCHAIN)!, chain.zerostate(0)!])
  for (let seqno = 1; seqno <= until; seqno++) {
    const masterchain = chain.masterchain(seqno)!
    const shardBlocks = committedBy(chain, seqno)
    check.step(masterchain, shardBlocks)
    for (const { id } of [masterchain, ...shardBlocks]) {
      const made = check.state(id)
      if (made) needOf(id)(chain.block(id)!.state.hash().equals(made.hash()), 'the chain gives out another state')
    }
  }
  return check.report()
}
