import { LRUCache } from 'lru-cache'
import { isTonlithError, TonlithError } from '../common/errors.ts'
import { parseBocRoot } from '../ton/boc.ts'
import { beginCell } from '../ton/builder.ts'
import type { Cell } from '../ton/cell.ts'
import { buildDict } from '../ton/dictionary-writer.ts'
import type { PrevBlocks } from '../ton/prev-blocks.ts'
import { parseMessageInfo } from '../ton/tlb/message.ts'
import type { TvmConfig } from './config.ts'
import type { TransactionAnswer } from './emulator-answer.ts'
import { base64, encodePrevBlocks } from './encode.ts'
import type { TransactionRun } from './messages.ts'
import { mayReadBlocks } from './reads-blocks.ts'
import { createSpareEmulators } from './spare-emulators.ts'
import { type Substitute, withFailingCode, withoutCurrencies } from './substitute.ts'

/** What a transaction may see of its block. */
export interface ExecutionContext {
  /** Unix time in seconds. */
  now: number
  /** Least logical time of the transaction; it is later where the account or the message is. */
  lt: bigint
  /** The block's 32 bytes, not all of them zero; what the contract sees is mixed with its address. */
  rand_seed: Buffer
  /** Its `full` form is used. */
  config: TvmConfig
  /** Root of HashmapE 256 LibDescr of the masterchain state. */
  libraries: Cell | null
  /** The earlier masterchain blocks; give the same object as long as they are the same. */
  prevBlocks(): PrevBlocks
}

/** What came of a message. */
export type Executed =
  | {
      done: true
      /** TL-B Transaction. */
      transaction: Cell
      /** TL-B ShardAccount after it. */
      account: Cell
    }
  /** An external message that found no contract to ask: no state, frozen, or no money for the import fee. */
  | { done: false; reason: 'rejected' }
  /** An external message that the contract did not accept. */
  | { done: false; reason: 'not_accepted'; exit_code: number }

/** What the TVM did with an external message that was not accepted. */
export interface Trace {
  /** Instructions that it ran. */
  steps: number
  /** The end of what it logged, at most 256 characters. */
  vm_log: string
}

/** Makes transactions in this thread; a call holds it until the transaction is made. */
export interface Executor {
  /**
   * Runs the transaction of a message (TL-B Message Any, internal or external) on an account (TL-B ShardAccount, also of
   * an account that does not exist). An internal message to a contract at which the emulator breaks makes a transaction
   * that failed (exit code 2047). Throws `unsupported` for what the emulator refuses, and for an external message at
   * which it breaks; `unavailable` when it broke and no other one is ready: after `ready` the same call succeeds.
   */
  ordinary(account: Cell, message: Cell, context: ExecutionContext): Executed
  /** Runs a tick or tock transaction of a special account of the masterchain. Throws as `ordinary`. */
  tickTock(account: Cell, which: 'tick' | 'tock', context: ExecutionContext): Executed
  /** Runs an external message that was not accepted once more. Throws as `ordinary`. */
  trace(account: Cell, message: Cell, context: ExecutionContext): Trace
  /** Resolves when all emulators are there, after one broke. */
  ready(): Promise<void>
}

/** How the emulator says that no contract ran. */
const REJECTED = 'rejected by account'
/** As many emulators as one call may break: two at the account itself, one at each substitute. */
const SPARES = 3
/** Level of the emulator's log that tells every instruction, and nothing else. */
const ALL_INSTRUCTIONS = 1
/** Characters of accounts (BoC in base64) that are kept for the next transaction. */
const MAX_ACCOUNT_TEXTS = 16 << 20
/** Transactions of which is remembered that the emulator breaks at them. */
const MAX_BREAKING = 10_000
const LOG_CHARACTERS = 256
const INSTRUCTION = /^execute /gm

/** The emulator keeps the libraries of the run before where it gets none: this one can never be found. */
const NO_LIBRARIES = base64(
  buildDict([{ key: Buffer.alloc(32), store: (builder) => builder.ref(beginCell().endCell()) }], 256)!,
)

const paramsOf = (context: ExecutionContext, readsBlocks: boolean, more: object): string => {
  const { now, lt, rand_seed, config, prevBlocks } = context
  return JSON.stringify({
    utime: now,
    lt: String(lt),
    rand_seed: rand_seed.toString('hex'),
    ignore_chksig: false,
    debug_enabled: false,
    ...(readsBlocks && { prev_blocks_info: encodePrevBlocks(prevBlocks(), config.globalVersion) }),
    ...more,
  })
}

const encodedLibraries = new WeakMap<Cell, string>()

const librariesOf = ({ libraries }: ExecutionContext): string => {
  if (!libraries) return NO_LIBRARIES
  const text = encodedLibraries.get(libraries) ?? base64(libraries)
  encodedLibraries.set(libraries, text)
  return text
}

const keyOf = (cell: Cell): string => cell.hash().toString('latin1')

/** What tells runs apart: with another configuration, or other libraries, the emulator may well be able to run the same. */
const runKey = (account: Cell, message: Cell | null, { config, libraries }: ExecutionContext): string =>
  [account, message, libraries].map((cell) => (cell ? keyOf(cell) : '-')).join('') + config.full().key

const cellOf = (text: string): Cell => parseBocRoot(Buffer.from(text, 'base64'))

const accountTexts = new LRUCache<string, string>({
  maxSize: MAX_ACCOUNT_TEXTS,
  sizeCalculation: (text) => text.length + 100,
})

/** Accounts mostly come back as they were made, so that their text is known. */
const accountText = (account: Cell): string => accountTexts.get(keyOf(account)) ?? base64(account)

const accountOf = (text: string): Cell => {
  const account = cellOf(text)
  accountTexts.set(keyOf(account), text)
  return account
}

const isExternal = (message: Cell | null): boolean =>
  message !== null && parseMessageInfo(message)._ === 'ext_in_msg_info'

/** The account itself, then what stands in for it. */
function* attempts(account: Cell, external: boolean): Generator<Substitute | undefined> {
  yield { account, restore: (outcome) => outcome }
  yield withoutCurrencies(account)
  if (!external) yield withFailingCode(account)
}

/** Starts an executor; it can be used while its spare emulators still start. */
export const createExecutor = async (): Promise<Executor> => {
  const emulators = await createSpareEmulators(SPARES)
  /** How many attempts at a transaction are known to break the emulator. */
  const breaking = new LRUCache<string, number>({ max: MAX_BREAKING })

  const emulate = (run: TransactionRun, config: TvmConfig): TransactionAnswer =>
    emulators.use((emulator) => emulator.emulate(run, config.full()))
  const runOf = (account: Cell, message: Cell | null, context: ExecutionContext, more: object): TransactionRun => ({
    params: paramsOf(context, mayReadBlocks(account, message, context.libraries), more),
    account: accountText(account),
    message: message ? base64(message) : '',
    libraries: librariesOf(context),
  })
  const executedOf = (answer: TransactionAnswer, { restore }: Substitute): Executed => {
    if (answer.success) {
      const outcome = { transaction: cellOf(answer.transaction), account: accountOf(answer.shard_account) }
      return { done: true, ...restore(outcome) }
    }
    if (answer.external_not_accepted)
      return { done: false, reason: 'not_accepted', exit_code: answer.vm_exit_code ?? 0 }
    if (answer.error.includes(REJECTED)) return { done: false, reason: 'rejected' }
    throw new TonlithError('unsupported', `TVM: ${answer.error}`, { code: 500 })
  }
  /** Tries twice where nothing is known yet: it may have been the emulator's fault. */
  const tried = (run: TransactionRun, config: TvmConfig, first: boolean): TransactionAnswer | undefined => {
    for (let left = first ? 2 : 1; left > 0; left--) {
      try {
        return emulate(run, config)
      } catch (error) {
        if (isTonlithError(error, 'unavailable')) throw error
      }
    }
    return undefined
  }
  const execute = (account: Cell, message: Cell | null, context: ExecutionContext, more: object = {}): Executed => {
    const key = runKey(account, message, context)
    let attempt = 0
    for (const substitute of attempts(account, isExternal(message))) {
      const known = breaking.get(key) ?? 0
      if (attempt++ < known || !substitute) continue
      const answer = tried(runOf(substitute.account, message, context, more), context.config, attempt === 1)
      if (answer) return executedOf(answer, substitute)
      breaking.set(key, attempt)
    }
    throw new TonlithError('unsupported', 'TVM: this transaction cannot be emulated', { code: 500 })
  }
  return {
    ordinary: (account, message, context) => execute(account, message, context),
    tickTock: (account, which, context) =>
      execute(account, null, context, { is_tick_tock: true, is_tock: which === 'tock' }),
    trace: (account, message, context) => {
      const run = { ...runOf(account, message, context, {}), verbosity: ALL_INSTRUCTIONS }
      const log = emulate(run, context.config).vm_log ?? ''
      return { steps: log.match(INSTRUCTION)?.length ?? 0, vm_log: log.slice(-LOG_CHARACTERS) }
    },
    ready: emulators.ready,
  }
}
