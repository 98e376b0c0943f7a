import { verifySignature } from '@ton-pay/api'

/** What a merchant was told, as it came. */
export interface ReceivedEvent {
  id: string
  /** True where the signature is right, in both headers. */
  isSigned: boolean
  body: {
    event: string
    timestamp: string
    data: Record<string, string | number | undefined> & { reference: string; status: string; txHash: string }
  }
}

/** A merchant's endpoint on the loopback interface, which takes all that it is told. */
export interface WebhookReceiver {
  url: string
  received: ReceivedEvent[]
  /** What the signature is checked with. */
  secret: string
  stop(): Promise<void>
}

export const startWebhookReceiver = (): WebhookReceiver => {
  const receiver: WebhookReceiver = { url: '', received: [], secret: '', stop: () => server.stop(true) }
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      const text = await request.text()
      const signature = request.headers.get('x-pay-signature') ?? ''
      const isSame = signature === request.headers.get('x-tonpay-signature')
      receiver.received.push({
        id: request.headers.get('webhook-id') ?? '',
        isSigned: isSame && verifySignature(text, signature, receiver.secret),
        body: JSON.parse(text) as ReceivedEvent['body'],
      })
      return new Response('{}')
    },
  })
  receiver.url = `http://127.0.0.1:${server.port}/hook`
  return receiver
}
