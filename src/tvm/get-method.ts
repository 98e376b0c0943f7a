import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { TonlithError } from '../common/errors.ts'
import type { StopSignal } from '../common/stop.ts'
import type { ExtraCurrency } from '../model/extra-currency.ts'
import { type Address, rawAddress } from '../ton/address.ts'
import { parseBocRoot } from '../ton/boc.ts'
import { beginCell } from '../ton/builder.ts'
import { type Cell, LIBRARY } from '../ton/cell.ts'
import { libraryHash } from '../ton/library.ts'
import type { PrevBlocks } from '../ton/prev-blocks.ts'
import { mayReadPrevBlocks } from './code-scan.ts'
import type { ConfigForm, TvmConfig } from './config.ts'
import type { EmulatorAnswer } from './emulator-answer.ts'
import { base64, encodePrevBlocks, libraryDict } from './encode.ts'
import type { TvmPool, TvmTask } from './pool.ts'

/** A get-method of a contract at some block, and all that it may see there. */
export interface GetMethodCall {
  address: Address
  code: Cell
  data: Cell | null
  /** Nano-units. */
  balance: bigint
  extra_currencies: readonly ExtraCurrency[]
  /** Unix time in seconds that the method sees. */
  now: number
  config: TvmConfig
  method_id: number
  /** TL-B VmStack: the arguments, the deepest first. */
  stack: Cell
  gas_limit: number
  /** Looks public libraries up by hash; those that do not exist are left out. Asked once for each. */
  libraries(hashes: readonly Buffer[]): Promise<readonly Cell[]>
  /** The earlier masterchain blocks; asked for only when the code may read them. */
  prevBlocks(): Promise<PrevBlocks>
}

export interface GetMethodResult {
  exit_code: number
  gas_used: number
  /** TL-B VmStack: what the method left behind, the deepest first. */
  stack: Cell
}

/** Rounds of looking for a library that a run missed (contracts/v2.md 9.3). */
const MAX_LIBRARY_ROUNDS = 8
/** Libraries that are given from the start to code that needed them before. */
const MAX_KNOWN_LIBRARIES = 32
/** What the TVM throws at code that meets a null where it expected the tuple of earlier blocks. */
const TYPE_CHECK_ERROR = 7
const MAX_CODE_BYTES = 32 << 20
/** What the emulator says of a result that does not fit into cells of depth 1024. */
const TOO_DEEP = "Couldn't serialize stack"

interface KnownCode {
  /** Its hash. */
  key: string
  boc: string
  mayReadPrevBlocks: boolean
  /** Libraries (hash in hex) that earlier runs of it needed. */
  libraries: Set<string>
}

/** The hashes of contracts that are at hand are asked for again and again. */
const hashTexts = new WeakMap<Cell, string>()
const hashText = (cell: Cell): string => hashTexts.getOrInsertComputed(cell, () => cell.hash().toString('base64'))

const EMPTY_CELL = base64(beginCell().endCell())

const knownCodes = new LRUCache<string, KnownCode>({
  maxSize: MAX_CODE_BYTES,
  sizeCalculation: ({ boc }) => boc.length + 200,
})

const readCode = (code: Cell): KnownCode => {
  const key = hashText(code)
  const known = knownCodes.get(key)
  if (known) return known
  const made = { key, boc: base64(code), mayReadPrevBlocks: mayReadPrevBlocks(code), libraries: new Set<string>() }
  if (code.type === LIBRARY) made.libraries.add(libraryHash(code).toString('hex'))
  knownCodes.set(key, made)
  return made
}

const codesByCell = new WeakMap<Cell, KnownCode>()
const codeOf = (code: Cell): KnownCode => codesByCell.getOrInsertComputed(code, readCode)

/** `id=amount` for each, with blanks between. */
const currenciesText = (currencies: readonly ExtraCurrency[]): string =>
  currencies.map(({ id, amount }) => `${id >>> 0}=${amount}`).join(' ')

/** What changes from one run of a call to the next. */
interface Attempt {
  config: ConfigForm
  libraries: Map<string, Cell>
  prevBlocks: PrevBlocks | undefined
}

const taskOf = (call: GetMethodCall, code: KnownCode, stack: string, attempt: Attempt): TvmTask => {
  const { config, libraries, prevBlocks } = attempt
  const address = rawAddress(call.address)
  const extra_currencies = currenciesText(call.extra_currencies)
  const prev_blocks = prevBlocks ? encodePrevBlocks(prevBlocks, call.config.globalVersion) : ''
  const parts = [
    ...[address, code.key, call.data ? hashText(call.data) : '', extra_currencies],
    ...[...libraries.keys(), prev_blocks && hash('sha256', prev_blocks)],
  ]
  return {
    method: {
      contract: parts.join(' '),
      method_id: call.method_id,
      stack,
      now: call.now,
      balance: String(call.balance),
      gas_limit: call.gas_limit,
    },
    texts: () => {
      const data = call.data ? base64(call.data) : EMPTY_CELL
      return {
        code: code.boc,
        data,
        address,
        libraries: libraryDict(libraries.values()),
        extra_currencies,
        prev_blocks,
      }
    },
    config,
  }
}

type Finished = Extract<EmulatorAnswer, { success: true }>

const finished = (answer: EmulatorAnswer): Finished => {
  if (answer.success) return answer
  const text = answer.error === TOO_DEEP ? 'TVM stack size exceeds limit' : `TVM: ${answer.error}`
  throw new TonlithError('unsupported', text, { code: 500 })
}

/** Looks for libraries that are not there yet; true when one was found. */
const addLibraries = async (call: GetMethodCall, attempt: Attempt, wanted: readonly string[]): Promise<boolean> => {
  const hashes = wanted.filter((hash) => !attempt.libraries.has(hash)).map((hash) => Buffer.from(hash, 'hex'))
  if (hashes.length === 0) return false
  const found = await call.libraries(hashes)
  for (const cell of found) attempt.libraries.set(cell.hash().toString('hex'), cell)
  return found.length > 0
}

const needPrevBlocks = (code: KnownCode, { libraries }: Attempt): boolean =>
  code.mayReadPrevBlocks || libraries.values().some((library) => codeOf(library).mayReadPrevBlocks)

/**
 * Runs a get-method. It runs with the slim configuration first and again with all of it when it has read what was hidden;
 * likewise again with each library that it missed. An exception in the contract is a result, not an error. Throws what the
 * pool, `libraries` and `prevBlocks` throw, and `unsupported` for what the emulator refuses and for too many libraries.
 */
export const runGetMethod = async (
  pool: Pick<TvmPool, 'run'>,
  call: GetMethodCall,
  signal?: StopSignal,
): Promise<GetMethodResult> => {
  const code = codeOf(call.code)
  const stack = base64(call.stack)
  const attempt: Attempt = { config: call.config.slim, libraries: new Map(), prevBlocks: undefined }
  await addLibraries(call, attempt, [...code.libraries])
  for (let rounds = 0; ; ) {
    if (!attempt.prevBlocks && needPrevBlocks(code, attempt)) attempt.prevBlocks = await call.prevBlocks()
    const answer = finished(await pool.run(taskOf(call, code, stack, attempt), signal))
    const result = Buffer.from(answer.stack, 'base64')
    const missing = answer.missing_library?.toLowerCase()
    const isSlim = attempt.config === call.config.slim
    if (isSlim && ((missing && call.config.hides(missing)) || call.config.showsHidden(result))) {
      attempt.config = call.config.full()
      continue
    }
    if (missing && (await addLibraries(call, attempt, [missing]))) {
      if (++rounds > MAX_LIBRARY_ROUNDS)
        throw new TonlithError('unsupported', 'Too many missing libraries', { code: 500 })
      if (code.libraries.size < MAX_KNOWN_LIBRARIES) code.libraries.add(missing)
      continue
    }
    if (!attempt.prevBlocks && answer.vm_exit_code === TYPE_CHECK_ERROR) {
      attempt.prevBlocks = await call.prevBlocks()
      continue
    }
    return { exit_code: answer.vm_exit_code, gas_used: Number(answer.gas_used), stack: parseBocRoot(result) }
  }
}
