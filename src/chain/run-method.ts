import { isTonlithError, TonlithError } from '../common/errors.ts'
import type { StopSignal } from '../common/stop.ts'
import type { Account, AccountSnapshot } from '../model/account.ts'
import { NO_TRANSACTION, type TransactionId } from '../model/transaction-id.ts'
import type { Address } from '../ton/address.ts'
import type { BlockIdExt } from '../ton/block-id.ts'
import type { Cell } from '../ton/cell.ts'
import { parseStack, type StackValue, stackInt } from '../ton/stack.ts'
import { tvmConfig } from '../tvm/config.ts'
import { runGetMethod } from '../tvm/get-method.ts'
import { readAccountAt } from './accounts.ts'
import { pinFor } from './arrival.ts'
import type { Pinned } from './blocks.ts'
import type { Chain } from './chain.ts'
import { configAt } from './config.ts'
import { findLibraries } from './libraries.ts'
import { prevBlocksAt } from './prev-blocks.ts'

/** A get-method and its arguments. */
export interface MethodCall {
  method_id: number
  /** TL-B VmStack: the arguments, the deepest first. */
  stack: Cell
  signal: StopSignal
  /** GAS_LIMIT when undefined. */
  gas_limit?: number | undefined
  /** Unix seconds that the contract is told; when undefined the time of the block whose state holds the account. */
  now?: number | undefined
}

export interface MethodQuery extends MethodCall {
  /** Masterchain block at which to run; the newest one when undefined. */
  seqno: number | undefined
}

/** A contract as a masterchain block has it, and the configuration of that block. */
export interface Contract {
  address: Address
  account: AccountSnapshot
  config: Cell
}

/** What a get-method left behind. */
export interface MethodResult {
  exit_code: number
  gas_used: number
  /** The deepest first. */
  stack: StackValue[]
  /** The masterchain block at which it ran, and the account's last transaction there. */
  block: BlockIdExt
  last_transaction: TransactionId
}

/** Gas of a get-method, as the reference allows it; a liteserver alone would give 300,000 (contracts/v2.md 9.3). */
const GAS_LIMIT = 4_000_000
/** Exit code for an account without code (contracts/v2.md 9.4). */
const NO_CODE = -13

const withoutCode = ({ block, last_transaction }: AccountSnapshot, { method_id, stack }: MethodCall): MethodResult => ({
  exit_code: NO_CODE,
  gas_used: 0,
  stack: [...parseStack(stack), stackInt(method_id)],
  block,
  last_transaction,
})

const readResult = (stack: Cell): StackValue[] => {
  try {
    return parseStack(stack)
  } catch (error) {
    if (isTonlithError(error, 'limit')) throw new TonlithError('unsupported', error.message, { code: 500 })
    throw error
  }
}

/** A contract at a masterchain block. Throws what reading the chain throws. */
export const openContract = async (
  chain: Chain,
  address: Address,
  pinned: Pinned,
  signal: StopSignal,
): Promise<Contract> => {
  const [account, config] = await Promise.all([
    readAccountAt(chain, address, pinned, signal),
    configAt(chain, pinned.id),
  ])
  return { address, account, config }
}

/** A contract that is not read, as if it stood at a masterchain block. */
export const givenContract = async (
  chain: Chain,
  address: Address,
  given: Pick<Account, 'code' | 'data' | 'balance' | 'extra_currencies'>,
  { id, gen_utime }: Pinned,
): Promise<Contract> => ({
  address,
  account: {
    ...given,
    address,
    status: 'active',
    last_transaction: NO_TRANSACTION,
    frozen_hash: null,
    block: id,
    gen_utime,
  },
  config: await configAt(chain, id),
})

/** As runMethod, on a contract that was opened before. */
export const callContract = async (
  chain: Chain,
  { address, account, config }: Contract,
  call: MethodCall,
): Promise<MethodResult> => {
  const { method_id, stack, signal } = call
  const { code, data, balance, extra_currencies, gen_utime, block, last_transaction } = account
  if (!code) return withoutCode(account, call)
  const result = await runGetMethod(
    chain.tvm,
    {
      address,
      code,
      data,
      balance,
      extra_currencies,
      now: call.now ?? gen_utime,
      config: tvmConfig(config),
      method_id,
      stack,
      gas_limit: call.gas_limit ?? GAS_LIMIT,
      libraries: (hashes) => findLibraries(chain, block, hashes),
      prevBlocks: () => prevBlocksAt(chain, block),
    },
    signal,
  )
  const { exit_code, gas_used } = result
  return { exit_code, gas_used, stack: readResult(result.stack), block, last_transaction }
}

/**
 * Runs a get-method on the state that an account has at a masterchain block, with the configuration, the libraries and
 * the earlier blocks of that block. An exception in the contract is a result, not an error; an account without code gives
 * exit code -13 and its arguments back. Throws what reading the chain and running the TVM throw, and `unsupported`
 * for a result that is too large.
 */
export const runMethod = async (chain: Chain, address: Address, query: MethodQuery): Promise<MethodResult> => {
  const pinned = await pinFor(chain, address, query.seqno, query.signal)
  return callContract(chain, await openContract(chain, address, pinned, query.signal), query)
}
