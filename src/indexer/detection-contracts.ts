import { isTonlithError, TonlithError } from '../common/errors.ts'
import type { GetMethods } from '../contracts/get-methods.ts'
import type { Batch, BatchAccount } from '../model/batch.ts'
import { knownCells } from '../store/account-cells.ts'
import type { IndexStore } from '../store/index-store.ts'
import { newestMasterchain } from '../store/masterchain-rows.ts'
import { storedAccount } from '../store/stored-account.ts'
import { type Address, rawAddress } from '../ton/address.ts'
import { type BlockIdExt, MASTERCHAIN } from '../ton/block-id.ts'
import type { Cell } from '../ton/cell.ts'
import { methodId } from '../ton/method-id.ts'
import type { PrevBlocks } from '../ton/prev-blocks.ts'
import { buildStack, parseStack, type StackValue } from '../ton/stack.ts'
import { configAddresses } from '../ton/tlb/config-addresses.ts'
import { type TvmConfig, tvmConfig } from '../tvm/config.ts'
import { type GetMethodCall, runGetMethod } from '../tvm/get-method.ts'
import type { TvmRunner } from '../tvm/local.ts'
import { wholePart } from './accounts.ts'
import type { CodeBook, KnownCode } from './code-book.ts'
import type { DetectionCounts, DetectionFault } from './detection-counts.ts'
import type { DetectionSource } from './detection-source.ts'

/** A contract that get-methods can be run on, or an account that is none. */
export interface ContractState extends Pick<BatchAccount, 'balance' | 'extra_currencies' | 'code_hash' | 'data_hash'> {
  /** Null where there is none; what the store has may be pruned in it. */
  code: Cell | null
  data: Cell | null
}

/** Looks and runs at one masterchain block. */
export interface DetectionContracts {
  /** Get-methods as one account is detected by; `depth` counts the accounts that led to it. */
  methods(depth: number): GetMethods
  /** What is known of the code of an account; undefined where it has none. */
  codeOf(state: ContractState): Promise<KnownCode | undefined>
  /** The data of an account whole. Throws `limit` when that is nowhere. */
  dataOf(state: ContractState): Cell | null
  /** Account states that were fetched and are to be stored, each with its depth. */
  foreign: [account: BatchAccount, depth: number][]
  fault(fault: DetectionFault): void
}

export interface DetectionContractsOptions {
  store: IndexStore
  batch: Batch
  /** Root of the configuration's dictionary. */
  config: Cell
  tvm: TvmRunner
  codes: CodeBook
  source: DetectionSource
  counts: DetectionCounts
  /** Accounts that could not be fetched, by raw address, with the seqno at which that was. */
  failures: { get(name: string): number | undefined; set(name: string, seqno: number): void }
}

/** Gas of one get-method: what liteservers give. Those that tell what a contract is take less than 50,000. */
export const METHOD_GAS = 300_000
/** Gas of all of a block: a full block takes a million. */
const BATCH_GAS = 10_000_000
/** Gas of a run that counts as long, and what the long runs of a block may take of codes that are not tame. */
const LONG_RUN = 20_000
const BATCH_LONG_GAS = 200_000
/** What a run counts for that the TVM refuses; what runGetMethod says of one that did not begin, which costs nothing. */
const REFUSED_GAS = 60_000
const NOT_BEGUN = "TVM: Can't decode params"
/** Accounts that are fetched for the sake of others, in a block and for one account. */
const BATCH_FETCHES = 512
const ACCOUNT_FETCHES = 6
/** A wallet's master, an item's collection: what leads further is not followed. */
const MAX_DEPTH = 2
/** Masterchain blocks before an account that nobody has is asked for again. */
const RETRY_AFTER = 200
const OUT_OF_GAS = new Set([-14, 13])
/** The name of no method. */
const NO_METHOD = 'no contract has a method of this name'

/** What a contract is does not depend on earlier blocks: none are shown to it. */
const NO_PREV_BLOCKS: PrevBlocks = {
  last_mc_blocks: [],
  prev_key_block: { workchain: -1, shard: 0n, seqno: 0, root_hash: Buffer.alloc(32), file_hash: Buffer.alloc(32) },
  last_mc_blocks_100: [],
}

/** Nothing can be told: what is stored stays. */
const unknown = (what: string): TonlithError => new TonlithError('limit', what)

/** The contract or its answer is beyond what the TVM or we can take. */
const isRefusal = (error: unknown): error is TonlithError =>
  (isTonlithError(error, 'unsupported') && error.code !== undefined) ||
  isTonlithError(error, 'limit') ||
  isTonlithError(error, 'malformed')

/** The contracts of a batch, of the store and of the network, in this order. */
export const openDetectionContracts = (options: DetectionContractsOptions): DetectionContracts => {
  const { store, batch, config, tvm, codes, source, counts, failures } = options
  const cells = knownCells(store.tables.account_cells)
  const own = new Map(batch.accounts.map((account) => [rawAddress(account.address), account]))
  const states = new Map<string, Promise<ContractState | undefined>>()
  const wholes = new Map<ContractState, Cell | null>()
  const foreign: DetectionContracts['foreign'] = []
  let settings: TvmConfig | undefined
  let gas = 0
  let longGas = 0
  let running: Promise<unknown> = Promise.resolve()
  let fetches = 0

  const fault = (of: DetectionFault): void => {
    counts.faults[of]++
  }

  const wholeOf = (part: Cell | null, hash: Buffer | null): Cell | null => {
    const whole = part && wholePart(part, cells)
    if (whole === undefined || (part === null && hash !== null)) {
      fault('unreachable')
      throw unknown('a state whose cells are nowhere')
    }
    return whole
  }

  const dataOf = (state: ContractState): Cell | null => {
    const kept = wholes.get(state)
    if (kept !== undefined) return kept
    const whole = wholeOf(state.data, state.data_hash)
    wholes.set(state, whole)
    return whole
  }

  const codeOf = async (state: ContractState): Promise<KnownCode | undefined> => {
    const { code, code_hash } = state
    return code_hash ? await codes.of(code_hash, () => wholeOf(code, code_hash) ?? undefined) : undefined
  }

  /**
   * Accounts that the index does not know are fetched as they are behind all that it has, also for a block far below: from
   * there on it sees each of their changes.
   */
  const newest = (): BlockIdExt => {
    const stored = newestMasterchain(store.tables)
    return stored && stored.seqno > batch.mc.seqno ? stored : batch.mc
  }

  const fetch = async (address: Address, name: string, depth: number): Promise<ContractState | undefined> => {
    const failed = failures.get(name)
    const { seqno } = batch.mc
    if (failed !== undefined && Math.abs(seqno - failed) < RETRY_AFTER) {
      fault('unreachable')
      throw unknown('an account that nobody has')
    }
    if (++fetches > BATCH_FETCHES) {
      fault('budget')
      throw unknown('too many accounts to fetch')
    }
    const found = await source.account(address, newest())
    counts.fetched++
    if (found === null) {
      failures.set(name, seqno)
      fault('unreachable')
      throw unknown('an account that nobody has')
    }
    if (found?.atBlock) foreign.push([found.account, depth + 1])
    return found?.account
  }

  const stateOf = (address: Address, depth: number, allow: () => void): Promise<ContractState | undefined> => {
    const name = rawAddress(address)
    const kept = states.get(name)
    if (kept) return kept
    const held = own.get(name) ?? storedAccount(store, address)
    if (!held) allow()
    const coming = held ? Promise.resolve(held) : fetch(address, name, depth)
    states.set(name, coming)
    coming.catch(() => {})
    return coming
  }

  const isSpent = (code: KnownCode): boolean => gas > BATCH_GAS || (longGas > BATCH_LONG_GAS && !code.isTame())

  const call = async (
    address: Address,
    state: ContractState,
    code: KnownCode,
    method_id: number,
    stack: Cell,
  ): Promise<{ exit_code: number; stack: Cell }> => {
    settings ??= tvmConfig(config)
    const request: GetMethodCall = {
      address,
      code: code.cell,
      data: dataOf(state),
      balance: state.balance,
      extra_currencies: state.extra_currencies.map(([id, amount]) => ({ id, amount })),
      now: batch.gen_utime,
      config: settings,
      method_id,
      stack,
      gas_limit: METHOD_GAS,
      libraries: source.libraries,
      prevBlocks: async () => NO_PREV_BLOCKS,
    }
    counts.runs++
    const result = await runGetMethod(tvm, request)
    const { gas_used } = result
    gas += gas_used
    if (gas_used > LONG_RUN && !code.isTame()) longGas += gas_used
    code.took(gas_used)
    return result
  }

  /** True when code that does not name its methods ended as it ends for a method that nobody has. */
  const isMissing = async (address: Address, state: ContractState, code: KnownCode, exit: number): Promise<boolean> => {
    if (code.noMethodExit === undefined) return false
    code.noMethodExit ??= (await call(address, state, code, methodId(NO_METHOD), buildStack([]))).exit_code
    return code.noMethodExit === exit
  }

  const run = async (
    address: Address,
    state: ContractState,
    method: string,
    args: readonly StackValue[],
  ): Promise<readonly StackValue[] | undefined> => {
    const code = await codeOf(state)
    if (!code?.mayHave(method)) return undefined
    if (isSpent(code)) {
      fault('budget')
      throw unknown('the gas of this block is spent')
    }
    const stack = buildStack(args)
    dataOf(state)
    try {
      const result = await call(address, state, code, methodId(method), stack)
      const outOfGas = OUT_OF_GAS.has(result.exit_code)
      code.ended(method, outOfGas ? 'gas' : 'well')
      if (result.exit_code === 0) return parseStack(result.stack)
      if (outOfGas) fault('gas')
      else if (await isMissing(address, state, code, result.exit_code)) code.lacks(method)
    } catch (error) {
      if (!isRefusal(error)) throw error
      if (error.message !== NOT_BEGUN) longGas += REFUSED_GAS
      code.ended(method, 'refused')
      fault('refused')
    }
    return undefined
  }

  return {
    foreign,
    fault,
    codeOf,
    dataOf,
    methods: (depth) => {
      let left = ACCOUNT_FETCHES
      const allow = (): void => {
        if (depth < MAX_DEPTH && left-- > 0) return
        fault('budget')
        throw unknown('too many accounts behind one')
      }
      return {
        run: async (address, method, args = []) => {
          const state = await stateOf(address, depth, allow)
          if (!state || !(await codeOf(state))?.mayHave(method)) return undefined
          const mine = running.then(() => run(address, state, method, args))
          running = mine.catch(() => {})
          return mine
        },
        dnsRoot: async () => {
          const hash = configAddresses(config).dns_root_addr
          return hash ? { workchain: MASTERCHAIN, hash } : undefined
        },
        fault,
      }
    },
  }
}
