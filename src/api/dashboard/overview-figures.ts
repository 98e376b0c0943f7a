import type { Steps } from '../../common/steps.ts'
import { makeUlid } from '../../common/ulid.ts'
import type { Delivery, Transfer, TransferStatus } from '../../model/payments.ts'
import { transferStatus } from '../../model/transfer-status.ts'
import type { PaymentStore } from '../../store/payments/environment.ts'
import { type LoggedEvent, listLogged } from '../../store/payments/events.ts'
import type { ListPage, PageRequest } from '../../store/payments/newest-first.ts'
import { listTransfers } from '../../store/payments/transfers.ts'
import { rawAddress } from '../../ton/address.ts'

/** Statuses in the order in which a bar shows them, from the bottom. */
export const STATUSES = ['success', 'failed', 'pending', 'expired'] as const satisfies readonly TransferStatus[]
/** States of deliveries in the same way. */
export const STATES = ['delivered', 'exhausted', 'waiting', 'ignored'] as const satisfies readonly Delivery['state'][]

/** Days that the overview looks back, today among them. */
export const DAYS = 30
/** How many transfers, and how many deliveries, it looks at: the newest ones. */
export const MAX_COUNTED = 5000

const DAY_MS = 86_400_000

/** One day (UTC) of counts, in the order of STATUSES or STATES. */
export interface DayCounts {
  /** Unix milliseconds of its begin. */
  readonly day: number
  readonly counts: readonly number[]
}

/** What arrived of one asset. */
export interface Received {
  /** Any transfer of the asset, for its name and decimals. */
  readonly sample: Transfer
  readonly raw_amount: bigint
  readonly payments: number
}

/** What the overview tells of the last days. */
export interface OverviewFigures {
  readonly transfers: readonly DayCounts[]
  readonly deliveries: readonly DayCounts[]
  /** The greatest number of payments first. */
  readonly received: readonly Received[]
  /** True where there are more than MAX_COUNTED: the days before are not told. */
  readonly isCut: boolean
}

const byDay = <T>(
  items: readonly T[],
  first: number,
  of: { time: (item: T) => number; place: (item: T) => number; places: number },
): DayCounts[] => {
  const days = Array.from({ length: DAYS }, (_, i) => ({
    day: first + i * DAY_MS,
    counts: Array.from({ length: of.places }, () => 0),
  }))
  for (const item of items) {
    const counts = days[Math.floor((of.time(item) - first) / DAY_MS)]?.counts
    const place = of.place(item)
    if (counts) counts[place] = (counts[place] ?? 0) + 1
  }
  return days
}

/** What arrived, by asset. */
export const receivedOf = (transfers: readonly Transfer[]): Received[] => {
  const sums = new Map<string, Received>()
  for (const transfer of transfers)
    for (const { status, raw_amount } of transfer.payments) {
      if (status !== 'success') continue
      const asset = transfer.asset === null ? '' : rawAddress(transfer.asset)
      const known = sums.get(asset)
      sums.set(asset, {
        sample: transfer,
        raw_amount: (known?.raw_amount ?? 0n) + raw_amount,
        payments: (known?.payments ?? 0) + 1,
      })
    }
  return [...sums.values()].sort((a, b) => b.payments - a.payments)
}

/** Rows that are read in one turn of the event loop. */
const PER_TURN = 100

/** The newest MAX_COUNTED rows of a list, read in turns. */
function* newestRows<T>(list: (page: PageRequest) => ListPage<T>, after: string): Steps<ListPage<T>> {
  const items: T[] = []
  let next: string | null = null
  do {
    const page = list({ limit: PER_TURN, after, ...(next !== null && { before: next }) })
    items.push(...page.items)
    next = page.next
    yield
  } while (next !== null && items.length < MAX_COUNTED)
  return { items, next }
}

/**
 * Counts what a merchant's transfers and events came to.
 * @param now unix milliseconds
 * @throws as reading the store does
 */
export function* overviewFigures(store: PaymentStore, merchant: string, now: number): Steps<OverviewFigures> {
  const first = Math.floor(now / DAY_MS) * DAY_MS - (DAYS - 1) * DAY_MS
  const after = makeUlid(first, Buffer.alloc(10))
  const seconds = Math.floor(now / 1000)
  const transfers = yield* newestRows((page) => listTransfers(store, merchant, page, seconds), after)
  const logged = yield* newestRows((page) => listLogged(store, merchant, page), after)
  const real = logged.items.filter(({ event }) => !event.test)
  return {
    transfers: byDay(transfers.items, first, {
      time: ({ created }) => created * 1000,
      place: (transfer) => STATUSES.indexOf(transferStatus(transfer, seconds)),
      places: STATUSES.length,
    }),
    deliveries: byDay<LoggedEvent>(real, first, {
      time: ({ event }) => event.created,
      place: ({ delivery }) => STATES.indexOf(delivery.state),
      places: STATES.length,
    }),
    received: receivedOf(transfers.items),
    isCut: transfers.next !== null || logged.next !== null,
  }
}
