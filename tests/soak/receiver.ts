import { paySignature } from '../../src/payments/webhooks/sign.ts'

/** A merchant's endpoint, which keeps what it was told by the ids of the events. */
export interface Receiver {
  url: string
  /** What signatures are checked with. */
  secret: string
  /** Bodies by event, each different one once; more than one means that it has changed on the way. */
  events: ReadonlyMap<string, { bodies: string[]; times: number }>
  /** Webhooks whose signature does not hold. */
  forged: number
  stop(): Promise<void>
}

/** Starts one; one that is `flaky` fails the first attempt of each event. */
export const startReceiver = (flaky: boolean): Receiver => {
  const events = new Map<string, { bodies: string[]; times: number }>()
  const receiver: Receiver = { url: '', secret: '', events, forged: 0, stop: () => server.stop(true) }
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      const bytes = Buffer.from(await request.arrayBuffer())
      const id = request.headers.get('webhook-id') ?? ''
      const signature = request.headers.get('x-pay-signature')
      if (signature !== paySignature(receiver.secret, bytes)) receiver.forged++
      const body = bytes.toString()
      const event = events.get(id) ?? { bodies: [], times: 0 }
      events.set(id, event)
      event.times++
      if (!event.bodies.includes(body)) event.bodies.push(body)
      return flaky && event.times === 1 ? new Response('not now', { status: 500 }) : new Response('{}')
    },
  })
  receiver.url = `http://127.0.0.1:${server.port}/hook`
  return receiver
}
