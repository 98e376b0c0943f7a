/** Works through a list, `count` items at the same time. `lane` is below `count`, and never the same for two of them. */
export const inLanes = async <T>(
  count: number,
  items: Iterable<T>,
  work: (item: T, lane: number) => Promise<void>,
): Promise<void> => {
  const rest = Iterator.from(items)
  const run = async (lane: number): Promise<void> => {
    for (let next = rest.next(); !next.done; next = rest.next()) await work(next.value, lane)
  }
  await Promise.all(Array.from({ length: count }, (_, lane) => run(lane)))
}
