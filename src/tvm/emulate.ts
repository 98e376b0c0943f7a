import { isTonlithError, TonlithError } from '../common/errors.ts'
import type { StopSignal } from '../common/stop.ts'
import { parseBocRoot } from '../ton/boc.ts'
import { beginCell } from '../ton/builder.ts'
import type { Cell } from '../ton/cell.ts'
import { buildDict } from '../ton/dictionary-writer.ts'
import type { PrevBlocks } from '../ton/prev-blocks.ts'
import { mayReadPrevBlocks } from './code-scan.ts'
import type { TvmConfig } from './config.ts'
import type { TransactionAnswer } from './emulator-answer.ts'
import { base64, encodePrevBlocks, libraryDict } from './encode.ts'
import type { Executed } from './executor.ts'
import { libraryHashes } from './library-cells.ts'
import type { TransactionTask, TvmPool } from './pool.ts'

/** A message that an account is to process, and all that it may see while it does. */
export interface TransactionCall {
  /** TL-B ShardAccount before the transaction. */
  account: Cell
  /** The code that may run: the account's, and that of a StateInit in the message. */
  codes: readonly Cell[]
  /** TL-B Message Any. */
  message: Cell
  /** Unix time in seconds. */
  now: number
  /** The transaction's logical time is at least this, and more than that of the account's last one. */
  lt: bigint
  /** 32 bytes, not all of them zero. */
  rand_seed: Buffer
  config: TvmConfig
  /** Every signature counts as valid. */
  ignore_chksig: boolean
  /** Looks public libraries up by hash; those that do not exist are left out. Asked once for each. */
  libraries(hashes: readonly Buffer[]): Promise<readonly Cell[]>
  /** The earlier masterchain blocks; asked for only when the code may read them. */
  prevBlocks(): Promise<PrevBlocks>
}

/** Libraries that name libraries: a chain longer than this is not followed. */
const MAX_LIBRARY_ROUNDS = 8
/** What the VM logs when it meets a library cell that it does not find. */
const NO_LIBRARY = 'failed to load library cell'
/** How the emulator says that no contract ran: no state, frozen, no funds for the import. */
const REJECTED = 'rejected by account'

/** The emulator keeps the libraries of the run before where it gets none: this one can never be found. */
const NO_LIBRARIES = base64(
  buildDict([{ key: Buffer.alloc(32), store: (builder) => builder.ref(beginCell().endCell()) }], 256)!,
)

/** The libraries of a call, filled from cells that may name some. */
interface Known {
  readonly asked: Set<string>
  readonly libraries: Cell[]
}

/** Looks up what the cells name, and what is named by that in turn; true when something was found. */
const addLibraries = async (call: TransactionCall, known: Known, roots: readonly Cell[]): Promise<boolean> => {
  const before = known.libraries.length
  let named = libraryHashes(roots)
  for (let round = 0; round < MAX_LIBRARY_ROUNDS; round++) {
    const wanted = named.filter((hash) => !known.asked.has(hash))
    if (wanted.length === 0) break
    for (const hash of wanted) known.asked.add(hash)
    const found = await call.libraries(wanted.map((hash) => Buffer.from(hash, 'hex')))
    known.libraries.push(...found)
    named = libraryHashes(found)
  }
  return known.libraries.length > before
}

const taskOf = (call: TransactionCall, known: Known, prevBlocks: PrevBlocks | undefined): TransactionTask => {
  const { account, message, now, lt, rand_seed, ignore_chksig, config } = call
  const params = {
    utime: now,
    lt: String(lt),
    rand_seed: rand_seed.toString('hex'),
    ignore_chksig,
    debug_enabled: false,
    ...(prevBlocks && { prev_blocks_info: encodePrevBlocks(prevBlocks, config.globalVersion) }),
  }
  const transaction = {
    params: JSON.stringify(params),
    account: base64(account),
    message: base64(message),
    libraries: libraryDict(known.libraries) || NO_LIBRARIES,
  }
  return { transaction, config: config.full() }
}

const emulate = async (
  pool: TvmPool,
  task: TransactionTask,
  signal: StopSignal | undefined,
): Promise<TransactionAnswer> => {
  try {
    return await pool.emulate(task, signal)
  } catch (cause) {
    if (!isTonlithError(cause, 'internal')) throw cause
    throw new TonlithError('unsupported', 'TVM: this transaction cannot be emulated', { code: 500, cause })
  }
}

const missedLibrary = ({ vm_log }: TransactionAnswer): boolean => vm_log?.includes(NO_LIBRARY) === true

const cellOf = (text: string): Cell => parseBocRoot(Buffer.from(text, 'base64'))

const executedOf = (answer: TransactionAnswer): Executed => {
  if (answer.success)
    return { done: true, transaction: cellOf(answer.transaction), account: cellOf(answer.shard_account) }
  if (answer.external_not_accepted) return { done: false, reason: 'not_accepted', exit_code: answer.vm_exit_code ?? 0 }
  if (answer.error.includes(REJECTED)) return { done: false, reason: 'rejected' }
  throw new TonlithError('unsupported', `TVM: ${answer.error}`, { code: 500 })
}

/**
 * Runs the transaction that an account would make of a message, in the pool's Workers. Libraries are looked for in the code first, in the whole
 * account and the message when a run has missed one. Throws what the pool, `libraries` and `prevBlocks` throw, and
 * `unsupported` for what the emulator refuses or breaks at: a message that carries more of an extra currency than there is.
 */
export const emulateTransaction = async (
  pool: TvmPool,
  call: TransactionCall,
  signal?: StopSignal,
): Promise<Executed> => {
  const known: Known = { asked: new Set(), libraries: [] }
  await addLibraries(call, known, call.codes)
  const run = (prevBlocks?: PrevBlocks) => emulate(pool, taskOf(call, known, prevBlocks), signal)
  const readsBlocks = [...call.codes, ...known.libraries].some(mayReadPrevBlocks)
  const answer = await run(readsBlocks ? await call.prevBlocks() : undefined)
  if (!missedLibrary(answer) || !(await addLibraries(call, known, [call.account, call.message])))
    return executedOf(answer)
  return executedOf(await run(await call.prevBlocks()))
}
