import { opcodeOf } from '../../src/model/batch-message.ts'
import type { Trace, TraceMessage, TraceTransaction } from '../../src/model/trace.ts'
import type { Address } from '../../src/ton/address.ts'
import { beginCell } from '../../src/ton/builder.ts'
import type { Cell } from '../../src/ton/cell.ts'

/** A message that a transaction sends, with the transaction that takes it. */
export interface MadeMessage {
  /** Number of the account that takes it (`accountNo`); null: it leaves the chain. */
  to: number | null
  body?: Cell
  value?: bigint
  aborted?: boolean
  bounce?: boolean
  deploys?: boolean
  sends?: readonly MadeMessage[]
}

/** The account with this number. */
export const accountNo = (n: number): Address => ({ workchain: 0, hash: Buffer.alloc(32, n) })

const EMPTY = beginCell().endCell()

const hashNo = (kind: number, n: number): Buffer => {
  const hash = Buffer.alloc(32, kind)
  hash.writeUInt32BE(n, 0)
  return hash
}

interface Waiting {
  made: MadeMessage
  message: TraceMessage
}

/**
 * A trace that begins with a message from outside (or `root`) to the first account; lt ascends from 1000 on, breadth first.
 */
export const madeTrace = (root: MadeMessage, rootKind: 'ext_in' | 'tick_tock' = 'ext_in'): Trace => {
  let lt = 1000n
  let messages = 0
  const messageOf = (made: MadeMessage, source: Address | null): TraceMessage => {
    const body = made.body ?? EMPTY
    const internal = source !== null && made.to !== null
    return {
      kind: internal ? 'internal' : source ? 'ext_out' : 'ext_in',
      hash: hashNo(1, messages++),
      source,
      destination: made.to === null ? null : accountNo(made.to),
      value: internal ? (made.value ?? 1n) : 0n,
      extra_currencies: [],
      bounce: internal && (made.bounce ?? false),
      bounced: false,
      created_lt: source ? ++lt : null,
      created_at: source ? Number(lt) : null,
      opcode: opcodeOf(body),
      body,
      init: null,
    }
  }
  const transactions: TraceTransaction[] = []
  const waiting: Waiting[] = [{ made: root, message: messageOf(root, null) }]
  for (let i = 0; i < waiting.length; i++) {
    const { made, message } = waiting[i]!
    const account = accountNo(made.to ?? 0)
    const at = ++lt
    const sent = (made.sends ?? []).map((one) => ({ made: one, message: messageOf(one, account) }))
    waiting.push(...sent.filter(({ made: one }) => one.to !== null))
    const isTickTock = i === 0 && rootKind === 'tick_tock'
    transactions.push({
      account,
      hash: hashNo(2, i),
      lt: at,
      now: Number(at),
      descr: isTickTock ? 'tick_tock' : 'ord',
      orig_status: made.deploys ? 'uninit' : 'active',
      end_status: 'active',
      aborted: made.aborted ?? false,
      skipped: null,
      exit_code: 0,
      in_msg: isTickTock ? null : message,
      out_msgs: sent.map((one) => one.message),
    })
  }
  return { trace_id: hashNo(2, 0), transactions }
}
