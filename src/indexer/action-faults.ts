import type { Logger } from '../common/logger.ts'
import type { OnFailure } from './classify.ts'

/** What matchers threw while the index noted actions. */
export interface ActionFaults {
  /** How often each did, by its name, since the index's thread started. Plain data. */
  counts(): Record<string, number>
  note: OnFailure
}

/** Counts what matchers throw; the first of each is logged. */
export const createActionFaults = (logger?: Pick<Logger, 'warn'>): ActionFaults => {
  const counts = new Map<string, number>()
  return {
    counts: () => Object.fromEntries(counts),
    note: (matcher, err) => {
      const count = counts.get(matcher) ?? 0
      counts.set(matcher, count + 1)
      if (count === 0) logger?.warn({ matcher, err }, 'a matcher of actions failed; told once, the rest is counted')
    },
  }
}
