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

/** In the answer the log of the run stands between these; inside of it every quote has a backslash in front. */
const LOG_START = '"vm_log":"'
const LOG_END = '","missing_library":'
const LOGS_START = ',"logs":"'

/**
 * Leaves out the logs, which take up to 45 MB. What is left is the answer without them or, where its form is another
 * one, all of it.
 */
const withoutLogs = (answer: Buffer): string => {
  const start = answer.indexOf(LOG_START)
  const end = start < 0 ? -1 : answer.indexOf(LOG_END, start)
  const tail = end < 0 ? -1 : answer.indexOf(LOGS_START, end)
  if (tail < 0) return answer.toString('utf8')
  const head = answer.toString('latin1', 0, start + LOG_START.length)
  return `${head}${answer.toString('latin1', end, tail)}}`
}

interface Parsed<A> {
  output?: A
  message?: string
}

const parse = <A>(text: string, refusal: (error: string) => A): A => {
  try {
    const { output, message } = JSON.parse(text) as Parsed<A>
    return output ?? refusal(String(message))
  } catch (cause) {
    throw new TonlithError('internal', 'the emulator gave no answer', { cause })
  }
}

/** Reads the emulator's answer about a get-method (JSON bytes). Throws `internal` when it is none. */
export const readAnswer = (answer: Buffer): EmulatorAnswer =>
  parse(withoutLogs(answer), (error) => ({ success: false, error }))

/** Reads the emulator's answer about a transaction (JSON bytes). Throws `internal` when it is none. */
export const readTransactionAnswer = (answer: Buffer): TransactionAnswer =>
  parse(answer.toString('utf8'), (error) => ({ success: false, error, external_not_accepted: false }))
