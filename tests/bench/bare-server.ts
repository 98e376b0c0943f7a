const BODY = process.argv[2] ?? ''

const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch: () => new Response(BODY, { headers: { 'content-type': 'application/json; charset=utf-8' } }),
})
console.log(server.port)
