const IN_FLIGHT = 8

/** Processor time in milliseconds, of all threads, that one run takes when some are under way at once, warmed up. */
export const cpuMs = async (runs: number, work: () => Promise<unknown>): Promise<number> => {
  const all = async (count: number): Promise<void> => {
    let left = count
    const one = async (): Promise<void> => {
      while (left-- > 0) await work()
    }
    await Promise.all(Array.from({ length: IN_FLIGHT }, one))
  }
  await all(runs)
  const before = process.cpuUsage()
  await all(runs)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000 / runs
}
