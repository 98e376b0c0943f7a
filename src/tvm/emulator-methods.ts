import type { ConfigForm } from './config.ts'
import { type EmulatorAnswer, readAnswer } from './emulator-answer.ts'
import type { EmulatorMemory } from './emulator-memory.ts'
import { type ContractTexts, contractSize, type GetMethodRun, keptContracts } from './messages.ts'
import type { TvmFunctions } from './tvm-functions.ts'

/** The parts of an instance that get-methods need. */
export interface MethodParts {
  tvm: TvmFunctions
  memory: EmulatorMemory
  /** Throws when the run before has broken the instance. */
  checkStack(): void
  /** The place of a configuration's text. */
  configAt(config: ConfigForm): number
}

/** A contract that the emulator has read, with a configuration, the libraries and the earlier blocks. */
interface ReadContract {
  at: number
  address: number
  size: number
  /** What it was told last. */
  now: number
  balance: string
}

/** Runs a get-method; `texts` is asked for the contract's where they are not read yet. */
export type RunMethod = (run: GetMethodRun, texts: () => ContractTexts, config: ConfigForm) => EmulatorAnswer

const RAND_SEED = '0'.repeat(64)
const MAX_BALANCE = (1n << 64n) - 1n

/** What `run_get_method` says of an argument that it refuses, and of a number that it cannot hold: nothing was done then. */
const REFUSED: EmulatorAnswer = { success: false, error: "Can't set params" }
const NOT_HELD: EmulatorAnswer = { success: false, error: "Can't decode params" }

/**
 * Runs get-methods in an instance. Reading a contract and a configuration takes several times as long as a short run, so
 * those that were used last are kept as they have been read; a run changes nothing in them.
 */
export const createMethods = ({ tvm, memory, checkStack, configAt }: MethodParts): RunMethod => {
  const { put } = memory
  const seed = put(RAND_SEED)
  const free = ({ at, address }: ReadContract): void => {
    tvm.destroy(at)
    memory.free(address)
  }
  const kept = keptContracts<ReadContract>(({ size }) => size, free)

  /** Calls with a text that is there for this call only; without one where the text is empty. */
  const given = (text: string, set: (at: number) => number): number => {
    if (text === '') return 1
    const at = put(text)
    const result = set(at)
    memory.free(at)
    return result
  }
  /** Tells a contract the time and its balance, and the configuration where that is not 0. */
  const tell = (contract: ReadContract, { now, balance }: GetMethodRun, config: number): boolean => {
    contract.now = now
    contract.balance = balance
    return tvm.setC7(contract.at, contract.address, now, BigInt(balance), seed, config) !== 0
  }
  const isTold = (contract: ReadContract, { now, balance }: GetMethodRun): boolean =>
    contract.now === now && contract.balance === balance

  const read = (run: GetMethodRun, texts: ContractTexts, config: ConfigForm): ReadContract | undefined => {
    const at = given(texts.code, (code) => given(texts.data, (data) => tvm.create(code, data, 0)))
    if (at === 0) return undefined
    const size = contractSize(texts) + config.boc.length
    const contract = { at, address: put(texts.address), size, now: run.now, balance: run.balance }
    const isRead =
      given(texts.libraries, (libraries) => tvm.setLibraries(at, libraries)) !== 0 &&
      tell(contract, run, configAt(config)) &&
      given(texts.extra_currencies, (currencies) => tvm.setExtraCurrencies(at, currencies)) !== 0 &&
      given(texts.prev_blocks, (blocks) => tvm.setPrevBlocks(at, blocks)) !== 0
    if (isRead) return contract
    free(contract)
    return undefined
  }

  return (run, texts, config) => {
    const startedAt = performance.now()
    if (BigInt(run.balance) > MAX_BALANCE) return NOT_HELD
    tvm.silence()
    const key = `${run.contract} ${config.key}`
    const known = kept.get(key)
    const contract = known ?? read(run, texts(), config)
    if (!contract || !(isTold(contract, run) || tell(contract, run, 0))) return REFUSED
    tvm.setGasLimit(contract.at, BigInt(run.gas_limit))
    const stack = put(run.stack)
    const answerAt = tvm.runGetMethod(contract.at, run.method_id, stack)
    checkStack()
    const answer = memory.take(answerAt, readAnswer)
    memory.free(stack)
    if (!known) kept.set(key, contract)
    if (kept.peek(key) !== contract) free(contract)
    return answer.success ? Object.assign(answer, { ms: performance.now() - startedAt }) : answer
  }
}
