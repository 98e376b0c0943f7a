import { LRUCache } from 'lru-cache'
import { TonlithError } from '../common/errors.ts'
import { parseBocRoot } from '../ton/boc.ts'
import { beginCell } from '../ton/builder.ts'
import type { Cell } from '../ton/cell.ts'
import { buildDict } from '../ton/dictionary-writer.ts'
import type { PrevBlocks } from '../ton/prev-blocks.ts'
import type { TvmConfig } from './config.ts'
import { createEmulator, type Emulator, MAX_EMULATOR_BYTES } from './emulator.ts'
import type { TransactionAnswer } from './emulator-answer.ts'
import { base64, encodePrevBlocks } from './encode.ts'
import type { TransactionRun } from './messages.ts'
import { mayReadBlocks } from './reads-blocks.ts'

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
  | {
      done: false
      reason: 'not_accepted'
      exit_code: number
    }

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
   * an account that does not exist). Throws `unsupported` for what the emulator refuses or breaks at, `unavailable` when
   * it broke and no other one is ready.
   */
  ordinary(account: Cell, message: Cell, context: ExecutionContext): Executed
  /** Runs a tick or tock transaction of a special account of the masterchain. Throws as `ordinary`. */
  tickTock(account: Cell, which: 'tick' | 'tock', context: ExecutionContext): Executed
  /** Runs an external message that was not accepted once more. Throws as `ordinary`. */
  trace(account: Cell, message: Cell, context: ExecutionContext): Trace
  /** Resolves when an emulator is ready, after one broke. */
  ready(): Promise<void>
}

/** How the emulator says that no contract ran. */
const REJECTED = 'rejected by account'
/** Emulators that wait to take the place of one that breaks: a call tries two of them. */
const SPARES = 2
/** Level of the emulator's log that tells every instruction, and nothing else. */
const ALL_INSTRUCTIONS = 1
/** Characters of accounts (BoC in base64) that are kept for the next transaction. */
const MAX_ACCOUNT_TEXTS = 16 << 20
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

const cellOf = (text: string): Cell => parseBocRoot(Buffer.from(text, 'base64'))

const accountTexts = new LRUCache<string, string>({
  maxSize: MAX_ACCOUNT_TEXTS,
  sizeCalculation: (text) => text.length + 100,
})

/** Accounts mostly come back as they were made, so that their text is known. */
const accountText = (account: Cell): string => accountTexts.get(account.hash().toString('latin1')) ?? base64(account)

const accountOf = (text: string): Cell => {
  const account = cellOf(text)
  accountTexts.set(account.hash().toString('latin1'), text)
  return account
}

/** Starts an executor with its emulators. */
export const createExecutor = async (): Promise<Executor> => {
  const emulators: Emulator[] = []
  let starting: Promise<void> | undefined

  const refill = async (): Promise<void> => {
    while (emulators.length <= SPARES) emulators.push(await createEmulator())
    starting = undefined
  }
  const replace = (): void => {
    emulators.shift()
    starting ??= refill()
  }
  const current = (): Emulator => {
    const [first] = emulators
    if (!first) throw new TonlithError('unavailable', 'TVM: no emulator is ready')
    return first
  }
  const attempt = (run: TransactionRun, config: TvmConfig): TransactionAnswer => {
    const emulator = current()
    try {
      const answer = emulator.emulate(run, config.full())
      if (emulator.memoryBytes() > MAX_EMULATOR_BYTES) replace()
      return answer
    } catch (error) {
      replace()
      throw error
    }
  }
  const emulate = (run: TransactionRun, config: TvmConfig): TransactionAnswer => {
    try {
      return attempt(run, config)
    } catch {
      try {
        return attempt(run, config)
      } catch (cause) {
        throw new TonlithError('unsupported', 'TVM: this transaction cannot be emulated', { code: 500, cause })
      }
    }
  }
  const runOf = (account: Cell, message: Cell | null, context: ExecutionContext, more: object): TransactionRun => ({
    params: paramsOf(context, mayReadBlocks(account, message, context.libraries), more),
    account: accountText(account),
    message: message ? base64(message) : '',
    libraries: librariesOf(context),
  })
  const execute = (account: Cell, message: Cell | null, context: ExecutionContext, more: object = {}): Executed => {
    const answer = emulate(runOf(account, message, context, more), context.config)
    if (answer.success)
      return { done: true, transaction: cellOf(answer.transaction), account: accountOf(answer.shard_account) }
    if (answer.external_not_accepted)
      return { done: false, reason: 'not_accepted', exit_code: answer.vm_exit_code ?? 0 }
    if (answer.error.includes(REJECTED)) return { done: false, reason: 'rejected' }
    throw new TonlithError('unsupported', `TVM: ${answer.error}`, { code: 500 })
  }
  await refill()
  return {
    ordinary: (account, message, context) => execute(account, message, context),
    tickTock: (account, which, context) =>
      execute(account, null, context, { is_tick_tock: true, is_tock: which === 'tock' }),
    trace: (account, message, context) => {
      const run = { ...runOf(account, message, context, {}), verbosity: ALL_INSTRUCTIONS }
      const answer = emulate(run, context.config)
      const log = answer.vm_log ?? ''
      return { steps: log.match(INSTRUCTION)?.length ?? 0, vm_log: log.slice(-LOG_CHARACTERS) }
    },
    ready: async () => {
      await starting
    },
  }
}
