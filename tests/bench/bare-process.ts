/** What the process tells: once its port, and when it is asked the processor seconds that it has used. */
type Told = { port: number } | { seconds: number }

/**
 * A bare Bun.serve in a process of its own that answers everything with this JSON. `seconds` gives the processor seconds,
 * all threads, that it has used so far.
 */
export const startBareServer = async (body: string) => {
  let next = Promise.withResolvers<Told>()
  const child = Bun.spawn([process.execPath, new URL('bare-server.ts', import.meta.url).pathname, body], {
    ipc: (told: Told) => next.resolve(told),
  })
  const first = await next.promise
  const port = 'port' in first ? first.port : 0
  const seconds = async (): Promise<number> => {
    next = Promise.withResolvers<Told>()
    child.send('seconds')
    const told = await next.promise
    return 'seconds' in told ? told.seconds : 0
  }
  return { port, seconds, stop: () => child.kill() }
}
