import { isTonlithError } from '../common/errors.ts'
import { type BlockIdExt, MASTERCHAIN } from '../ton/block-id.ts'
import type { Cell } from '../ton/cell.ts'
import { beginParse } from '../ton/slice.ts'
import {
  type AccountState,
  buildAccount,
  parseAccount,
  type ShardAccount,
  storeShardAccount,
} from '../ton/tlb/account.ts'
import { mcStateExtraOf } from '../ton/tlb/mc-state-extra.ts'
import { shardBlockId, shardOfAccount } from '../ton/tlb/shard-hashes.ts'
import { parseShardStateUnsplit, shardAccount } from '../ton/tlb/shard-state.ts'
import { buildCell } from '../ton/tlb/tag.ts'
import type { Executed, ExecutionContext, Executor } from '../tvm/executor.ts'
import { executionNetwork } from './execution-network.ts'
import { refusal, type SentMessage } from './sent-message.ts'
import { type WalletLayout, type WalletTurn, walletLayout, walletSeqno, withWalletSeqno } from './wallet-layout.ts'

/** The newest masterchain block, and the states of the shard blocks that it names. */
export interface SendingHead {
  id: BlockIdExt
  /** TL-B ShardStateUnsplit. */
  state: Cell
  shardState(id: BlockIdExt): Cell
}

/** What an account must be asked with. */
export interface AcceptanceCheck {
  head: SendingHead
  executor: Executor
  /** Unix time in seconds. */
  now: number
  /** True when a message to this wallet with this seqno waits already. */
  isWaiting(seqno: number): boolean
}

/** How far ahead of a wallet's seqno a message may be (node: MAX_WALLET_SEQNO_DIFF). */
const MAX_SEQNO_AHEAD = 16
const NOT_ACCEPTED = -701
const NO_ACCOUNT = 'Failed to unpack account state'

const prefixOf = (hash: Buffer): bigint => hash.readBigInt64BE(0)

/** The state that holds an account, or null where its workchain does not exist. */
const stateOf = (head: SendingHead, { workchain, hash }: SentMessage['dest']): Cell | null => {
  if (workchain === MASTERCHAIN) return head.state
  const { shard_hashes } = mcStateExtraOf(parseShardStateUnsplit(head.state))
  const entry = shardOfAccount(shard_hashes, workchain, prefixOf(hash))
  return entry && head.shardState(shardBlockId(entry))
}

/** An account's entry as `head` has it; null where it has none. Throws the node's error for a workchain that does not exist. */
export const accountAtHead = (head: SendingHead, address: SentMessage['dest']): ShardAccount | null => {
  const state = stateOf(head, address)
  if (!state) throw refusal('promise destroyed')
  return shardAccount(parseShardStateUnsplit(state).accounts, address.hash)
}

type ActiveState = Extract<AccountState, { _: 'account_active' }>

const activeState = ({ account }: ShardAccount): ActiveState | undefined => {
  const parsed = parseAccount(account)
  return parsed._ === 'account' && parsed.storage.state._ === 'account_active' ? parsed.storage.state : undefined
}

interface KnownWallet {
  layout: WalletLayout
  data: Cell
  seqno: number
}

const knownWallet = (entry: ShardAccount): KnownWallet | undefined => {
  const state = activeState(entry)
  const layout = state?.code && walletLayout(state.code)
  if (!layout) return undefined
  if (!state.data) throw refusal('data is null')
  const seqno = walletSeqno(layout, state.data)
  if (seqno === undefined) throw refusal('invalid data')
  return { layout, data: state.data, seqno }
}

const turnOf = ({ layout }: KnownWallet, body: Cell): WalletTurn => {
  if (body.exotic || body.bits < layout.bodyBits) throw refusal('invalid message body')
  return layout.turn(beginParse(body))
}

const checkTurn = ({ seqno, valid_until }: WalletTurn, wallet: KnownWallet, { now, isWaiting }: AcceptanceCheck) => {
  const both = `msg_seqno=${seqno}, wallet_seqno=${wallet.seqno}`
  if (valid_until <= now) throw refusal('valid_until is in the past')
  if (seqno < wallet.seqno) throw refusal(`Too old seqno: ${both}`)
  if (seqno - wallet.seqno > MAX_SEQNO_AHEAD) throw refusal(`Too new seqno: ${both}`)
  if (isWaiting(seqno)) throw refusal(`Duplicate msg_seqno ${seqno}`)
}

/** The entry with the wallet as it will be when it is this message's turn. */
const entryAtTurn = (entry: ShardAccount, { layout, data }: KnownWallet, { seqno }: WalletTurn): ShardAccount => {
  const account = parseAccount(entry.account)
  if (account._ !== 'account' || account.storage.state._ !== 'account_active') return entry
  const state = { ...account.storage.state, data: withWalletSeqno(layout, data, seqno) }
  return { ...entry, account: buildAccount({ ...account, storage: { ...account.storage, state } }) }
}

/** As the next block will run it: at the clock's time, which may be far ahead of the head's. */
const contextAt = ({ head: { id, state }, now }: AcceptanceCheck): ExecutionContext => {
  const { gen_utime, gen_lt } = parseShardStateUnsplit(state)
  return { ...executionNetwork(id, state), now: Math.max(gen_utime, now), lt: gen_lt + 1n, rand_seed: id.root_hash }
}

const notAccepted = (why: string) =>
  refusal(`External message was not accepted: cannot run message on account: ${why}`, NOT_ACCEPTED)

const execute = (executor: Executor, account: Cell, message: Cell, context: ExecutionContext): Executed => {
  try {
    return executor.ordinary(account, message, context)
  } catch (error) {
    if (isTonlithError(error, 'unsupported')) throw notAccepted(error.message)
    throw error
  }
}

/** Runs the message on the account. Throws the node's error when the account does not accept it. */
const ask = (check: AcceptanceCheck, entry: ShardAccount, { cell, dest }: SentMessage): void => {
  const { executor } = check
  const account = buildCell(storeShardAccount, entry)
  const context = contextAt(check)
  const executed = execute(executor, account, cell, context)
  if (executed.done) return
  const rejected = 'inbound external message rejected by'
  const id = dest.hash.toString('hex').toUpperCase()
  if (executed.reason === 'rejected') throw notAccepted(`${rejected} account ${id} before smart-contract execution`)
  const { steps, vm_log } = executor.trace(account, cell, context)
  const figures = `exitcode=${executed.exit_code}, steps=${steps}, gas_used=0`
  throw notAccepted(`${rejected} transaction ${id}:\n${figures}\nVM Log (truncated):\n...${vm_log}`)
}

/**
 * Asks an account whether it accepts a message, as a node does before it passes the message on. Gives the turn that a
 * message to a wallet waits for, undefined for other contracts. Throws the node's errors, with its codes.
 */
export const checkAcceptance = (message: SentMessage, check: AcceptanceCheck): WalletTurn | undefined => {
  const entry = accountAtHead(check.head, message.dest)
  if (!entry) throw refusal(NO_ACCOUNT)
  const wallet = knownWallet(entry)
  if (!wallet) {
    ask(check, entry, message)
    return undefined
  }
  const turn = turnOf(wallet, message.body)
  checkTurn(turn, wallet, check)
  ask(check, entryAtTurn(entry, wallet, turn), message)
  return turn
}

/** True when a wallet's seqno is still below that of a message which waits for its turn. */
export const isEarly = (
  head: SendingHead,
  { dest, turn }: { dest: SentMessage['dest']; turn: WalletTurn },
): boolean => {
  const entry = accountAtHead(head, dest)
  const wallet = entry && knownWallet(entry)
  return wallet ? wallet.seqno < turn.seqno : false
}
