import { hash } from 'node:crypto'
import type { Logger } from '../common/logger.ts'
import { nextTurn } from '../common/next-turn.ts'
import { inTurns, type Steps } from '../common/steps.ts'
import type { Address } from '../ton/address.ts'
import { type BlockIdExt, blockIdText, MASTERCHAIN, SHARD_ALL, sameBlock, shardContains } from '../ton/block-id.ts'
import type { Cell } from '../ton/cell.ts'
import { parseMcStateExtra } from '../ton/tlb/mc-state-extra.ts'
import { parseOutMsgQueueInfo } from '../ton/tlb/out-msg-queue.ts'
import { type ShardEntry, shardBlockId, shardEntries } from '../ton/tlb/shard-hashes.ts'
import { parseShardStateUnsplit } from '../ton/tlb/shard-state.ts'
import type { Executor } from '../tvm/executor.ts'
import type { SignatureSet } from './archive-signatures.ts'
import type { BlockBound } from './block-bound.ts'
import type { AccountImport, BlockSource, CollatedBlock, ShardCollation, ShardTop } from './collate/collation.ts'
import type { CollatedMasterchainBlock, MasterchainCollation } from './collate/masterchain-block.ts'
import type { ShardId } from './collate/routing.ts'
import { type NextShardBlock, nextShardBlocks } from './collate/shard-descr-next.ts'
import type { Mempool } from './mempool.ts'
import type { ChainStep, StoredChain } from './stored-chain.ts'

/** What a shard is wanted to become. */
export type ShardWish = 'split' | 'merge'

/** Gives what is wanted of a shard (signed int64) of the basechain. */
export type ShardWishes = (shard: bigint) => ShardWish | undefined

/** External messages that wait for a block. */
export interface WaitingExternals extends Pick<Mempool, 'batch'> {
  /** Is told what a block of the chain did with them. */
  settle(block: CollatedBlock): void
  /** Takes one out for good. */
  drop(message: Cell): void
}

/** What a step takes from whoever orders it. */
export interface StepOrder {
  /** gen_utime of its blocks, Unix seconds: not before that of the last ones. */
  now: number
  /** Makes a block of every shard, also where nothing happens. */
  everyShard: boolean
  wishes: ShardWishes
  /** Accounts that are put into the states. */
  imports: readonly AccountImport[]
}

/** What a step has made; all of it is on the disk. */
export interface MadeStep {
  shardBlocks: readonly CollatedBlock[]
  masterchainBlock: CollatedMasterchainBlock
}

export interface ProducerOptions {
  chain: Pick<StoredChain, 'zerostate' | 'block' | 'masterchain' | 'last' | 'append'>
  collateShard(input: ShardCollation): Steps<CollatedBlock>
  collateMasterchain(input: MasterchainCollation): Steps<CollatedMasterchainBlock>
  sign(block: Pick<CollatedBlock, 'id' | 'info'>): SignatureSet
  externals: WaitingExternals
  executor: Executor
  /** Public key of the validator, 32 bytes. */
  created_by: Buffer
  /** Bounds the blocks of the next step. */
  bound: BlockBound
  /** CollationChoices.awaits */
  awaits?: ((account: Address) => boolean) | undefined
  /** Ends what is under way, between two transactions. */
  signal: AbortSignal
  logger: Logger
}

/** Makes the blocks of a network. */
export interface Producer {
  /**
   * Makes the next masterchain block, and before it the blocks of the shards that have something to do. Steps must not
   * overlap. A message that no block can be made with is dropped. Rejects when not even an empty masterchain block can be
   * made, or one with the accounts that are to be put in, with the chain as it was; when the signal ends it; `unavailable`
   * for a full disk.
   */
  step(order: StepOrder): Promise<MadeStep>
}

const MASTERCHAIN_SHARD: ShardId = { workchain: MASTERCHAIN, shard: SHARD_ALL }

/** A shard's block is not older than this, unless the chain stands still: what get-methods see of the time. */
const IDLE_SECONDS = 3
const IDLE_BLOCKS = 16
/** Milliseconds after which those who ask the liteserver get their turns, and how long these may take together. */
const TURN_MS = 4
/** A client of the liteserver has one question answered in each. */
const MOST_TURNS = 16

const shardHashes = (state: Cell): Cell | null => {
  const { custom } = parseShardStateUnsplit(state)
  return custom && parseMcStateExtra(custom).shard_hashes
}

/** True where messages wait in the state's queues, or have yet to be taken out of them. */
const hasQueue = ({ state }: BlockSource): boolean => {
  const { out_queue, extra } = parseOutMsgQueueInfo(parseShardStateUnsplit(state).out_msg_queue_info)
  return out_queue.root !== null || (extra?.dispatch_queue.root ?? null) !== null
}

const topOf = ({ id, info, value_flow, created_by }: CollatedBlock): ShardTop => ({
  id,
  info,
  fees_collected: value_flow.fees_collected,
  funds_created: value_flow.created,
  minted: value_flow.minted,
  creators: [created_by],
})

const sourceOf = ({ id, state, info }: CollatedBlock): BlockSource => ({ id, state, end_lt: info.end_lt })

/** The same chain makes the same seeds: nobody could tell beforehand what the real ones will be, here everybody can. */
const seedOf = (prev: readonly BlockIdExt[], workchain: number, shard: bigint): Buffer =>
  hash(
    'sha256',
    `tonlith dev ${workchain} ${shard} ${prev.map(({ root_hash }) => root_hash.toString('hex'))}`,
    'buffer',
  )

/** True where both halves of a split are there: the masterchain takes no half alone. */
const isWhole = (made: readonly CollatedBlock[], of: NextShardBlock, all: readonly NextShardBlock[]): boolean =>
  all
    .filter(({ prev }) => prev.some((id) => of.prev.some((other) => sameBlock(id, other))))
    .every(({ shard }) => made.some(({ id }) => id.shard === shard))

/** Makes a producer; it does nothing until it is told to. */
export const createProducer = (options: ProducerOptions): Producer => {
  const { chain, collateShard, collateMasterchain, sign, externals, executor, bound, created_by, signal, logger } =
    options
  const choices = options.awaits ? { awaits: options.awaits } : {}

  let turnAt = performance.now()
  const rest = async (): Promise<void> => {
    signal.throwIfAborted()
    if (performance.now() - turnAt < TURN_MS) return
    const begun = performance.now()
    for (let turns = 0; turns < MOST_TURNS && performance.now() - begun < TURN_MS; turns++) await nextTurn()
    await executor.ready()
    turnAt = performance.now()
  }

  const sourceAt = (id: BlockIdExt): BlockSource => {
    if (id.seqno === 0) return { id, state: chain.zerostate(id.workchain)!.root, end_lt: 0n }
    const { state, info } = chain.block(id)!
    return { id, state, end_lt: info.end_lt }
  }

  const masterState = (seqno: number): Cell =>
    seqno === 0 ? chain.zerostate(MASTERCHAIN)!.root : chain.masterchain(seqno)!.state

  const master = (): BlockSource => {
    const { id } = chain.last === 0 ? chain.zerostate(MASTERCHAIN)! : chain.masterchain(chain.last)!
    return sourceAt(id)
  }

  /** Makes a block with as many of the messages as it can; what it cannot be made with is dropped. */
  const tolerantly = async <B extends CollatedBlock>(
    name: string,
    collate: (messages: readonly Cell[]) => Steps<B>,
    messages: readonly Cell[],
  ): Promise<B> => {
    try {
      return await inTurns(collate(messages), rest)
    } catch (err) {
      signal.throwIfAborted()
      if (messages.length === 0) throw err
      await executor.ready()
      const [only] = messages
      if (messages.length > 1) return tolerantly(name, collate, messages.slice(0, messages.length >> 1))
      logger.error(
        { err, block: name, message: only?.hash().toString('hex') },
        'a message was dropped: no block could be made with it',
      )
      externals.drop(only!)
      return tolerantly(name, collate, [])
    }
  }

  const settle = (block: CollatedBlock): void => {
    externals.settle(block)
    for (const { message, reason } of block.refused)
      logger.debug({ message: message.hash().toString('hex'), reason }, 'an external message was not accepted')
  }

  /** Accounts are put in with no messages beside them, so that none is blamed for them. */
  const waiting = (shard: ShardId, put: readonly AccountImport[]): readonly Cell[] =>
    put.length > 0 ? [] : externals.batch(shard, bound.transactions())

  /** What is the same in every block's collation. */
  const asAlways = () => ({ created_by, masterState, max_transactions: bound.transactions(), choices, executor })

  const makeShardBlock = async (
    task: NextShardBlock,
    common: Pick<ShardCollation, 'master' | 'neighbours'>,
    { now, imports, wishes }: StepOrder,
  ): Promise<CollatedBlock | undefined> => {
    const { workchain, shard, prev, before_split, plan } = task
    const wish = plan._ === 'fsm_split' ? undefined : wishes(shard)
    const name = blockIdText({ workchain, shard, seqno: Math.max(...prev.map(({ seqno }) => seqno)) + 1 })
    const put = imports.filter(isIn({ workchain, shard }))
    const collate = (messages: readonly Cell[]): Steps<CollatedBlock> =>
      collateShard({
        ...common,
        before_split,
        want_split: wish === 'split',
        want_merge: wish === 'merge',
        workchain,
        shard,
        prev: prev.map(sourceAt),
        now,
        rand_seed: seedOf(prev, workchain, shard),
        externals: messages,
        imports: put,
        ...asAlways(),
      })
    try {
      return await tolerantly(name, collate, waiting({ workchain, shard }, put))
    } catch (err) {
      signal.throwIfAborted()
      if (put.length > 0) throw err
      logger.error({ err, block: name }, 'a block of a shard could not be made')
      return undefined
    }
  }

  const makeShardBlocks = async (last: BlockSource, entries: readonly ShardEntry[], order: StepOrder) => {
    const tops = entries.map((entry) => sourceAt(shardBlockId(entry)))
    const neighbours = [last, ...tops]
    const busy = order.everyShard || neighbours.some(hasQueue)
    const known = new Map(entries.map((entry) => [entry.shard, entry.descr]))
    const isWanted = ({ workchain, shard, urgent, plan }: NextShardBlock): boolean => {
      const descr = known.get(shard)
      if (busy || urgent || !descr) return true
      const wish = order.wishes(shard)
      if (plan._ === 'fsm_none' && wish && !descr[wish === 'split' ? 'want_split' : 'want_merge']) return true
      if (order.now - descr.gen_utime >= IDLE_SECONDS || last.id.seqno - descr.reg_mc_seqno >= IDLE_BLOCKS) return true
      if (order.imports.some(isIn({ workchain, shard }))) return true
      return externals.batch({ workchain, shard }, 1).length > 0
    }
    const tasks = nextShardBlocks(shardHashes(last.state), order.now).filter(isWanted)
    const made: CollatedBlock[] = []
    for (const task of tasks) {
      const block = await makeShardBlock(task, { master: last, neighbours }, order)
      if (block) made.push(block)
    }
    const whole = made.filter(({ id }) => isWhole(made, tasks.find(({ shard }) => shard === id.shard)!, tasks))
    return { blocks: whole, tops: newTops(tops, tasks, whole) }
  }

  const makeMasterchainBlock = (
    last: BlockSource,
    { blocks, tops }: { blocks: readonly CollatedBlock[]; tops: readonly BlockSource[] },
    { now, imports }: StepOrder,
  ): Promise<CollatedMasterchainBlock> => {
    const put = imports.filter(isIn(MASTERCHAIN_SHARD))
    const collate = (messages: readonly Cell[]) =>
      collateMasterchain({
        prev: [last],
        master: last,
        neighbours: tops,
        shards: blocks.map(topOf),
        now,
        rand_seed: seedOf([last.id], MASTERCHAIN, SHARD_ALL),
        externals: messages,
        imports: put,
        ...asAlways(),
      })
    const name = blockIdText({ ...last.id, seqno: last.id.seqno + 1 })
    return tolerantly(name, collate, waiting(MASTERCHAIN_SHARD, put))
  }

  /** Without the new blocks of the shards where the masterchain cannot take them: it goes on, and they are made anew. */
  const makeStep = async (order: StepOrder): Promise<MadeStep> => {
    const last = master()
    const entries = [...shardEntries(shardHashes(last.state))]
    const shards = await makeShardBlocks(last, entries, order)
    try {
      return { shardBlocks: shards.blocks, masterchainBlock: await makeMasterchainBlock(last, shards, order) }
    } catch (err) {
      signal.throwIfAborted()
      if (shards.blocks.length === 0 || order.imports.length > 0) throw err
      logger.error({ err }, 'the masterchain could not take the blocks of the shards')
      const tops = entries.map((entry) => sourceAt(shardBlockId(entry)))
      return { shardBlocks: [], masterchainBlock: await makeMasterchainBlock(last, { blocks: [], tops }, order) }
    }
  }

  return {
    step: async (order) => {
      turnAt = performance.now()
      const startedAt = turnAt
      const made = await makeStep(order)
      const step: ChainStep = { ...made, signatures: sign(made.masterchainBlock) }
      await rest()
      chain.append(step)
      const blocks = [...made.shardBlocks, made.masterchainBlock]
      for (const block of blocks) settle(block)
      const most = Math.max(...blocks.map(({ transactions }) => transactions))
      bound.made(most, performance.now() - startedAt)
      return made
    },
  }
}

const isIn =
  ({ workchain, shard }: ShardId) =>
  ({ address }: AccountImport): boolean =>
    address.workchain === workchain && shardContains(shard, address.hash.readBigInt64BE(0))

/** The tops as they are with the new blocks, each in the place of its predecessors. */
const newTops = (
  tops: readonly BlockSource[],
  tasks: readonly NextShardBlock[],
  made: readonly CollatedBlock[],
): BlockSource[] => {
  const followers = (id: BlockIdExt): BlockSource[] =>
    made
      .filter(({ id: { shard } }) =>
        tasks.some((task) => task.shard === shard && task.prev.some((prev) => sameBlock(prev, id))),
      )
      .map(sourceOf)
  const next = tops.flatMap((top) => {
    const found = followers(top.id)
    return found.length > 0 ? found : [top]
  })
  return next.filter((top, place) => next.findIndex((other) => sameBlock(other.id, top.id)) === place)
}
