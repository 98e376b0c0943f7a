import { JETTON_NOTIFY } from '../../contracts/token-messages.ts'
import { calls, type Part } from '../classify/part.ts'
import { type Incoming, nextCall, outgoingBy, PTON_TRANSFER, transfersBehind, withAppended } from './dex-parts.ts'

/** How a router's pools are asked to swap, and how they tell a router to pay. */
export interface Routes {
  swap: number
  pay: number
  /** The amount that a pool tells a router to pay for the swap. */
  amountPaid(payment: Part, swap: Part): bigint
  /** Whether a transfer gives back what the pool was given, where a pool can do so beside what it swapped. */
  isChange?(transfer: Part, swap: Part): boolean
}

/** A pool gone through: what it told the router to pay, and what follows. */
export interface Hop {
  swap: Part
  payments: Part[]
  paid: bigint
  /** What the router passed on to another one, or to itself, up to the next pool. */
  passed: Part[]
  /** What was given back to whoever swaps beside what was paid. */
  change: Part[]
}

/** The way from what a router paid to the pool in which it is swapped next. */
const wayOn = (transfer: Part, { swap }: Routes): Part[] | undefined => {
  const direct = nextCall(transfer, swap)
  if (direct) return [transfer, direct]
  const passed = nextCall(transfer, PTON_TRANSFER)
  const notified = nextCall(passed, JETTON_NOTIFY)
  const next = nextCall(notified, swap)
  return passed && notified && next && [transfer, passed, notified, next]
}

const hopAt = (
  swap: Part,
  routes: Routes,
): { hop: Hop; next: Part | undefined; outgoing: Part | undefined } | undefined => {
  const payments = swap.next.filter((next) => calls(next, routes.pay))
  if (payments.length === 0) return undefined
  const hop: Hop = { swap, payments, paid: routes.amountPaid(payments[0]!, swap), passed: [], change: [] }
  const direct = payments.map((payment) => nextCall(payment, routes.swap)).find((next) => next !== undefined)
  if (direct) return { hop, next: direct, outgoing: undefined }
  const transfers = payments.flatMap(transfersBehind)
  const way = transfers.map((transfer) => wayOn(transfer, routes)).find((found) => found !== undefined)
  if (way) hop.passed = way.slice(0, -1)
  const change = transfers.filter((transfer) => routes.isChange?.(transfer, swap))
  const outgoing = transfers.find((transfer) => !change.includes(transfer)) ?? transfers[0]
  hop.change = change.filter((transfer) => transfer !== outgoing && transfer !== way?.[0])
  return { hop, next: way?.at(-1), outgoing }
}

/** All pools from the first one on, and what the last router paid. */
export const hopsFrom = (start: Part, routes: Routes): { hops: Hop[]; outgoing: Incoming } | undefined => {
  const hops: Hop[] = []
  for (let at: Part | undefined = start; at; ) {
    const found = hopAt(at, routes)
    if (!found) return undefined
    hops.push(found.hop)
    at = found.next
    if (!at) return found.outgoing && { hops, outgoing: outgoingBy(found.outgoing) }
  }
  return undefined
}

/** All that the hops are. */
export const partsOfHops = (hops: readonly Hop[]): Part[] =>
  withAppended(
    hops.flatMap(({ swap, payments, passed, change }) => [
      swap,
      ...payments,
      ...passed,
      ...change.flatMap((transfer) => outgoingBy(transfer).parts),
    ]),
  )
