import { compareBigints, greater } from '../../common/bigint-order.ts'
import { bytesKey } from '../../common/bytes-key.ts'
import type { NotedAction } from '../../model/noted-action.ts'
import type { TraceTransaction } from '../../model/trace.ts'
import type { Cell } from '../../ton/cell.ts'
import { isTransfer } from './basic.ts'
import { type KindsOf, mayBeginAt, type PlainMessage } from './beginnings.ts'
import type { Matcher } from './family.ts'
import { actionId, distinctAccounts } from './finish.ts'
import { ghostMessages } from './ghosts.ts'
import { isDeployed } from './node.ts'

/** What is looked at of a transaction here. */
export interface PlainTransaction
  extends Pick<TraceTransaction, 'account' | 'lt' | 'now' | 'orig_status' | 'end_status'> {
  in_msg: PlainMessage | null
  out_msgs: readonly PlainMessage[]
}

export interface PlainTrace {
  /** Hash of the root transaction. */
  trace_id: Buffer
  transactions: readonly PlainTransaction[]
}

const isPlain = (
  { in_msg, out_msgs, orig_status, end_status }: PlainTransaction,
  matchers: readonly Matcher[],
  kindsOf: KindsOf,
): boolean =>
  in_msg !== null &&
  !isDeployed(orig_status, end_status) &&
  !mayBeginAt(matchers, in_msg, kindsOf) &&
  out_msgs.every((message) => message.kind !== 'ext_out' || !mayBeginAt(matchers, message, kindsOf))

/** Places of the transactions that sent the messages which others took; undefined where that is not plain. */
const sendersOf = (transactions: readonly PlainTransaction[]): Map<number, number> | undefined => {
  const senders = new Map<number, number>()
  if (transactions.length === 1) return senders
  const takers = new Map<string, number>()
  for (const [place, { in_msg }] of transactions.entries()) {
    if (in_msg?.kind !== 'internal') continue
    const name = bytesKey(in_msg.hash)
    if (takers.has(name)) return undefined
    takers.set(name, place)
  }
  for (const [place, { lt, out_msgs }] of transactions.entries()) {
    for (const message of out_msgs) {
      const taker = message.kind === 'internal' ? takers.get(bytesKey(message.hash)) : undefined
      if (taker === undefined) continue
      if (senders.has(taker) || transactions[taker]!.lt <= lt) return undefined
      senders.set(taker, place)
    }
  }
  return senders
}

interface Ending {
  end_lt: bigint
  action: NotedAction
}

const byEnd = (a: Ending, b: Ending): number =>
  compareBigints(a.end_lt, b.end_lt) || a.action.action_id.compare(b.action.action_id)

/** The matchers of classifying: of what was sent, and of what a wallet was asked to send and did not. */
export interface PlainRules {
  matchers: readonly Matcher[]
  ghostMatchers: readonly Matcher[]
}

/** What a wallet was asked to send, as far as that is plain: each message a transfer or a call that failed. */
const unsent = (
  { account, lt, now }: PlainTransaction,
  body: Cell,
  { ghostMatchers }: PlainRules,
  kindsOf: KindsOf,
): NotedAction[] | undefined => {
  const actions = new Map<string, NotedAction>()
  for (const message of ghostMessages(body, { account, lt, now })) {
    if (mayBeginAt(ghostMatchers, message, kindsOf)) return undefined
    const type = isTransfer(message) ? 'ton_transfer' : 'call_contract'
    const action_id = actionId(message.hash, type)
    const action: NotedAction = { action_id, type, ancestor_type: [], transactions: [0], accounts: [account] }
    actions.set(bytesKey(action_id), action)
  }
  return [...actions.values()].sort((a, b) => a.action_id.compare(b.action_id))
}

/** What stands for a message from outside that no message came of which a transaction took. */
const untold = (
  { trace_id, transactions: [only, ...others] }: PlainTrace,
  rules: PlainRules,
  kindsOf: KindsOf,
): NotedAction[] | undefined => {
  if (!only?.in_msg || others.length > 0) return undefined
  const intended = only.out_msgs.length > 0 ? [] : unsent(only, only.in_msg.body, rules, kindsOf)
  if (intended?.length !== 0) return intended
  return [{ action_id: trace_id, type: 'unknown', ancestor_type: [], transactions: [0], accounts: [only.account] }]
}

/**
 * The actions of a trace at none of whose messages a matcher can begin, as most are, so that each message between accounts
 * is a transfer or a call of its own: what classifying it tells, for a tenth of the work. By end_lt and id, ascending.
 * Undefined for any other trace.
 * @param kindsOf tells what an account is
 */
export const plainActions = (trace: PlainTrace, rules: PlainRules, kindsOf: KindsOf): NotedAction[] | undefined => {
  const { transactions } = trace
  if (!transactions.every((one) => isPlain(one, rules.matchers, kindsOf))) return undefined
  const senders = sendersOf(transactions)
  if (!senders) return undefined
  const endings: Ending[] = []
  for (const [place, { in_msg, account, lt }] of transactions.entries()) {
    if (in_msg?.kind !== 'internal') continue
    const sender = senders.get(place)
    const type = isTransfer(in_msg) ? 'ton_transfer' : 'call_contract'
    const { source, destination } = in_msg
    const action: NotedAction = {
      action_id: actionId(in_msg.hash, type),
      type,
      ancestor_type: [],
      transactions: sender === undefined ? [place] : sender < place ? [sender, place] : [place, sender],
      accounts: distinctAccounts([
        account,
        sender === undefined ? null : transactions[sender]!.account,
        source,
        destination,
      ]),
    }
    endings.push({ end_lt: greater(lt, in_msg.created_lt ?? lt), action })
  }
  return endings.length === 0 ? untold(trace, rules, kindsOf) : endings.sort(byEnd).map(({ action }) => action)
}
