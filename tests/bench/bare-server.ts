const BODY = process.argv[2] ?? ''

const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch: () => new Response(BODY, { headers: { 'content-type': 'application/json; charset=utf-8' } }),
})
const secondsSoFar = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}
process.on('message', () => process.send?.({ seconds: secondsSoFar() }))
process.send?.({ port: server.port })
