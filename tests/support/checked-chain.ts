import { hash } from 'node:crypto'
import { getBlock, getMasterchainInfo, getState, lookupBlock } from '../../src/liteserver/client.ts'
import type { Query } from '../../src/liteserver/query.ts'
import { type BlockIdExt, blockIdText, MASTERCHAIN, SHARD_ALL, sameBlock } from '../../src/ton/block-id.ts'
import { parseBocRoot } from '../../src/ton/boc.ts'
import type { Cell } from '../../src/ton/cell.ts'
import { applyUpdate } from '../../src/ton/merkle.ts'
import { parseBlock } from '../../src/ton/tlb/block.ts'
import { parseBlockExtra } from '../../src/ton/tlb/block-extra.ts'
import { type BlockInfo, prevBlockIds } from '../../src/ton/tlb/block-info.ts'
import { addCurrencies, type CurrencyCollection, NO_CURRENCY } from '../../src/ton/tlb/currency.ts'
import { parseInMsgDescr } from '../../src/ton/tlb/in-msg.ts'
import { parseMcBlockExtra } from '../../src/ton/tlb/mc-block-extra.ts'
import { parseOutMsgDescr } from '../../src/ton/tlb/out-msg.ts'
import { shardBlockId, shardEntries } from '../../src/ton/tlb/shard-hashes.ts'
import { buildSplitState, parseShardStateTotals, parseShardStateUnsplit } from '../../src/ton/tlb/shard-state.ts'
import { parseValueFlow } from '../../src/ton/tlb/value-flow.ts'
import type { Counts } from './counts.ts'
import { walkBlock } from './walk-block.ts'
import { walkShardState } from './walk-state.ts'

/** A block that was read whole, and the state that it leaves. */
export interface CheckedBlock {
  id: BlockIdExt
  root: Cell
  info: BlockInfo
  state: Cell
}

/** A chain as a liteserver gives it: each block is parsed to its last leaf, and its Merkle update applied and checked. */
export interface CheckedChain {
  /** Goes on to this masterchain block, which must be there. Gives the blocks in which nothing was wrong. Throws for another one. */
  advance(seqno: number): Promise<CheckedBlock[]>
  /** The masterchain block that was reached; 0 for the zerostate. */
  last(): number
  /** The newest block of the masterchain and of every shard. */
  tops(): CheckedBlock[]
  /** Nano-units that the zerostates began with, and all blocks created, minted and burned since. */
  issued(): bigint
  /** All ids by their short names. */
  readonly ids: ReadonlyMap<string, BlockIdExt>
  /** What was met. */
  readonly counts: Counts
}

/** So often a whole state is read to its last leaf. */
const WALK_EVERY = 100

const wrong = (id: BlockIdExt, what: string): Error => new Error(`block ${blockIdText(id)}: ${what}`)

const sum = (...amounts: (CurrencyCollection | null)[]): CurrencyCollection =>
  amounts.reduce<CurrencyCollection>((total, amount) => (amount ? addCurrencies(total, amount) : total), NO_CURRENCY)

const isSame = (a: CurrencyCollection, b: CurrencyCollection): boolean =>
  a.grams === b.grams && (a.other && b.other ? a.other.hash().equals(b.other.hash()) : a.other === b.other)

const balanceOf = (state: Cell): CurrencyCollection =>
  parseShardStateTotals(parseShardStateUnsplit(state).totals).total_balance

/** Checks where the money of a block went, and gives how much of it is new. */
const checkValueFlow = (id: BlockIdExt, root: Cell, before: readonly Cell[], after: Cell, isSplit: boolean): bigint => {
  const block = parseBlock(root)
  const extra = parseBlockExtra(block.extra)
  const flow = parseValueFlow(block.value_flow)
  const into = sum(flow.from_prev_blk, flow.imported, flow.fees_imported, flow.recovered, flow.created, flow.minted)
  const out = sum(flow.to_next_blk, flow.exported, flow.fees_collected, flow.burned)
  if (!isSame(into, out)) throw wrong(id, 'its value flow does not balance')
  if (!isSame(flow.to_next_blk, balanceOf(after))) throw wrong(id, 'to_next_blk is not the balance of its state')
  if (!isSplit && !isSame(flow.from_prev_blk, sum(...before.map(balanceOf))))
    throw wrong(id, 'from_prev_blk is not the balance of the state before')
  if (!isSame(flow.imported, parseInMsgDescr(extra.in_msg_descr).extra.value_imported))
    throw wrong(id, 'imported is not the sum of its messages')
  if (!isSame(flow.exported, parseOutMsgDescr(extra.out_msg_descr).extra))
    throw wrong(id, 'exported is not the sum of its messages')
  return flow.created.grams + flow.minted.grams - (flow.burned?.grams ?? 0n)
}

const checkHeader = (id: BlockIdExt, info: BlockInfo, before: readonly CheckedBlock[]): void => {
  for (const { info: old } of before) {
    if (info.start_lt <= old.end_lt) throw wrong(id, 'its logical times begin before those of its predecessor end')
    if (info.gen_utime < old.gen_utime) throw wrong(id, 'it is older than its predecessor')
  }
  if (info.end_lt <= info.start_lt) throw wrong(id, 'its logical times end before they begin')
}

/** Reads a network from its zerostates on. */
export const openCheckedChain = async (query: Query): Promise<CheckedChain> => {
  const ids = new Map<string, BlockIdExt>()
  const counts: Counts = new Map()
  const zerostates = new Map<string, Cell>()
  const known = new Map<string, CheckedBlock>()
  let last = 0
  let read = 0
  let issued = 0n

  const zerostate = async (id: BlockIdExt): Promise<Cell> => {
    const name = id.root_hash.toString('hex')
    const had = zerostates.get(name)
    if (had) return had
    const { data } = await getState(query, id)
    const root = parseBocRoot(data)
    if (!hash('sha256', data, 'buffer').equals(id.file_hash) || !root.hash().equals(id.root_hash))
      throw wrong(id, 'another zerostate came')
    walkShardState(root, counts)
    issued += balanceOf(root).grams
    zerostates.set(name, root)
    return root
  }

  const check = async (id: BlockIdExt, made: CheckedBlock[]): Promise<CheckedBlock> => {
    const name = blockIdText(id)
    const had = known.get(name)
    if (had) {
      if (!sameBlock(had.id, id)) throw wrong(id, 'it was another one before')
      return had
    }
    const { data } = await getBlock(query, id)
    const root = parseBocRoot(data)
    if (!hash('sha256', data, 'buffer').equals(id.file_hash) || !root.hash().equals(id.root_hash))
      throw wrong(id, 'another block came')
    const info = walkBlock(root, counts)
    const before: CheckedBlock[] = []
    const states: Cell[] = []
    for (const prev of prevBlockIds(info)) {
      if (prev.seqno === 0) states.push(await zerostate(prev))
      else {
        const block = await check(prev, made)
        before.push(block)
        states.push(block.state)
      }
    }
    const [left, right] = states
    const state = applyUpdate(right ? buildSplitState(left!, right) : left!, parseBlock(root).state_update)
    checkHeader(id, info, before)
    issued += checkValueFlow(id, root, states, state, info.after_split)
    if (++read % WALK_EVERY === 0) walkShardState(state, counts)
    const block = { id, root, info, state }
    known.set(name, block)
    ids.set(name, id)
    made.push(block)
    return block
  }

  const tops = (): CheckedBlock[] => {
    const master = known.get(blockIdText({ workchain: MASTERCHAIN, shard: SHARD_ALL, seqno: last }))
    if (!master) return []
    const custom = parseBlockExtra(parseBlock(master.root).extra).custom
    const shards = [...shardEntries(parseMcBlockExtra(custom!).shard_hashes)].map(shardBlockId)
    return [master, ...shards.flatMap((id) => known.get(blockIdText(id)) ?? [])]
  }

  /** What is older than the newest blocks is not looked at again: a chain of any length takes no more memory. */
  const forget = (): void => {
    const kept = tops()
    known.clear()
    for (const block of kept) known.set(blockIdText(block.id), block)
  }

  const { init } = await getMasterchainInfo(query)
  await zerostate({ ...init, shard: SHARD_ALL, seqno: 0 })
  return {
    last: () => last,
    issued: () => issued,
    tops,
    ids,
    counts,
    async advance(seqno) {
      const made: CheckedBlock[] = []
      while (last < seqno) {
        const { id } = await lookupBlock(query, { workchain: MASTERCHAIN, shard: SHARD_ALL, seqno: last + 1 })
        const { root } = await check(id, made)
        const custom = parseBlockExtra(parseBlock(root).extra).custom
        for (const entry of shardEntries(parseMcBlockExtra(custom!).shard_hashes))
          if (entry.descr.seq_no > 0) await check(shardBlockId(entry), made)
        last++
        forget()
      }
      return made
    },
  }
}
