import type { Clock } from '../../common/clock.ts'
import type { Merchant, WebhookEvent } from '../../model/payments.ts'
import { type PostOptions, type PostResult, postTo } from './post.ts'
import { webhookHeaders } from './sign.ts'
import type { TargetFault, TargetGuard } from './target-guard.ts'

/** What came of sending an event once. */
export interface SendResult {
  /** HTTP status; null where no answer came. */
  status: number | null
  /** Why it failed, in plain words; null when it did not. */
  failure: string | null
  /** The first bytes of the answer, as text; null where no answer came. */
  answer: string | null
}

/** Sends an event to a URL that may be used; never rejects. */
export type Send = (
  event: Pick<WebhookEvent, 'id' | 'body'>,
  target: Pick<Merchant, 'webhook'> & { url: URL },
  signal: AbortSignal,
) => Promise<SendResult>

export interface SendOptions {
  guard: TargetGuard
  clock: Clock
  /** From the look-up of the name to the end of the answer: milliseconds. */
  deadlineMs?: number
  post?: (url: URL, address: string, options: PostOptions) => Promise<PostResult>
  /** Certificates that are trusted in place of the usual ones. */
  ca?: string | undefined
}

/** What a merchant has for its answer (spec.md, Limits). */
const DEADLINE_MS = 10_000

const FAULTS: Record<TargetFault | Extract<PostResult, { _: 'failed' }>['failure'], string> = {
  name: 'the name of the host has no address',
  blocked: 'the host or port is not one of the public internet',
  timeout: 'no answer came in time',
  refused: 'the host takes no connection',
  connection: 'the connection ended before an answer came',
  tls: 'the certificate of the host is not valid, or TLS failed otherwise',
  request: 'the URL cannot be asked',
}

const failed = (fault: keyof typeof FAULTS): SendResult => ({ status: null, failure: FAULTS[fault], answer: null })

const failureOf = (status: number): string | null => {
  if (status >= 200 && status < 300) return null
  if (status >= 300 && status < 400) return `the answer has status ${status}: a redirect, which is not followed`
  return `the answer has status ${status}`
}

/** Bytes that are no UTF-8, and a character that was cut, become U+FFFD. */
const textOf = (answer: Buffer): string => new TextDecoder().decode(answer)

/** Makes what sends events. The address that was checked is the one that is connected to. */
export const createSend = ({ guard, clock, deadlineMs = DEADLINE_MS, post = postTo, ca }: SendOptions): Send => {
  const attempt: Send = async (event, target, signal) => {
    const { url } = target
    const addresses = await guard(url, signal)
    if (typeof addresses === 'string') return failed(addresses)
    const headers = webhookHeaders(event, target, Math.floor(clock.now() / 1000))
    let result: PostResult = { _: 'failed', failure: 'refused' }
    for (const address of addresses) {
      result = await post(url, address, { headers, body: event.body, signal, ca })
      if (result._ === 'answered' || result.failure !== 'refused') break
    }
    if (result._ === 'failed') return failed(result.failure)
    return { status: result.status, failure: failureOf(result.status), answer: textOf(result.answer) }
  }

  return async (event, target, signal) => {
    const deadline = new AbortController()
    const over = new AbortController()
    clock.sleep(deadlineMs, over.signal).then(() => deadline.abort())
    try {
      return await attempt(event, target, AbortSignal.any([signal, deadline.signal]))
    } finally {
      over.abort()
    }
  }
}
