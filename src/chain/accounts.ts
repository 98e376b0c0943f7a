import type { StopSignal } from '../common/stop.ts'
import { getAccountState, getAccountStatePrunned } from '../liteserver/client.ts'
import type { RunOptions } from '../liteserver/request.ts'
import { type Account, type AccountSnapshot, readAccountCell } from '../model/account.ts'
import { NO_TRANSACTION, type TransactionId } from '../model/transaction-id.ts'
import { type Address, rawAddress } from '../ton/address.ts'
import type { BlockIdExt } from '../ton/block-id.ts'
import { beginCell } from '../ton/builder.ts'
import type { Cell } from '../ton/cell.ts'
import type { ProvenAccount } from '../ton/proof/account.ts'
import { configParam } from '../ton/tlb/config-params.ts'
import { isSuspendedAddress, parseSuspendedAddressList } from '../ton/tlb/suspended-address-list.ts'
import type { AccountEdge, AccountReading } from './account-cache.ts'
import { awaitAccount, pinFor } from './arrival.ts'
import type { Pinned } from './blocks.ts'
import type { Chain } from './chain.ts'
import { configAt } from './config.ts'
import { headBlock } from './head.ts'

export interface AccountQuery {
  /** Masterchain block at which to read; the newest one when undefined. */
  seqno: number | undefined
  signal: StopSignal
}

const SUSPENDED_ADDRESSES = 44
/** TL-B account_none$0. */
const ACCOUNT_NONE = beginCell().bit(false).endCell()

const lastTransaction = (entry: ProvenAccount['shard_account']): TransactionId =>
  entry ? { lt: entry.last_trans_lt, hash: entry.last_trans_hash } : NO_TRANSACTION

const accountId = ({ workchain, hash }: Address) => ({ workchain, id: hash })

/** What the account is remembered under, as the masterchain block has it. */
const keyOf = (address: Address, { root_hash }: BlockIdExt): string =>
  `${rawAddress(address)} ${root_hash.toString('latin1')}`

/** An account's entry as the given masterchain block has it, with its proof; at most one question to one liteserver. */
export const proveAccount = (
  { pool, trust, accounts }: Chain,
  address: Address,
  { id }: Pinned,
  signal: StopSignal,
): Promise<ProvenAccount> => {
  const request = { id, account: accountId(address) }
  const load = (signal: StopSignal): Promise<AccountReading<ProvenAccount>> =>
    pool.run(
      async (query) => {
        const answer = await getAccountState(query, id, request.account)
        const state = Buffer.from(answer.state)
        return { value: trust.checkAccountState({ ...answer, state }, request), bytes: state.length }
      },
      { signal, minSeqno: id.seqno },
    )
  return accounts.get(keyOf(address, id), load, signal)
}

/** TL-B ShardAccount: the account's cell and its last transaction. Without an entry it is that of account_none. */
export const shardAccountCell = ({ account, shard_account }: ProvenAccount): Cell => {
  const { lt, hash } = lastTransaction(shard_account)
  return beginCell()
    .ref(account ?? ACCOUNT_NONE)
    .bytes(hash)
    .uint(lt, 64)
    .endCell()
}

const accounts = new WeakMap<ProvenAccount, Account>()

/** A proven account, read once: what is remembered of it is asked for again and again. */
const accountOf = (address: Address, proven: ProvenAccount): Account => {
  const { account, shard_account } = proven
  return accounts.getOrInsertComputed(proven, () => readAccountCell(address, account, lastTransaction(shard_account)))
}

/** An account as the given masterchain block has it; one question to one liteserver. */
export const readAccountAt = async (
  chain: Chain,
  address: Address,
  pinned: Pinned,
  signal: StopSignal,
): Promise<AccountSnapshot> => {
  const { id, gen_utime } = pinned
  const proven = await proveAccount(chain, address, pinned, signal)
  return {
    ...accountOf(address, proven),
    address,
    block: id,
    gen_utime: proven.shard_block ? proven.gen_utime : gen_utime,
  }
}

/**
 * An account as the masterchain block with this seqno (or the newest one) has it; one question to one liteserver when no
 * seqno is given. An account that does not exist is an answer, not an error.
 */
export const readAccount = async (
  chain: Chain,
  address: Address,
  { seqno, signal }: AccountQuery,
): Promise<AccountSnapshot> => readAccountAt(chain, address, await pinFor(chain, address, seqno, signal), signal)

/** shardAccountCell of an account as the masterchain block with this seqno (or the newest one) has it. */
export const readShardAccount = async (
  chain: Chain,
  address: Address,
  { seqno, signal }: AccountQuery,
): Promise<Cell> => {
  const pinned = await pinFor(chain, address, seqno, signal)
  return shardAccountCell(await proveAccount(chain, address, pinned, signal))
}

/**
 * The account, and whether configuration parameter 44 suspends the account at that block. The parameter is asked for once
 * per key block.
 */
export const readAccountWithSuspension = async (
  chain: Chain,
  address: Address,
  { seqno, signal }: AccountQuery,
): Promise<{ account: AccountSnapshot; suspended: boolean }> => {
  const pinned = await pinFor(chain, address, seqno, signal)
  const [account, config] = await Promise.all([
    readAccountAt(chain, address, pinned, signal),
    configAt(chain, pinned.id),
  ])
  const list = configParam(config, SUSPENDED_ADDRESSES)
  const suspended = list !== null && isSuspendedAddress(parseSuspendedAddressList(list), address, account.gen_utime)
  return { account, suspended }
}

const edgeOf = ({ shard_account, end_lt }: ProvenAccount): AccountEdge => ({
  transaction: lastTransaction(shard_account),
  end_lt,
})

/** Where the account stands at the head, without its code and data; nobody is asked where that is known. */
export const accountEdge = async (
  chain: Chain,
  address: Address,
  { signal, archival }: Pick<RunOptions, 'signal' | 'archival'>,
): Promise<AccountEdge> => {
  await awaitAccount(chain, address, signal)
  const { id } = headBlock(chain)
  const { pool, trust, accounts, edges } = chain
  const key = keyOf(address, id)
  const known = accounts.known(key)
  if (known) return edgeOf(known)
  const request = { id, account: accountId(address) }
  const load = (signal: StopSignal): Promise<AccountReading<AccountEdge>> =>
    pool.run(
      async (query) => {
        const answer = await getAccountStatePrunned(query, id, request.account)
        return { value: edgeOf(trust.checkAccountStatePrunned(answer, request)), bytes: 0 }
      },
      { signal, archival, minSeqno: id.seqno },
    )
  return edges.get(`${key} ${archival}`, load, signal)
}
