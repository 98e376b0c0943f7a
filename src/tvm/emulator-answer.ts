import { TonlithError } from '../common/errors.ts'

/** What the emulator says about a run of a get-method. */
export type EmulatorAnswer =
  | {
      success: true
      /** TL-B VmStack as BoC in base64. */
      stack: string
      gas_used: string
      vm_exit_code: number
      /** Hash in hex of the last library cell that was not found. */
      missing_library: string | null
      /** Milliseconds that the run took us, with reading the contract; nothing of the emulator's. */
      ms?: number
    }
  | { success: false; error: string }

/** What the emulator says about a transaction. */
export type TransactionAnswer =
  | {
      success: true
      /** TL-B Transaction as BoC in base64. */
      transaction: string
      /** TL-B ShardAccount after it as BoC in base64. */
      shard_account: string
      /** The last 256 characters of what the VM logged, all of it where that was asked for. */
      vm_log: string
    }
  | {
      success: false
      error: string
      /** True when the contract ran and did not accept the message; the two fields after it are there then. */
      external_not_accepted: boolean
      vm_log?: string
      vm_exit_code?: number
    }

/** In the answer about a get-method the log of the run stands between these, with a backslash in front of each quote. */
const LOG_START = Buffer.from('"vm_log":"')
const LOG_END = Buffer.from('","missing_library":')

/**
 * Leaves out the log, which takes up to 45 MB. What is left is the answer without it or, where its form is another one,
 * all of it.
 */
const withoutLog = (answer: Buffer): string => {
  const start = answer.indexOf(LOG_START)
  const end = start < 0 ? -1 : answer.indexOf(LOG_END, start)
  if (end < 0) return answer.toString('utf8')
  return answer.toString('latin1', 0, start + LOG_START.length) + answer.toString('latin1', end)
}

const parse = <A>(text: string): A => {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch (cause) {
    throw new TonlithError('internal', 'the emulator gave no answer', { cause })
  }
  if (typeof parsed !== 'object' || !parsed) throw new TonlithError('internal', 'the emulator gave no answer')
  return parsed as A
}

/** Reads the emulator's answer about a get-method (JSON bytes). Throws `internal` when it is none. */
export const readAnswer = (answer: Buffer): EmulatorAnswer => parse(withoutLog(answer))

interface Wrapped {
  output?: TransactionAnswer
  message?: string
}

/** Reads the emulator's answer about a transaction (JSON bytes). Throws `internal` when it is none. */
export const readTransactionAnswer = (answer: Buffer): TransactionAnswer => {
  const { output, message } = parse<Wrapped>(answer.toString('utf8'))
  return output ?? { success: false, error: String(message), external_not_accepted: false }
}
