import { isTonlithError, TonlithError } from '../common/errors.ts'
import { nextTurn } from '../common/next-turn.ts'
import type { StopSignal } from '../common/stop.ts'
import { type Account, readAccountCell } from '../model/account.ts'
import { messageCells } from '../model/batch-message.ts'
import type { EmulatedTrace, EmulatedTransaction, Refusal } from '../model/emulated-trace.ts'
import { NO_TRANSACTION } from '../model/transaction-id.ts'
import { type Address, rawAddress } from '../ton/address.ts'
import { SHARD_ALL } from '../ton/block-id.ts'
import type { Cell } from '../ton/cell.ts'
import { countCells } from '../ton/cell-count.ts'
import { beginParse } from '../ton/slice.ts'
import { loadShardAccount, parseAccount } from '../ton/tlb/account.ts'
import { parseMessage, parseMessageInfo } from '../ton/tlb/message.ts'
import { accountOf } from '../ton/tlb/msg-address.ts'
import { parseStateInit } from '../ton/tlb/state-init.ts'
import { parseTransaction } from '../ton/tlb/transaction.ts'
import { type TvmConfig, tvmConfig } from '../tvm/config.ts'
import { emulateTransaction } from '../tvm/emulate.ts'
import { proveAccount, shardAccountCell } from './accounts.ts'
import { pinFor } from './arrival.ts'
import { type Pinned, pinBlock } from './blocks.ts'
import type { Chain } from './chain.ts'
import { configAt } from './config.ts'
import { findLibraries } from './libraries.ts'
import { prevBlocksAt } from './prev-blocks.ts'

/** A message to an account that is written once it is known how the trace finds it. */
export interface AskedMessage {
  to: Address
  /** Writes it; `now` is the time (unix seconds) that the account is going to be told. */
  write(account: Account, now: number): Cell
}

export interface TraceQuery {
  /** TL-B Message Any to an account, external-in or internal. */
  message: Cell | AskedMessage
  /** Every signature counts as valid. */
  ignore_chksig: boolean
  /** Masterchain block from whose state on; the newest one when undefined. */
  seqno?: number | undefined
  /** The transaction that the message made, where that has happened: only what follows it is emulated. */
  root?: EmulatedTransaction | undefined
  /** Ends the work; what there is by then is the answer, where it has its first transaction. */
  signal: StopSignal
}

/** What a trace may have (contracts/v3.md 16). */
const MAX_TRANSACTIONS = 256
const MAX_DEPTH = 32
/** Cells of all accounts that it reads: a few times as many as one account may have. */
const MAX_ACCOUNT_CELLS = 200_000
/** Masterchain blocks from a transaction to those of its messages, and such blocks in a second. */
const BLOCKS_PER_HOP = 3
const BLOCKS_PER_SECOND = 0.37
/** What a masterchain block adds to lt at least. */
const LT_PER_BLOCK = 1_000_000n

/** An account while the trace runs. */
interface Place {
  address: Address
  /** TL-B ShardAccount. */
  cell: Cell
  /** Seconds and end lt of the block that it was read from. */
  now: number
  lt: bigint
  shard: bigint
}

interface Run {
  chain: Chain
  pinned: Pinned
  config: TvmConfig
  query: TraceQuery
  places: Map<string, Promise<Place>>
  cellsLeft: number
}

const destinationOf = (message: Cell): Address => {
  const info = parseMessageInfo(message)
  const address = info._ === 'ext_out_msg_info' ? null : accountOf(info.dest)
  if (!address) throw new TonlithError('invalid', 'destination of the message is no account')
  return address
}

const readPlace = async (run: Run, address: Address): Promise<Place> => {
  const { chain, query } = run
  /** Accounts that are taken in when they are asked for are not there yet at the block where the trace begins. */
  const isTakenIn = chain.arrive !== undefined && query.seqno === undefined
  const pinned = isTakenIn ? await pinFor(chain, address, undefined, query.signal) : run.pinned
  const proven = await proveAccount(chain, address, pinned, query.signal)
  const cell = shardAccountCell(proven)
  run.cellsLeft -= countCells([cell], MAX_ACCOUNT_CELLS)
  if (run.cellsLeft < 0) throw new TonlithError('unsupported', 'the accounts of the trace are too large', { code: 500 })
  return {
    address,
    cell,
    now: proven.shard_block ? proven.gen_utime : pinned.gen_utime,
    lt: proven.end_lt,
    shard: proven.shard_block?.shard ?? SHARD_ALL,
  }
}

const placeOf = (run: Run, address: Address): Promise<Place> =>
  run.places.getOrInsertComputed(rawAddress(address), () => readPlace(run, address))

const codesOf = (account: Cell, message: Cell): Cell[] => {
  const parsed = parseAccount(loadShardAccount(beginParse(account)).account)
  const state = parsed._ === 'account' ? parsed.storage.state : undefined
  const { init } = parseMessage(message)
  const codes = [state?._ === 'account_active' ? state.code : null, init && parseStateInit(init).code]
  return codes.filter((code) => code !== null)
}

/** Lets an account take a message; the account is then as the transaction leaves it. */
const take = async (run: Run, message: Cell, depth: number): Promise<EmulatedTransaction | Refusal> => {
  const { chain, pinned, config, query } = run
  const { id } = pinned
  const place = await placeOf(run, destinationOf(message))
  const blocks = depth * BLOCKS_PER_HOP
  const before = place.cell
  const executed = await emulateTransaction(
    chain.tvm,
    {
      account: before,
      codes: codesOf(before, message),
      message,
      now: place.now + Math.round(blocks / BLOCKS_PER_SECOND),
      lt: place.lt + BigInt(blocks) * LT_PER_BLOCK,
      rand_seed: id.root_hash,
      config,
      ignore_chksig: query.ignore_chksig,
      libraries: (hashes) => findLibraries(chain, id, hashes),
      prevBlocks: () => prevBlocksAt(chain, id),
    },
    query.signal,
  )
  if (!executed.done) return executed
  place.cell = executed.account
  return {
    account: place.address,
    cell: executed.transaction,
    before,
    after: executed.account,
    depth,
    mc_seqno: id.seqno + 1 + blocks,
    shard: place.shard,
    emulated: true,
  }
}

const isRefusal = (taken: EmulatedTransaction | Refusal): taken is Refusal => 'reason' in taken

interface Sent {
  message: Cell
  lt: bigint
  to: string
}

/** The internal messages that transactions sent, in the order in which they are taken. */
const sentBy = (transactions: readonly EmulatedTransaction[]): Sent[] =>
  transactions
    .flatMap(({ cell }) => messageCells(cell).out_msgs)
    .flatMap((message) => {
      const info = parseMessageInfo(message)
      if (info._ !== 'int_msg_info') return []
      return [{ message, lt: info.created_lt, to: rawAddress(destinationOf(message)) }]
    })
    .sort((a, b) => (a.lt < b.lt ? -1 : a.lt > b.lt ? 1 : a.message.hash().compare(b.message.hash())))

/** Lets accounts take the messages of one hop, each account its own one after the other. */
const takeHop = async (run: Run, sent: readonly Sent[], depth: number) => {
  const made: EmulatedTransaction[] = []
  let failed = false
  const takeAll = async (messages: readonly Sent[]): Promise<void> => {
    try {
      for (const { message } of messages) {
        const taken = await take(run, message, depth)
        if (isRefusal(taken)) failed = true
        else made.push(taken)
        await nextTurn()
      }
    } catch (error) {
      if (!isTonlithError(error)) throw error
      failed = true
    }
  }
  await Promise.all(
    Map.groupBy(sent, ({ to }) => to)
      .values()
      .map(takeAll),
  )
  return { made, failed }
}

/** Lets the trace go on from its root until no message is left, or a bound is reached. */
const follow = async (run: Run, root: EmulatedTransaction) => {
  const transactions = [root]
  let is_incomplete = false
  let last = transactions.slice()
  for (let depth = 1; ; depth++) {
    const sent = sentBy(last)
    if (sent.length === 0) return { transactions, is_incomplete, depth_limit_exceeded: false }
    if (depth > MAX_DEPTH) return { transactions, is_incomplete: true, depth_limit_exceeded: true }
    const fitting = sent.slice(0, MAX_TRANSACTIONS - transactions.length)
    const { made, failed } = await takeHop(run, fitting, depth)
    transactions.push(...made)
    is_incomplete ||= failed || fitting.length < sent.length
    if (run.query.signal.aborted) return { transactions, is_incomplete: true, depth_limit_exceeded: false }
    last = made
  }
}

const messageOf = async (run: Run): Promise<Cell> => {
  const { message } = run.query
  if (!('write' in message)) return message
  const { cell, now } = await placeOf(run, message.to)
  return message.write(readAccountCell(message.to, loadShardAccount(beginParse(cell)).account, NO_TRANSACTION), now)
}

/** The account of a root that happened is as that left it. */
const placeRoot = (run: Run, root: EmulatedTransaction): void => {
  const { now, lt } = parseTransaction(root.cell)
  const place = { address: root.account, cell: root.after, now, lt, shard: root.shard }
  run.places.set(rawAddress(root.account), Promise.resolve(place))
}

/**
 * What a message would do if the block after a masterchain block held it: its transaction and those of the messages that
 * follow from it, hop by hop, each account as the masterchain block has it and as the trace itself changes it. A hop is
 * three masterchain blocks later than the one before. At most 256 transactions, 32 hops deep. Throws `invalid` for a message that goes to no account,
 * what writing the message throws, and what reading the chain and running the TVM throw before there is a first transaction.
 */
export const emulateTrace = async (chain: Chain, query: TraceQuery): Promise<EmulatedTrace> => {
  const { signal, root } = query
  if (!('write' in query.message)) destinationOf(query.message)
  const pinned = await pinBlock(chain, query.seqno, signal)
  const { id } = pinned
  const config = tvmConfig(await configAt(chain, id))
  const run: Run = { chain, pinned, config, query, places: new Map(), cellsLeft: MAX_ACCOUNT_CELLS }
  const message = await messageOf(run)
  const about = { block: id, global_version: config.globalVersion, rand_seed: id.root_hash, message }
  if (root) placeRoot(run, root)
  const first = root ?? (await take(run, message, 0))
  if (isRefusal(first))
    return { ...about, transactions: [], refusal: first, is_incomplete: false, depth_limit_exceeded: false }
  return { ...about, refusal: undefined, ...(await follow(run, first)) }
}
