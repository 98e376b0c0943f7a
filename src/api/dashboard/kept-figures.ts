import { LRUCache } from 'lru-cache'
import type { Clock } from '../../common/clock.ts'
import { inTurns } from '../../common/steps.ts'
import { type OverviewFigures, overviewFigures } from './overview-figures.ts'
import type { DashboardParts } from './parts.ts'

/** Figures hold so many times longer than it took to count them: counting never takes more than a twentieth of the time. */
const HOLD_FACTOR = 20
const MAX_MERCHANTS = 1_000

/** Gives the figures of a merchant. Rejects as overviewFigures throws. */
export type FiguresOf = (merchant: string) => Promise<OverviewFigures>

/** Makes what counts, in turns, and once for all who ask meanwhile. */
export const createFigures = ({ store, now }: Pick<DashboardParts, 'store' | 'now'>, clock: Clock): FiguresOf => {
  const kept = new LRUCache<string, { figures: Promise<OverviewFigures>; until: number }>({ max: MAX_MERCHANTS })
  return (merchant) => {
    const began = clock.monotonic()
    const known = kept.get(merchant)
    if (known && began < known.until) return known.figures
    const entry = { figures: inTurns(overviewFigures(store, merchant, now())), until: Number.POSITIVE_INFINITY }
    kept.set(merchant, entry)
    entry.figures.then(
      () => {
        const end = clock.monotonic()
        entry.until = end + HOLD_FACTOR * (end - began)
      },
      () => kept.delete(merchant),
    )
    return entry.figures
  }
}
