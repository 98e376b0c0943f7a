/** How often each kind of thing was met. */
export type Counts = Map<string, number>

/** Adds `n` of a kind. */
export const count = (counts: Counts, kind: string, n = 1): void => {
  counts.set(kind, (counts.get(kind) ?? 0) + n)
}

/** One line: kinds in alphabetical order with their numbers. */
export const countsText = (counts: Counts): string =>
  [...counts]
    .filter(([, n]) => n > 0)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([kind, n]) => `${kind} ${n}`)
    .join(', ')
