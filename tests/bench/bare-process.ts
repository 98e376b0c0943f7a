/** A bare Bun.serve in a process of its own that answers everything with this JSON. */
export const startBareServer = async (body: string) => {
  const child = Bun.spawn([process.execPath, new URL('bare-server.ts', import.meta.url).pathname, body], {
    stdout: 'pipe',
  })
  const { value } = await child.stdout.getReader().read()
  return { pid: child.pid, port: Number(Buffer.from(value ?? '').toString()), stop: () => child.kill() }
}
